/**
 * The contract of chat models, as cases without a test runner. A backend passes a function that creates its model and declares
 * what it can do; a case that it cannot pass is skipped with a reason that appears in the report.
 */
import assert from 'node:assert/strict'
import type { ChatModel, ChatOptions } from '../chat/chat.ts'
import type { Message } from '../chat/message.ts'
import { MemAgentError, OverlongPromptError } from '../errors.ts'
import { type ContractCase, withSkips } from './contract-case.ts'

export interface ChatContractOptions {
  /** A fresh model for every case. */
  create(): ChatModel | Promise<ChatModel>
  /** Called after every case, in addition to the model's own `close`. */
  dispose?(): void | Promise<void>
  /** A prompt that cannot fit the model's window. */
  readonly overlong: readonly Message[]
  /** The model repeats the last message, so texts can be compared; language models cannot do that. @default false */
  readonly echoes?: boolean | undefined
  /** Returns log-probabilities on request. @default false */
  readonly logprobs?: boolean | undefined
  /** A prompt whose response takes long enough to be aborted. @default a plain question */
  readonly slow?: { readonly messages: readonly Message[]; readonly maxTokens: number } | undefined
  /** Maps the name of a case to a reason. */
  readonly skip?: Readonly<Record<string, string>> | undefined
}

const question: readonly Message[] = [
  { role: 'user', content: 'Name the first ten numbers, one after the other.' },
]
/** Accents in two forms, an emoji with a modifier, a flag, right-to-left text, CJK beyond the BMP, a zero-width space. */
const hardText =
  'na\u00EFve nai\u0308ve \u{1F44D}\u{1F3FD} \u{1F1EB}\u{1F1EE} \u05E9\u05DC\u05D5\u05DD \u4F60\u597D \u{20BB7} \u200B\u00A0end "quoted\\"'

/** The cases, for `registerCases` with the runner's `test`. */
export function chatContract(options: ChatContractOptions): ContractCase[] {
  const slow = options.slow ?? { messages: question, maxTokens: 64 }

  const withModel = (check: (model: ChatModel) => Promise<void>) => async () => {
    const model = await options.create()
    try {
      await check(model)
    } finally {
      await model.close?.()
      await options.dispose?.()
    }
  }
  const call = (more: Partial<ChatOptions> = {}): ChatOptions => ({
    maxTokens: 16,
    temperature: 0,
    seed: 1,
    ...more,
  })

  const cases: ContractCase[] = [
    {
      name: 'answers with text, a finish reason and a name',
      run: withModel(async (model) => {
        const result = await model.generate(question, call())
        assert.equal(typeof result.text, 'string')
        assert.ok(['stop', 'length', 'refusal', 'other'].includes(result.finishReason.unified))
        assert.ok(model.name.length > 0)
      }),
    },
    {
      name: 'reports plausible usage: longer prompts cost more, outputs stay within the limit',
      run: withModel(async (model) => {
        const short = await model.generate(question, call())
        const long = await model.generate([...question, ...question, ...question], call())
        assert.ok(short.usage !== undefined && long.usage !== undefined, 'no usage')
        assert.ok(short.usage.promptTokens > 0)
        assert.ok(long.usage.promptTokens > short.usage.promptTokens)
        assert.ok(short.usage.completionTokens >= 0 && short.usage.completionTokens <= 16)
      }),
    },
    {
      name: 'stops at maxTokens with finish reason "length"',
      run: withModel(async (model) => {
        const result = await model.generate(question, call({ maxTokens: 2 }))
        assert.equal(result.finishReason.unified, 'length')
        assert.ok((result.usage?.completionTokens ?? 0) <= 2)
      }),
    },
    {
      name: 'rejects with the reason of a signal that was aborted before the call',
      run: withModel(async (model) => {
        const reason = new Error('changed my mind')
        await assert.rejects(model.generate(question, call({ signal: AbortSignal.abort(reason) })), reason)
      }),
    },
    {
      name: 'rejects with the reason of a signal that is aborted during the call',
      run: withModel(async (model) => {
        const controller = new AbortController()
        const reason = new Error('changed my mind')
        const answer = model.generate(
          slow.messages,
          call({ maxTokens: slow.maxTokens, signal: controller.signal }),
        )
        setImmediate(() => controller.abort(reason))
        await assert.rejects(answer, reason)
      }),
    },
    {
      name: 'answers again after an aborted call',
      run: withModel(async (model) => {
        const controller = new AbortController()
        const aborted = model.generate(
          slow.messages,
          call({ maxTokens: slow.maxTokens, signal: controller.signal }),
        )
        controller.abort(new Error('changed my mind'))
        await assert.rejects(aborted)
        const result = await model.generate(question, call())
        assert.equal(typeof result.text, 'string')
      }),
    },
    {
      name: 'does not mix concurrent calls',
      run: withModel(async (model) => {
        const prompts = Array.from({ length: 6 }, (_, i): Message[] => [
          { role: 'user', content: `Number ${i} ${'and so on '.repeat(i)}` },
        ])
        const together = await Promise.all(prompts.map((prompt) => model.generate(prompt, call())))
        for (const [i, prompt] of prompts.entries()) {
          const alone = await model.generate(prompt, call())
          assert.equal(together[i]?.text, alone.text)
          assert.equal(together[i]?.usage?.promptTokens, alone.usage?.promptTokens)
        }
      }),
    },
    {
      name: 'gives the same text for the same seed at temperature 0',
      run: withModel(async (model) => {
        const first = await model.generate(question, call())
        const second = await model.generate(question, call())
        assert.equal(second.text, first.text)
      }),
    },
    {
      name: 'rejects an overlong prompt as such, instead of answering part of it',
      run: withModel(async (model) => {
        await assert.rejects(model.generate(options.overlong, call()), (error: unknown) => {
          assert.ok(error instanceof OverlongPromptError, `not an OverlongPromptError: ${error}`)
          assert.equal(error.isRetryable, false)
          return true
        })
      }),
    },
    {
      name: 'returns log-probabilities of the generated tokens when asked',
      skip: options.logprobs === true ? undefined : 'the backend returns none',
      run: withModel(async (model) => {
        const { logprobs, usage } = await model.generate(question, call({ logprobs: true, maxTokens: 4 }))
        assert.ok(logprobs !== undefined, 'no log-probabilities')
        assert.equal(logprobs.length, usage?.completionTokens)
        for (const { token, logprob } of logprobs) {
          assert.equal(typeof token, 'string')
          assert.ok(logprob <= 1e-6 && !Number.isNaN(logprob), `log-probability ${logprob}`)
        }
      }),
    },
    {
      name: 'rejects a conversation without messages',
      run: withModel(async (model) => {
        await assert.rejects(model.generate([], call()), (error: unknown) => MemAgentError.isInstance(error))
      }),
    },
    {
      name: 'rejects a token limit that is not a positive integer',
      run: withModel(async (model) => {
        for (const maxTokens of [0, -1, 1.5, Number.NaN]) {
          await assert.rejects(model.generate(question, call({ maxTokens })), (error: unknown) =>
            MemAgentError.isInstance(error),
          )
        }
      }),
    },
    {
      name: 'handles an empty message: an answer or a clear error',
      run: withModel(async (model) => {
        const empty: Message[] = [{ role: 'user', content: '' }]
        const answer = await model.generate(empty, call()).catch((error: unknown) => error)
        if (MemAgentError.isInstance(answer)) return
        assert.ok(!(answer instanceof Error), `not one of our errors: ${answer}`)
        assert.equal(typeof (answer as { text: unknown }).text, 'string')
      }),
    },
    {
      name: 'carries any Unicode text to the model and back, even a lone surrogate',
      run: withModel(async (model) => {
        const result = await model.generate([{ role: 'user', content: hardText }], call({ maxTokens: 64 }))
        assert.equal(result.text, result.text.replace(/\p{Surrogate}/gu, '\uFFFD'))
        if (options.echoes === true) assert.equal(result.text, hardText)
        await model.generate([{ role: 'user', content: 'half \uD83D of a pair' }], call())
      }),
    },
  ]
  return withSkips(cases, options.skip)
}

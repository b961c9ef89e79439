/** The part of the method contract about prompts: what they must contain, and what they never may. */
import assert from 'node:assert/strict'
import {
  type Conversation,
  createHuggingFaceTokenizer,
  type ModelProfile,
  OverlongPromptError,
  type ScriptedModel,
} from '@memagent/core'
import {
  assertSameStructure,
  type ContractCase,
  hostileText,
  tinyTokenizerJson,
} from '@memagent/core/testing'
import { createRandom } from '@memagent/tasks'
import type { Method } from '../method.ts'
import { methodMarkers } from '../methods/prompts.ts'
import {
  estimateTokenizer,
  fact,
  type NoteForm,
  oracle,
  promptOf,
  type Rehearsal,
  rehearse,
  sentenceOf,
  textWith,
} from './rehearsal.ts'

export interface PromptCasesOptions {
  create(): Method | Promise<Method>
  readonly form: NoteForm | undefined
  readonly profile: ModelProfile
  readonly documentTokens: number
  /** A document of this length with the fact at a place where the method can find it. */
  readonly withFact: string
  readonly evidenceAt: number
}

export function promptCases(options: PromptCasesOptions): ContractCase[] {
  const { profile, documentTokens, withFact, evidenceAt } = options
  const { budget } = profile
  const start = async (more: Partial<Rehearsal> = {}) =>
    rehearse({ method: await options.create(), profile, text: withFact, form: options.form, ...more })
  const run = async (more: Partial<Rehearsal> = {}) => {
    const started = await start(more)
    return { ...started, result: await started.result }
  }

  return [
    {
      name: 'fits every call into the window, whatever the document and the replies are',
      async run() {
        const bpe = createHuggingFaceTokenizer(tinyTokenizerJson('gpt2'))
        for (const [i, tokenizer] of [estimateTokenizer, bpe, bpe, bpe, bpe, bpe].entries()) {
          const roomy = tokenizer === bpe ? scaled(profile, 3) : profile
          const started = await start({
            profile: roomy,
            text: nastyText(i, documentTokens * (i % 3)),
            tokenizer,
            respond: ({ index }) => nastyText(1000 + index, 400),
          })
          await started.result.catch((error) => {
            // Only a method that must see everything may report that the document does not fit.
            assert.ok(error instanceof OverlongPromptError && started.model.calls.length === 0, String(error))
          })
          for (const { messages, options: given } of started.model.calls) {
            const tokens = started.model.countPromptTokens(messages) + given.maxTokens
            assert.ok(tokens <= roomy.budget.window, `${tokens} tokens in a window of ${roomy.budget.window}`)
          }
        }
      },
    },
    {
      name: 'rejects a question beyond its budget, and a window that is not served, before any call',
      async run() {
        const long = `Why ${'and why '.repeat(budget.question * 2)}?`
        const narrow: ModelProfile = { ...profile, budget: { ...budget, window: budget.window + 1 } }
        const method = await options.create()
        const started = [
          rehearse({ method, profile, text: withFact, request: { question: long } }),
          rehearse({ method, profile, text: withFact, request: { profile: narrow } }),
        ]
        for (const { result, model } of started) {
          await assert.rejects(result, { name: 'ConfigurationError' })
          assert.equal(model.calls.length, 0)
        }
      },
    },
    {
      name: 'keeps hostile documents, questions and replies in their place',
      async run() {
        const harmless = await run()
        const hostile = [
          await run({ text: textWith(documentTokens, `${fact} ${hostileText}`, evidenceAt) }),
          await run({ text: withFact.replaceAll('Zürich', '</section>') }),
          await run({ request: { question: `Which code? ${hostileText.slice(0, 60)}` } }),
          await run({ request: { memory: hostileText } }),
          // Two parts that would form a marker together.
          await run({ text: `/section> ${withFact}`, request: { memory: 'It was noted <' } }),
          await run({ respond: (call) => `${oracle(call, profile)} ${hostileText}` }),
        ]
        const likeOne = ({ model }: { readonly model: ScriptedModel }): Conversation[] =>
          model.calls.map(({ messages }) => ({ messages, maxTokens: 1, tag: { step: 0, kind: 'call' } }))
        for (const one of hostile) {
          assertSameStructure(likeOne(one), likeOne(harmless), methodMarkers)
          if (profile.prompts !== 'compact') continue
          for (const call of one.model.calls) assert.ok(!promptOf(call).includes('\\boxed{'))
        }
      },
    },
    {
      name: 'reports correctly which bytes of the document the model saw',
      async run() {
        const text = textWith(documentTokens, undefined, 0)
        const { result, model } = await run({ text, respond: () => 'Something or other.' })
        const size = Buffer.byteLength(text)
        const seen = result.seen ?? [{ startByte: 0, endByte: size }]
        let end = -1
        for (const { startByte, endByte } of seen) {
          assert.ok(startByte > end && endByte > startByte && endByte <= size, JSON.stringify(seen))
          end = endByte
        }
        const prompts = model.calls.map(promptOf).join('\n')
        let [inside, outside] = [0, 0]
        for (let i = 0; text.includes(sentenceOf(i)); i++) {
          const startByte = Buffer.byteLength(text.slice(0, text.indexOf(sentenceOf(i))))
          const endByte = startByte + Buffer.byteLength(sentenceOf(i))
          const isShown = prompts.includes(`q${i}z`)
          if (seen.some((one) => one.startByte <= startByte && one.endByte >= endByte)) {
            assert.ok(isShown, `sentence ${i} is in no prompt`)
            inside++
          } else if (seen.every((one) => one.startByte >= endByte || one.endByte <= startByte)) {
            assert.ok(!isShown, `sentence ${i} is in a prompt`)
            outside++
          }
        }
        assert.ok(inside > 0)
        assert.ok(result.seen === undefined || outside > 0 || documentTokens < budget.window)
      },
    },
  ]
}

/** The same profile for a tokenizer with shorter tokens. */
function scaled(profile: ModelProfile, factor: number): ModelProfile {
  const parts = Object.entries(profile.budget).map(([part, tokens]) => [part, tokens * factor])
  return { ...profile, budget: Object.fromEntries(parts) as ModelProfile['budget'] }
}

/** Text that is hard to count and to cut; the same seed gives the same text. */
function nastyText(seed: number, tokens: number): string {
  const random = createRandom('method-contract', 'nasty', seed)
  const parts = [
    () => sentenceOf(random.int(1000)),
    () => hostileText,
    () => '<section>'.repeat(1 + random.int(30)),
    () => ' '.repeat(random.int(400)),
    () => '\n\n',
    () => '😀👩‍👩‍👧'.repeat(1 + random.int(9)),
    () => '你好，世界。',
    () => 'x'.repeat(random.int(900)),
    () => '\u0301e\r\n',
    () => '\\boxed{code} | <|im_end|>',
    () => `${fact} `,
  ]
  let text = ''
  while ((estimateTokenizer.count(text) as number) < tokens) text += `${random.pick(parts)()} `
  return text
}

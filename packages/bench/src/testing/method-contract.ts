/**
 * What every method promises, as cases without a test runner, for models with and without instructions. The model is
 * scripted; it can only say what it was shown.
 */

import assert from 'node:assert/strict'
import {
  ChatError,
  MemAgentError,
  type ModelProfile,
  type ScriptedCall,
  type ScriptedModel,
  statedAnswer,
} from '@memagent/core'
import { type ContractCase, watchedDocument, withSkips } from '@memagent/core/testing'
import type { Method, MethodResult } from '../method.ts'
import { hasInstructions } from '../methods/prompts.ts'
import { promptCases } from './prompt-cases.ts'
import {
  estimateTokenizer,
  fact,
  type NoteForm,
  oracle,
  profiles,
  question,
  type Rehearsal,
  rehearse,
  textWith,
  value,
} from './rehearsal.ts'

export interface MethodContractOptions {
  create(): Method | Promise<Method>
  /** Length of the documents. @default 2500 */
  readonly documentTokens?: number
  /** Position of the fact, as a share of the document, at which the method can find it. @default 0.5 */
  readonly evidenceAt?: number
  /** Whether the method needs a model that follows instructions, and rejects others before the first call. @default false */
  readonly needsInstructions?: boolean
  /** Whether "not found" is unsure if the method saw only part of the document. @default false */
  readonly doubtsParts?: boolean
  /** An estimate is at most this many times the actual usage. @default 1.5 */
  readonly estimatedShare?: number
  /** How a model writes notes, if the method asks for a form. @default as they are */
  readonly form?: NoteForm
  /** Reasons by case name. */
  readonly skip?: Readonly<Record<string, string>>
}

/** The cases, for `registerCases` with the runner's `test`. */
export function methodContract(options: MethodContractOptions): ContractCase[] {
  const cases = profiles.flatMap((profile) => {
    const isRefused = options.needsInstructions === true && !hasInstructions(profile)
    const own = isRefused ? [refusal(options, profile)] : casesOf(options, profile)
    return own.map((one) => ({ ...one, name: `${profile.name}: ${one.name}` }))
  })
  return withSkips(cases, options.skip)
}

const refusal = ({ create }: MethodContractOptions, profile: ModelProfile): ContractCase => ({
  name: 'rejects a model that knows only its own prompts, without a call',
  async run() {
    const method = await create()
    const { result, model } = rehearse({ method, profile, text: fact })
    const isRefusal = (error: unknown) =>
      MemAgentError.isInstance(error) && error.code === 'method/needs-instructions'
    await assert.rejects(result, isRefusal)
    assert.equal(model.calls.length, 0)
    assert.throws(() => method.estimate(1000, profile), isRefusal)
  },
})

function casesOf(options: MethodContractOptions, profile: ModelProfile): ContractCase[] {
  const { documentTokens = 2500, evidenceAt = 0.5, estimatedShare = 1.5 } = options
  const { budget } = profile
  const withFact = textWith(documentTokens, fact, evidenceAt)
  const withoutFact = textWith(documentTokens, undefined, 0)
  const start = async (more: Partial<Rehearsal> = {}) =>
    rehearse({ method: await options.create(), profile, text: withFact, form: options.form, ...more })
  const run = async (more: Partial<Rehearsal> = {}) => {
    const started = await start(more)
    return { ...started, result: await started.result }
  }

  return [
    ...promptCases({
      create: options.create,
      form: options.form,
      profile,
      documentTokens,
      withFact,
      evidenceAt,
    }),
    {
      name: 'has a name and a description of one line',
      async run() {
        const { name, description } = await options.create()
        for (const text of [name, description]) assert.match(text, /^\S.*\S$/)
      },
    },
    {
      name: 'answers with what the document says',
      async run() {
        const { result, model } = await run()
        assert.equal(result.answer.text, value)
        assert.equal(result.answer.outcome, 'found')
        assert.ok(model.calls.length > 0)
        assert.ok(result.steps > 0)
      },
    },
    {
      name: 'says "not found" when the document does not answer, and finds nothing when the model says nothing',
      async run() {
        const { answer, seen } = (await run({ text: withoutFact })).result
        const outcome = options.doubtsParts && seen ? 'unsure' : 'not-found'
        assert.deepEqual([answer.text, answer.outcome, statedAnswer(answer)], ['', outcome, undefined])
        const { answer: silent } = (await run({ respond: () => '' })).result
        assert.deepEqual([silent.outcome, statedAnswer(silent)], ['unsure', ''])
      },
    },
    {
      name: 'says "not found" for an empty document',
      async run() {
        const { result } = await run({ text: '' })
        assert.deepEqual([result.answer.text, result.answer.outcome], ['', 'not-found'])
        assert.deepEqual(result.trace, [])
      },
    },
    {
      name: 'uses notes from before the document',
      async run() {
        for (const text of [withoutFact, '']) {
          const { result } = await run({ text, request: { memory: fact } })
          assert.equal(result.answer.outcome, 'found', `not found in a document of ${text.length} characters`)
          assert.match(result.answer.text, new RegExp(value))
        }
      },
    },
    {
      name: 'counts calls, tokens and model time',
      async run() {
        const slow = async (call: ScriptedCall) => {
          await new Promise((resolve) => setTimeout(resolve, 3))
          return oracle(call, profile)
        }
        const startMs = performance.now()
        const { result, model } = await run({ respond: slow })
        const { usage } = result
        assert.equal(usage.calls, model.calls.length)
        const tokens = model.calls.map(({ messages }) => model.countPromptTokens(messages))
        assert.equal(
          usage.promptTokens,
          tokens.reduce((sum, one) => sum + one, 0),
        )
        assert.ok(usage.completionTokens > 0 && usage.completionTokens < 20 * usage.calls)
        assert.ok(usage.modelMs >= 2 && usage.modelMs <= performance.now() - startMs)
      },
    },
    {
      name: 'does not know the number of tokens if the server did not report it',
      async run() {
        const { result } = await run({
          respond: (call) => ({ text: oracle(call, profile), usage: undefined }),
        })
        const { calls, promptTokens, completionTokens } = result.usage
        assert.deepEqual([calls > 0, promptTokens, completionTokens], [true, Number.NaN, Number.NaN])
      },
    },
    {
      name: 'makes the same calls and answers for the same seed, in whatever order replies arrive',
      async run() {
        const late = async (call: ScriptedCall) => {
          await new Promise((resolve) => setTimeout(resolve, (call.index * 7) % 5))
          return `${oracle(call, profile)}`
        }
        const [first, second] = [await run(), await run({ respond: late })]
        assert.deepEqual(timeless(second.result), timeless(first.result))
        assert.deepEqual(asked(second.model), asked(first.model))
      },
    },
    {
      name: 'gives every conversation a derived seed, and the requested sampling',
      async run() {
        const seeded = (seed: number) => run({ request: { sampling: { temperature: 0.6, topP: 0.9, seed } } })
        const [one, other] = [await seeded(1), await seeded(2)]
        const seeds = (model: ScriptedModel) => model.calls.map(({ options: { seed } }) => seed)
        assert.equal(new Set(seeds(one.model)).size, one.model.calls.length)
        assert.ok(!seeds(one.model).some((seed) => seeds(other.model).includes(seed)))
        for (const { options: given } of one.model.calls) {
          assert.deepEqual([given.temperature, given.topP], [0.6, 0.9])
        }
      },
    },
    {
      name: 'reports where in the document notes changed',
      async run() {
        const { result } = await run()
        const bytes = Buffer.from(withFact)
        for (const { startByte, endByte, memory, tokens } of result.trace) {
          assert.ok(tokens >= 0)
          if (startByte === undefined || !memory.includes(value)) continue
          assert.match(bytes.subarray(startByte, endByte).toString(), new RegExp(value))
        }
        const steps = result.trace.map(({ step }) => step)
        assert.deepEqual(
          steps,
          steps.toSorted((a, b) => a - b),
        )
        assert.ok(steps.every((step) => step >= 0 && step < result.steps))
      },
    },
    {
      name: 'estimates at least what it takes, and at most half as much again',
      async run() {
        const method = await options.create()
        const full = `${question} ${'and also of every code of the day '.repeat(20)}`
        const { result } = await run({
          text: withoutFact,
          request: { question: full.slice(0, Math.floor((budget.question - 2) * 3.4)) },
          // Answers, fills every output, and never repeats itself.
          respond: ({ index, options: { maxTokens } }) => `\\boxed{r${index}} ${'on '.repeat(2 * maxTokens)}`,
        })
        const estimate = method.estimate(estimateTokenizer.count(withoutFact) as number, profile)
        const { usage } = result
        for (const part of ['calls', 'promptTokens', 'completionTokens', 'embeddedTokens'] as const) {
          const [taken, expected] = [usage[part] ?? 0, estimate[part] ?? 0]
          const told = `${part}: ${taken} taken, ${expected} estimated`
          assert.ok(taken <= expected, told)
          // With very few calls, a single one may be half as much again.
          assert.ok(expected <= estimatedShare * taken || (part === 'calls' && expected <= taken + 1), told)
        }
      },
    },
    {
      name: 'ends with the reason of an abort before the first call, and makes none',
      async run() {
        const reason = new Error('enough for today')
        const { result, model } = await start({ request: { signal: AbortSignal.abort(reason) } })
        await assert.rejects(result, (error) => error === reason)
        assert.equal(model.calls.length, 0)
      },
    },
    {
      name: 'ends with the reason of an abort during a call, and closes the document',
      async run() {
        const { model: whole } = await run()
        for (const at of new Set([0, whole.calls.length - 1])) {
          const controller = new AbortController()
          const reason = new Error('enough for today')
          const { result, counts } = await start({
            request: { signal: controller.signal },
            respond(call) {
              if (call.index < at) return oracle(call, profile)
              setTimeout(() => controller.abort(reason), 1)
              return new Promise(() => undefined)
            },
          })
          await assert.rejects(result, (error) => error === reason)
          assert.equal(counts.closed, counts.opened)
        }
      },
    },
    {
      name: 'ends with the reason of an abort while the document is read',
      async run() {
        const controller = new AbortController()
        const reason = new Error('enough for today')
        const { document, counts } = watchedDocument(withFact, (index) => {
          if (index === 2) controller.abort(reason)
        })
        const { result } = await start({ request: { document, signal: controller.signal } })
        await assert.rejects(result, (error) => error === reason)
        assert.equal(counts.closed, counts.opened)
      },
    },
    {
      name: 'fails with the error of a call that fails, and closes the document',
      async run() {
        for (const failure of [new ChatError({ code: 'chat/gone', message: 'gone' }), new Error('gone')]) {
          const { result, counts } = await start({ respond: () => failure })
          await assert.rejects(
            result,
            (error) => MemAgentError.isInstance(error) && /gone/.test(error.message),
          )
          assert.equal(counts.closed, counts.opened)
        }
      },
    },
    {
      name: 'leaves no document open',
      async run() {
        const { counts } = await run()
        assert.ok(counts.opened > 0)
        assert.equal(counts.closed, counts.opened)
      },
    },
  ]
}

const timeless = ({ usage, ...rest }: MethodResult) => ({ ...rest, usage: { ...usage, modelMs: 0 } })

/** All calls, in an order independent of which reply came first. */
const asked = (model: ScriptedModel) =>
  model.calls.map(({ messages, options: { signal, ...rest } }) => JSON.stringify([messages, rest])).toSorted()

import { describe, expect, it } from 'vitest'
import { LimitError } from '../errors.ts'
import { readQuestions } from '../questions/read-questions.ts'
import { createMemoryCheckpointStore } from '../reading/checkpoint.ts'
import type { ReadingOptions } from '../reading/options.ts'
import { collect, document, modelOf, text } from '../reading/testing/short-reading.ts'
import { hashOf } from '../reading/text-hash.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { parallel } from '../workflows/parallel/parallel.ts'
import type { ChatModel, ChatOptions, ChatResult } from './chat.ts'
import { answeringFromCache, type ConversationCache } from './conversation-cache.ts'

/** A cache that stores everything as JSON, like a file. */
function memoryCache() {
  const entries = new Map<string, string>()
  const cache: ConversationCache = {
    get: async (key) => (entries.has(key) ? JSON.parse(entries.get(key)!) : undefined),
    put: (key, reply) => void entries.set(key, JSON.stringify(reply)),
  }
  return { cache, entries }
}

const said: ChatResult = {
  text: 'Ann \ud800 came.',
  reasoning: 'Who?',
  usage: { promptTokens: 9, completionTokens: 3, cachedPromptTokens: 4 },
  finishReason: { unified: 'stop', raw: 'eos' },
}

/** Asks twice; the second time, one thing may differ. */
async function askTwice({
  first = {},
  second = {},
  reply = said,
  identities = ['a', 'a'],
  prompts = ['Who came?', 'Who came?'],
}: {
  first?: Partial<ChatOptions>
  second?: Partial<ChatOptions>
  reply?: ChatResult | Error
  identities?: readonly (string | undefined)[]
  prompts?: readonly string[]
}) {
  let calls = 0
  const { cache, entries } = memoryCache()
  const ask = (i: 0 | 1, options: Partial<ChatOptions>) => {
    const model: ChatModel = {
      name: 'm',
      identity: async () => identities[i],
      generate: async () => {
        calls++
        if (reply instanceof Error) throw reply
        return reply
      },
    }
    const messages = [{ role: 'user' as const, content: prompts[i]! }]
    return answeringFromCache(model, cache, model)
      .generate(messages, { maxTokens: 8, seed: 1, ...first, ...options })
      .catch((error: unknown) => error)
  }
  const results = [await ask(0, {}), await ask(1, second)]
  return { calls, results, entries }
}

describe('a conversation that was held before', () => {
  it('is answered from the cache, as it was the first time', async () => {
    const { calls, results } = await askTwice({})
    expect(calls).toBe(1)
    expect(results).toEqual([said, { ...said, isFromCache: true }])
    expect((await askTwice({ first: { seed: undefined, temperature: 0 } })).calls).toBe(1)
    const sure = { ...said, logprobs: [{ token: 'Ann', logprob: -0.1 }] }
    const again = await askTwice({ first: { logprobs: true }, reply: sure })
    expect(again.results).toEqual([sure, { ...sure, isFromCache: true }])
    const impossible = { ...said, logprobs: [{ token: 'Ann', logprob: Number.NEGATIVE_INFINITY }] }
    const { calls: asked } = await askTwice({ first: { logprobs: true }, reply: impossible })
    expect(asked).toBe(1)
    // A draft does not change what is sampled.
    expect((await askTwice({ second: { draft: 'Ann' } })).calls).toBe(1)
  })

  it.each<[string, Parameters<typeof askTwice>[0]]>([
    ['the seed', { second: { seed: 2 } }],
    ['the temperature', { second: { temperature: 0.5 } }],
    ['top-p', { second: { topP: 0.5 } }],
    ['the most tokens', { second: { maxTokens: 9 } }],
    ['stop texts', { second: { stop: ['.'] } }],
    ['whether log-probabilities are wanted', { second: { logprobs: true } }],
    ['the model', { identities: ['a', 'b'] }],
    ['the prompt', { prompts: ['Who came?', 'Who came? '] }],
  ])('is another one where %s differs', async (_, difference) => {
    const { calls, results } = await askTwice(difference)
    expect(calls).toBe(2)
    expect(results[1]).toEqual(said)
  })

  it.each<[string, Parameters<typeof askTwice>[0]]>([
    ['of a model that nobody can tell from others', { identities: [undefined, undefined] }],
    ['that is sampled without a seed', { first: { seed: undefined } }],
    ['that is sampled at a temperature without a seed', { first: { seed: undefined, temperature: 0.7 } }],
    ['that failed', { reply: new Error('busy') }],
    ['that was refused', { reply: { ...said, finishReason: { unified: 'refusal', raw: 'x' } } }],
    ['that was refused in words', { reply: { ...said, text: "I'm sorry, I can't help with that." } }],
    ['whose reply is empty', { reply: { ...said, text: ' \n' } }],
    [
      'that ended in an unknown way',
      { reply: { ...said, finishReason: { unified: 'other', raw: undefined } } },
    ],
  ])('%s is not kept', async (_, given) => {
    const { calls, entries } = await askTwice(given)
    expect(calls).toBe(2)
    expect(entries.size).toBe(0)
  })

  it.each([
    null,
    4,
    'text',
    {},
    { ...said, text: 4 },
    { ...said, finishReason: 'stop' },
    { ...said, more: 1 },
  ])('is asked again where %j is in the cache', async (damaged) => {
    const cache: ConversationCache = { get: async () => damaged, put: () => undefined }
    const model: ChatModel = { name: 'm', identity: async () => 'a', generate: async () => said }
    const asked = answeringFromCache(model, cache, model).generate([], { maxTokens: 8, seed: 1 })
    expect(await asked).toEqual(said)
  })
})

describe('a reading with a cache', () => {
  const reading = (cache: ConversationCache, more: Partial<ReadingOptions> = {}) => {
    const model = modelOf(
      ({ messages: [message] }) => {
        const noted = `Noted ${hashOf(message!.content)}.`
        if (message!.content.includes('Your answer:')) return `\\boxed{${noted}}`
        return message!.content.includes('Your report:') ? `yes\n${noted}` : noted
      },
      { identity: async () => 'scripted' },
    )
    const calls = () => model.calls.length
    return { calls, events: collect({ model, cache, ...more }) }
  }
  const endOf = (events: Awaited<ReturnType<typeof collect>>) => {
    const end = events.at(-1)!
    if (end.type !== 'answer') throw new Error('no answer')
    return end
  }

  it('comes to the same as the first, and pays for nothing', async () => {
    const { cache } = memoryCache()
    const first = reading(cache)
    const before = await first.events
    const second = reading(cache)
    const after = await second.events
    expect(first.calls()).toBeGreaterThan(3)
    expect(second.calls()).toBe(0)
    const { usage: paid, seconds: _, ...whole } = endOf(before)
    const { usage, seconds: __, ...again } = endOf(after)
    expect(again).toEqual(whole)
    const { calls, promptTokens, completionTokens, ...others } = paid
    expect(usage).toEqual({
      ...others,
      calls: 0,
      promptTokens: 0,
      completionTokens: 0,
      fromCache: { calls, promptTokens, completionTokens },
    })
    expect(after.filter(({ type }) => type === 'memory-end')).toEqual(
      before.filter(({ type }) => type === 'memory-end'),
    )
    for (const event of after) {
      if (event.type === 'chunk-end')
        expect(event).toMatchObject({ usage: { promptTokens: 0 }, fromCache: { calls: 1 } })
    }
  })

  it('of a text whose end has changed pays for the end alone', async () => {
    const { cache } = memoryCache()
    const first = reading(cache)
    const steps = endOf(await first.events).steps
    const changed = `${text.slice(0, -60)}And Zoe came last of all, late in the evening.`
    const second = reading(cache, {
      document: {
        ...document,
        async *open() {
          yield { text: changed, source: 'text', startByte: 0 }
        },
      } as never,
    })
    const end = endOf(await second.events)
    // The last chunk or two, and the answer.
    expect(second.calls()).toBeLessThanOrEqual(3)
    expect(second.calls()).toBe(end.usage.calls)
    expect(end.usage.fromCache!.calls).toBeGreaterThanOrEqual(steps - 2)
  })

  it('counts nothing of it against limits', async () => {
    const { cache } = memoryCache()
    const whole = endOf(await reading(cache).events)
    const prices = { prompt: 1000, completion: 1000 }
    const again = reading(cache, { limits: { maxCalls: 1, maxCost: 0.000001, prices } })
    expect(endOf(await again.events).answer).toEqual(whole.answer)
    await expect(reading(cache, { limits: { maxCalls: 1 }, sampling: { seed: 7 } }).events).rejects.toThrow(
      LimitError,
    )
  })

  it('counts the same when it was stopped and resumed', async () => {
    for (const workflow of [undefined, parallel]) {
      const { cache } = memoryCache()
      const options = workflow ? { workflow: workflow as never } : {}
      const whole = endOf(await reading(cache, options).events)
      const checkpoints = createMemoryCheckpointStore()
      const controller = new AbortController()
      const stopped = reading(cache, {
        ...options,
        checkpoints: {
          ...checkpoints,
          async append(entries) {
            await checkpoints.append(entries)
            if (entries.some(({ type }) => type === 'conversation')) controller.abort(new Error('stop'))
          },
          async save(checkpoint) {
            await checkpoints.save(checkpoint)
            if (checkpoint.steps === 2) controller.abort(new Error('stop'))
          },
        },
        signal: controller.signal,
      })
      await stopped.events.catch(() => undefined)
      const resumed = reading(cache, { ...options, checkpoints, limits: { maxCalls: 1 } })
      const end = endOf(await resumed.events)
      expect(end.answer).toEqual(whole.answer)
      expect(resumed.calls()).toBe(0)
      expect(end.usage.calls).toBe(0)
      expect(end.usage.fromCache!.calls).toBe(whole.usage.calls)
    }
  })

  it('answers several questions, too', async () => {
    const { cache } = memoryCache()
    const questions = [{ text: 'Who came?' }, { text: 'Who left?' }]
    const ask = async () => {
      const model = modelOf(() => '\\boxed{Ann}', {
        identity: async () => 'scripted',
        profile: contractProfile,
      })
      let cached = 0
      for await (const event of readQuestions({ questions, document, model, cache })) {
        if (event.type === 'answer') cached += event.usage.fromCache?.calls ?? 0
      }
      return { calls: model.calls.length, cached }
    }
    const { calls } = await ask()
    expect(await ask()).toEqual({ calls: 0, cached: calls })
  })

  it('is not made where no cache is given', async () => {
    const model = modelOf(() => '\\boxed{A note.}', { identity: async () => 'scripted' })
    expect(endOf(await collect({ model })).usage.fromCache).toBeUndefined()
  })
})

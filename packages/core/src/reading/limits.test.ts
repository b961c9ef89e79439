import { describe, expect, it } from 'vitest'
import type { ChatModel } from '../chat/chat.ts'
import { createScriptedModel } from '../chat/scripted.ts'
import { LimitError } from '../errors.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { parallel } from '../workflows/parallel/parallel.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import type { ReadingLimits } from './limits.ts'
import { collect, modelOf } from './testing/short-reading.ts'

const usage = { promptTokens: 100, completionTokens: 10 }
const prices = { prompt: 1000, completion: 10_000 }
const cost = 0.2

/** Answers every call at the same price, and counts them. */
function countedModel(more: Partial<ChatModel> = {}) {
  let calls = 0
  const scripted = modelOf(() => 'A note.')
  const model: ChatModel = {
    ...scripted,
    async generate(messages, options) {
      calls += 1
      return { ...(await scripted.generate(messages, options)), usage }
    },
    countPromptTokens: () => usage.promptTokens,
    ...more,
  }
  return { model, calls: () => calls }
}

const outcomeOf = (events: Awaited<ReturnType<typeof collect>>) =>
  events.find(({ type }) => type === 'answer')

async function wholeReading() {
  const { model, calls } = countedModel()
  const answer = outcomeOf(await collect({ model }))
  return { calls: calls(), answer }
}

describe('limits of a reading', () => {
  it('stop it before one call too many, wherever that is, and a higher limit lets it continue to the same answer', async () => {
    const whole = await wholeReading()
    expect(whole.calls).toBeGreaterThan(3)
    for (let maxCalls = 1; maxCalls < whole.calls; maxCalls += 1) {
      const checkpoints = createMemoryCheckpointStore()
      const { model, calls } = countedModel()
      const stopped = collect({ model, checkpoints, limits: { maxCalls } })
      await expect(stopped).rejects.toThrow(LimitError)
      await expect(stopped).rejects.toMatchObject({
        code: 'reading/limit-calls',
        message: `The reading stopped after ${maxCalls} ${maxCalls === 1 ? 'call' : 'calls'}, of ${maxCalls} that it may make.`,
      })
      expect(calls()).toBe(maxCalls)
      // Earlier spending counts.
      await expect(collect({ model, checkpoints, limits: { maxCalls } })).rejects.toThrow(LimitError)
      expect(calls()).toBe(maxCalls)
      const resumed = await collect({ model, checkpoints, limits: { maxCalls: whole.calls } })
      expect(calls()).toBe(whole.calls)
      expect(outcomeOf(resumed)).toMatchObject({
        answer: (whole.answer as { answer: unknown }).answer,
        usage: { calls: whole.calls },
      })
    }
  })

  it('stop it before a call whose cost could exceed the limit', async () => {
    const { calls: all } = await wholeReading()
    const stop = async (maxCost: number) => {
      const { model, calls } = countedModel()
      const stopped = collect({ model, limits: { maxCost, prices } })
      await expect(stopped).rejects.toMatchObject({ code: 'reading/limit-cost' })
      return calls()
    }
    // A call is charged in advance for every token that it may generate.
    expect(await stop(0.0001)).toBe(0)
    for (const maxCost of [1, 1.5, 2]) {
      const calls = await stop(maxCost)
      expect(calls).toBeGreaterThan(0)
      expect(calls * cost).toBeLessThanOrEqual(maxCost)
    }
    const { model, calls } = countedModel()
    await collect({ model, limits: { maxCost: 1000, prices } })
    expect(calls()).toBe(all)
  })

  it('charge for cached prompt tokens what they cost', async () => {
    const stoppedAfter = async (cachedPrompt: number | undefined) => {
      const { model, calls } = countedModel()
      const generate: ChatModel['generate'] = async (...call) => ({
        ...(await model.generate(...call)),
        usage: { ...usage, cachedPromptTokens: 100 },
      })
      const limits = { maxCost: 1.5, prices: { ...prices, cachedPrompt } }
      const stopped = collect({ model: { ...model, generate }, limits })
      await expect(stopped).rejects.toMatchObject({ code: 'reading/limit-cost' })
      return calls()
    }
    const asOthers = await stoppedAfter(undefined)
    expect(await stoppedAfter(prices.prompt)).toBe(asOthers)
    expect(await stoppedAfter(0)).toBeGreaterThan(asOthers)
  })

  it('assume the whole window for a prompt that cannot be counted', async () => {
    const { countPromptTokens: _, ...uncounted } = countedModel().model
    const most = (contractProfile.budget.window * 1000) / 1e6
    const limits = { prices: { prompt: 1000, completion: 1000 } }
    const stopped = collect({ model: uncounted, limits: { ...limits, maxCost: 0.99 * most } })
    await expect(stopped).rejects.toMatchObject({ code: 'reading/limit-cost', details: { calls: 0 } })
  })

  it('hold for concurrent calls', async () => {
    const { model, calls } = countedModel()
    const workflow = parallel as unknown as Workflow
    await expect(collect({ model, workflow, limits: { maxCalls: 3 } })).rejects.toThrow(LimitError)
    expect(calls()).toBeLessThanOrEqual(3)
  })

  it('of cost count the most for a call that a filter ended, which has no usage', async () => {
    let calls = 0
    const filtering = countedModel({
      generate: async () =>
        ++calls === 2
          ? { text: '', usage: undefined, finishReason: { unified: 'refusal', raw: 'content_filter' } }
          : {
              text: '\\boxed{x}',
              usage: { promptTokens: 9, completionTokens: 3 },
              finishReason: { unified: 'stop', raw: 'stop' },
            },
    })
    const events = await collect({ model: filtering.model, limits: { maxCost: 100, prices } })
    expect(events.at(-1)).toMatchObject({ type: 'answer' })
  })

  it('of cost are rejected when the server reports no tokens', async () => {
    const silent = countedModel({
      generate: async () => ({
        text: 'A note.',
        usage: undefined,
        finishReason: { unified: 'stop', raw: 'stop' },
      }),
    })
    await expect(collect({ model: silent.model, limits: { maxCost: 100, prices } })).rejects.toMatchObject({
      code: 'reading/no-usage',
    })
  })

  it.each<[ReadingLimits, RegExp]>([
    [{ maxCalls: 0 }, /maxCalls cannot be 0 \(it takes a whole number of at least 1\)/],
    [{ maxCalls: 1.5 }, /maxCalls cannot be 1\.5/],
    [{ maxCost: -1, prices }, /maxCost cannot be -1/],
    [{ maxCost: 1 }, /needs token prices/],
    [{ maxCost: 1, prices: { prompt: 0, completion: 0 } }, /needs token prices/],
    [{ prices: { prompt: Number.NaN, completion: 0 } }, /prices\.prompt cannot be NaN/],
    [
      { prices: { prompt: 1, completion: 0, cachedPrompt: 2 } },
      /prices\.cachedPrompt cannot be 2 \(it takes at most the price of other prompt tokens, 1\)/,
    ],
  ])('that are none are refused before the first call: %j', async (limits, message) => {
    const model = createScriptedModel([])
    await expect(collect({ model, limits })).rejects.toThrow(message)
  })
})

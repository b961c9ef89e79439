/** Reading ahead, case by case; `read-ahead-properties.test.ts` compares it with reading in order at random. */
import { describe, expect, it } from 'vitest'
import type { ChatModel } from '../chat/chat.ts'
import type { ScriptedCall, ScriptedReply } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { ChatError } from '../errors.ts'
import { recall } from '../workflows/recall/recall.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import type { ReadingEvent } from './events.ts'
import type { ReadingOptions } from './options.ts'
import { readDocument } from './reader.ts'
import { collect, document, modelOf } from './testing/short-reading.ts'

const chunks = 12
const turn = () => new Promise((resolve) => setImmediate(resolve))
const sectionOf = ({ messages }: ScriptedCall) =>
  /<section>\n([\s\S]*)\n<\/section>/.exec(messages[0]!.content)?.[1]
const memoryOf = ({ messages }: ScriptedCall) => /<memory>\n(.*)\n<\/memory>/.exec(messages[0]!.content)?.[1]
const nothing = 'No previous memory'

/** Counts calls, and replies by chunk number: sections are numbered by their first call. */
function scripted(reply: (chunk: number, call: ScriptedCall) => ScriptedReply | Promise<ScriptedReply>) {
  const seen: string[] = []
  const calls: number[] = []
  let [active, peak] = [0, 0]
  const model = modelOf(async (call) => {
    const section = sectionOf(call)
    if (section === undefined) return '\\boxed{Ann}'
    if (!seen.includes(section)) seen.push(section)
    const chunk = seen.indexOf(section)
    calls.push(chunk)
    peak = Math.max(peak, ++active)
    try {
      await turn()
      return await reply(chunk, call)
    } finally {
      active--
    }
  })
  return { model, calls, peak: () => peak }
}

const answerOf = (events: readonly ReadingEvent[]) => {
  const last = events.at(-1)
  if (last?.type === 'answer') return last
  throw new Error('There is no answer.')
}
const same = () => nothing

describe('reading ahead', () => {
  it('asks about one chunk more after each that changed nothing, up to the number asked for', async () => {
    const active: number[] = []
    let now = 0
    const { model, calls, peak } = scripted(async () => {
      active.push(++now)
      for (let i = 0; i < 3; i++) await turn()
      now--
      return nothing
    })
    await collect({ model, ahead: 4 })
    expect(peak()).toBe(4)
    expect(Math.max(...active.slice(0, 3))).toBe(2)
    expect(calls).toEqual(calls.map((_, i) => i))
  })

  it('asks again about the chunks behind a change, and counts the calls that were wasted', async () => {
    const { model, calls } = scripted((chunk, call) =>
      chunk >= 5 && memoryOf(call) === nothing ? 'Ann came.' : (memoryOf(call) ?? nothing),
    )
    const events = await collect({ model, ahead: 4 })
    // Chunk 5 is the first to change anything; 6, 7 and 8 were asked about with it.
    expect(calls).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 6, 7, 8, 9, 10, 11])
    const { usage, memory, steps } = answerOf(events)
    expect({ memory, steps, calls: usage.calls }).toEqual({ memory: 'Ann came.', steps: chunks, calls: 16 })
    expect(usage.wasted?.calls).toBe(3)
    const wasted = events.flatMap((event) => (event.type === 'chunk-end' ? (event.wasted?.calls ?? 0) : []))
    expect(wasted.reduce((sum, calls) => sum + calls, 0)).toBe(3)
  })

  it.each([1, 2, 3, 4, 6, 9])(
    'wastes no more calls than it uses, with a change every %s chunks',
    async (period) => {
      const { model } = scripted((chunk, call) =>
        chunk % period === period - 1 ? `Guest ${chunk} came.` : (memoryOf(call) ?? nothing),
      )
      const { usage } = answerOf(await collect({ model, ahead: 8 }))
      const wasted = usage.wasted?.calls ?? 0
      expect(usage.calls - wasted).toBe(chunks + 1)
      expect(wasted).toBeLessThanOrEqual(chunks)
      expect(wasted > 0).toBe(period > 1)
    },
  )

  it('takes no notice of a failure behind a change', async () => {
    const { model } = scripted((chunk, call) => {
      if (chunk === 5) return 'Ann came.'
      if (chunk > 5 && memoryOf(call) === nothing) throw new ChatError({ code: 'x', message: 'broken' })
      return memoryOf(call) ?? nothing
    })
    expect(answerOf(await collect({ model, ahead: 4 })).usage.wasted).toBeUndefined()
  })

  it('fails with the chunk whose turn it is, after the events before it', async () => {
    const { model } = scripted((chunk) => {
      if (chunk >= 5) throw new ChatError({ code: 'x', message: `chunk ${chunk} failed` })
      return nothing
    })
    const seen: ReadingEvent[] = []
    const reading = (async () => {
      for await (const event of readDocument({ question: 'Who?', document, model, ahead: 4 }))
        seen.push(event)
    })()
    await expect(reading).rejects.toThrow('chunk 5 failed')
    expect(seen.filter(({ type }) => type === 'chunk-end')).toHaveLength(5)
  })

  it('does not wait for a chunk to ask about the one before', async () => {
    const { model } = scripted(same)
    const controller = new AbortController()
    const text = 'One two three four five six seven eight nine ten. '
    const live = {
      name: 'live',
      sizeBytes: undefined,
      isReopenable: false,
      async *open() {
        for (let i = 0; i < 40; i++) {
          yield { text, source: 'live', offsetBytes: i * text.length, lengthBytes: text.length }
        }
        await new Promise(() => undefined)
      },
    }
    let steps = 0
    const reading = (async () => {
      const options = { question: 'Who?', document: live, model, ahead: 8, signal: controller.signal }
      for await (const { type } of readDocument(options)) {
        if (type === 'chunk-end' && ++steps === 6) controller.abort(new Error('enough'))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(steps).toBe(6)
  })

  it('neither tells of waits behind a change, nor waits with them', async () => {
    let waits = 0
    const { model } = scripted(async (chunk, { options }) => {
      if (chunk === 5) {
        await turn()
        return 'Ann came.'
      }
      if (chunk === 6 && waits < 1) {
        waits++
        // As from a server that is busy for hours.
        options.onWait?.({ call: 'chat', reason: 'busy', code: 'x', seconds: 7200, attempt: 2 })
        await new Promise((_, reject) =>
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason)),
        )
      }
      return chunk < 5 ? nothing : 'Ann came.'
    })
    const { usage } = answerOf(await collect({ model, ahead: 2 }))
    expect({ waits, wasted: usage.wasted }).toEqual({ waits: 1, wasted: undefined })
  })

  it('stops before a cost limit, and no sooner than reading in order where chunks cost the same', async () => {
    const prices = { prompt: 1, completion: 1 }
    const document = createTextDocument('Some guest came on that day with a gift. '.repeat(90))
    const whole = answerOf(await collect({ model: scripted(same).model, document })).usage
    const cost = (whole.promptTokens + whole.completionTokens) / 1e6
    const stepsWith = async (ahead: number, share: number) => {
      const limits = { maxCost: share * cost, prices }
      const checkpoints = createMemoryCheckpointStore()
      const reading = collect({ model: scripted(same).model, document, limits, ahead, checkpoints })
      await expect(reading).rejects.toMatchObject({ code: 'reading/limit-cost' })
      return (await checkpoints.load())!.steps
    }
    // The most that calls in flight may cost is reserved, so some are refused that have room when their turn comes.
    for (let share = 0.3; share < 0.85; share += 0.04) {
      expect(await stepsWith(8, share)).toBe(await stepsWith(1, share))
    }
  })

  it('uses what a killed run has paid for', async () => {
    const checkpoints = createMemoryCheckpointStore()
    let gone = false
    const first = scripted(async (chunk) => {
      // The current chunk never ends; those after it do.
      if (chunk === 5) {
        for (let i = 0; i < 20; i++) await turn()
        gone = true
        throw new ChatError({ code: 'x', message: 'gone' })
      }
      return nothing
    })
    await expect(collect({ model: first.model, ahead: 4, checkpoints })).rejects.toThrow('gone')
    expect(gone).toBe(true)
    const second = scripted(same)
    const events = await collect({ model: second.model, ahead: 4, checkpoints })
    // 6, 7 and 8 are in the journal.
    expect(first.calls).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(second.calls).toHaveLength(chunks - 5 - 3)
    expect(answerOf(events).usage).toMatchObject({ calls: chunks })
    expect(answerOf(events).usage.wasted).toBeUndefined()
  })

  it('leaves workflows in order that do not say what a chunk without news leaves', async () => {
    let [active, peak] = [0, 0]
    const model = modelOf(async (call) => {
      peak = Math.max(peak, ++active)
      await turn()
      active--
      return sectionOf(call) === undefined ? '\\boxed{Ann}' : 'skip'
    })
    await collect({ model, workflow: recall as unknown as Workflow, ahead: 8, acceptsSilence: true })
    expect(peak).toBe(1)
  })

  it('tells a workflow that uses the log of memories after all', async () => {
    const { model } = scripted(same)
    const workflow: Workflow = {
      ...(recall as unknown as Workflow),
      unchanged: (state) => state,
      read: async (state, _, { memoryLog }) => {
        await memoryLog.search('Ann')
        return { state }
      },
    }
    await expect(collect({ model, workflow, ahead: 2 })).rejects.toMatchObject({
      code: 'workflow/reads-ahead',
    })
  })

  it.each([0, -1, 1.5, Number.NaN])('takes no %s chunks', async (ahead) => {
    const options: Partial<ReadingOptions> & { model: ChatModel } = { model: scripted(same).model, ahead }
    await expect(collect(options)).rejects.toMatchObject({ code: 'reading/ahead' })
  })
})

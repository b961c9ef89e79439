/** Reading ahead gives the same as reading in order, whatever changes, fails, or is aborted, killed or limited. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatResult } from '../chat/chat.ts'
import { MemAgentError } from '../errors.ts'
import { usefulEvent, usefulUsage } from '../testing/useful-event.ts'
import type { Conversation } from '../workflows/workflow.ts'
import { type Checkpoint, type CheckpointStore, createMemoryCheckpointStore } from './checkpoint.ts'
import type { ReadingEvent } from './events.ts'
import type { ReadingOptions } from './options.ts'
import { readDocument } from './reader.ts'
import { probe, probeModel, probeText } from './testing/probe.ts'

/** `PROPERTY_RUNS=5000 npm run unit -- read-ahead-properties` tries ten thousand. */
const runs = Number(process.env.PROPERTY_RUNS ?? 1000)
const timeoutMs = 300_000

const readings = fc.record({
  habits: fc.record({
    changes: fc.constantFrom(0, 2, 10, 30, 70, 100),
    ends: fc.constantFrom(0, 0, 3),
    fails: fc.constantFrom(0, 0, 2, 10),
    salt: fc.nat(),
  }),
  chunks: fc.integer({ min: 1, max: 8 }),
  turns: fc.nat(2),
  ahead: fc.oneof(fc.integer({ min: 2, max: 9 }), fc.constant('auto' as const)),
  concurrency: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  hasQuestion: fc.boolean(),
})
type Reading = typeof readings extends fc.Arbitrary<infer One> ? One : never

const optionsOf = ({ chunks, turns, hasQuestion, concurrency }: Reading): Omit<ReadingOptions, 'model'> => ({
  question: hasQuestion ? 'What?' : undefined,
  document: probeText(chunks, turns),
  workflow: probe as never,
  concurrency,
  replays: true,
})

interface Transcript {
  readonly events: readonly ReadingEvent[]
  readonly conversations: readonly { readonly tag: string; readonly held: string }[]
  readonly error: unknown
}

async function transcriptOf(
  options: ReadingOptions,
  onEvent: (count: number) => void = () => undefined,
): Promise<Transcript> {
  const events: ReadingEvent[] = []
  const conversations: Transcript['conversations'][number][] = []
  const onConversation = (conversation: Conversation, { text, usage }: ChatResult) => {
    const held = JSON.stringify([conversation, text, usage])
    conversations.push({ tag: JSON.stringify(conversation.tag), held })
  }
  try {
    for await (const event of readDocument({ ...options, onConversation })) {
      events.push(event)
      onEvent(events.length)
    }
    return { events, conversations, error: undefined }
  } catch (error) {
    return { events, conversations, error }
  }
}

const savedOf = (saved: Checkpoint | undefined): object | undefined =>
  saved && { ...saved, seconds: 0, usage: usefulUsage(saved.usage) }
const errorOf = (error: unknown): string =>
  MemAgentError.isInstance(error) ? `${error.code} ${error.message}` : String(error)

/** Fast enough for thousands of comparisons; shows a difference in full. */
function expectSame(ahead: unknown, inOrder: unknown): void {
  if (JSON.stringify(ahead) !== JSON.stringify(inOrder)) expect(ahead).toEqual(inOrder)
}

describe('reading ahead', () => {
  it(
    'comes to what reading in order does: events, conversations, checkpoint, answer or failure',
    async () => {
      const abortAt = fc.option(fc.nat(20), { nil: undefined })
      await fc.assert(
        fc.asyncProperty(readings, abortAt, async (reading, abortAt) => {
          const run = async (ahead: ReadingOptions['ahead']) => {
            const controller = new AbortController()
            const model = probeModel(reading.habits)
            const checkpoints = createMemoryCheckpointStore()
            const options = { ...optionsOf(reading), model, ahead, checkpoints, signal: controller.signal }
            const { events, conversations, error } = await transcriptOf(options, (count) => {
              if (count === abortAt) controller.abort(new Error('enough'))
            })
            const saved = await checkpoints.load()
            const same = [events.map(usefulEvent), conversations, errorOf(error), savedOf(saved)]
            const isWhole = error === undefined
            return { same, isWhole, answered: model.answered, usage: saved?.usage }
          }
          const [inOrder, ahead] = [await run(1), await run(reading.ahead)]
          expectSame(ahead.same, inOrder.same)
          expect(inOrder.usage?.wasted).toBeUndefined()
          // Every response was paid for and counted.
          if (ahead.isWhole) expect(ahead.usage?.calls).toBe(ahead.answered)
        }),
        { numRuns: runs },
      )
    },
    timeoutMs,
  )

  it(
    'ends the same, and tells the same, however often it is killed, fails or reaches a limit',
    async () => {
      const ends = fc.array(
        fc.record({
          /** Write of the store from which on nothing is written. */
          killAtWrite: fc.option(fc.nat(20), { nil: undefined }),
          killAtCall: fc.option(fc.nat(20), { nil: undefined }),
          /** Calls allowed on top of those counted before. */
          moreCalls: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
          fails: fc.constantFrom(0, 0, 5, 20),
          ahead: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
        }),
        { maxLength: 3 },
      )
      await fc.assert(
        fc.asyncProperty(readings, ends, async (reading, ends) => {
          const habits = { ...reading.habits, fails: 0 }
          const whole = await transcriptOf({
            ...optionsOf(reading),
            model: probeModel(habits),
            checkpoints: createMemoryCheckpointStore(),
          })
          const kept = createMemoryCheckpointStore()
          const told = new Set<string>()
          let isExact = true
          let paid = 0
          let last: Transcript = { events: [], conversations: [], error: undefined }
          for (const end of [...ends, undefined]) {
            const killing = new AbortController()
            const killed = new Error('killed')
            const store = untilKilled(kept, killing.signal, end?.killAtWrite, () => killing.abort(killed))
            const model = probeModel({ ...habits, fails: end?.fails ?? 0 }, (call) => {
              if (call === end?.killAtCall) killing.abort(killed)
            })
            const before = (await kept.load())?.usage.calls ?? 0
            const limits = end?.moreCalls === undefined ? undefined : { maxCalls: before + end.moreCalls }
            const ahead = end?.ahead ?? reading.ahead
            const options = { ...optionsOf(reading), model, ahead, limits, signal: killing.signal }
            last = await transcriptOf({ ...options, checkpoints: store })
            if (limits) expect(model.answered).toBeLessThanOrEqual(end!.moreCalls!)
            const isKilled = killing.signal.aborted
            // In order, a call of an unfinished step is repeated, but counted once.
            const isAhead = (ahead === 'auto' ? (reading.concurrency ?? 8) : ahead) > 1
            const isLimit = isAhead && errorOf(last.error).includes('limit-calls')
            isExact &&= !isKilled && (last.error === undefined || isLimit)
            paid += model.answered
            for (const { held } of last.conversations) told.add(held)
            if (last.error === undefined && !isKilled) break
          }
          expect(last.error).toBeUndefined()
          const [, ...events] = last.events.map(usefulEvent)
          const [, ...wholeEvents] = whole.events.map(usefulEvent)
          expectSame(events, wholeEvents)
          for (const { held } of whole.conversations) expect(told.has(held)).toBe(true)
          expect(told.size).toBe(whole.conversations.length)
          const usage = (await kept.load())!.usage
          expect(usage.calls).toBeLessThanOrEqual(paid)
          if (isExact) expect(usage.calls).toBe(paid)
        }),
        { numRuns: runs },
      )
    },
    timeoutMs,
  )
})

/** Writes before the kill stay. */
function untilKilled(
  kept: CheckpointStore,
  killed: AbortSignal,
  lastWrite: number | undefined,
  kill: () => void,
): CheckpointStore {
  let writes = 0
  const write = async (work: () => Promise<void>) => {
    if (++writes === lastWrite) kill()
    if (!killed.aborted) await work()
  }
  return {
    load: () => kept.load(),
    readLog: () => kept.readLog(),
    save: (checkpoint) => write(() => kept.save(checkpoint)),
    append: (entries) => write(() => kept.append(entries)),
  }
}

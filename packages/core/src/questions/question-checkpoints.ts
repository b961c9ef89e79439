/**
 * Keeps several readings in one checkpoint: each reading's checkpoint is in the state of the whole, and its log entries are in
 * the log of the whole, so any store keeps them as one run. Readings that save at about the same time are written together.
 */
import {
  type Checkpoint,
  type CheckpointStore,
  checkpointVersion,
  type EntryOwner,
  type LogEntry,
} from '../reading/checkpoint.ts'
import type { CallUsage } from '../reading/events.ts'
import { checkedCheckpoint, damagedCheckpoint } from '../reading/parse-checkpoint.ts'
import { checkIdentity, type RunIdentity } from '../reading/run-identity.ts'
import { addCalls, callUsage, noCalls } from '../reading/usage.ts'
import type { Json } from '../workflows/workflow.ts'
import { type KeptReading, keptReadings, noReading, wholeCheckpoint } from './kept-readings.ts'

type MemoryEntry = Extract<LogEntry, { type: 'memory' }>
type ConversationEntry = Extract<LogEntry, { type: 'conversation' }>
type EventsEntry = Extract<LogEntry, { type: 'events' }>

interface Write {
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

export class QuestionCheckpoints {
  readonly #store: CheckpointStore
  readonly #questions: readonly string[]
  readonly #readings: KeptReading[]
  /** Old memories of each question, by their index. */
  readonly #memories: Map<number, MemoryEntry>[]
  #identity: RunIdentity = {}
  #loaded: Promise<void> | undefined
  #sequence = -1
  #memoryEntries = 0
  // Pending writes.
  #entries: LogEntry[] = []
  #events: EventsEntry['events'][number][] = []
  /** By question: events of steps whose checkpoint is not saved yet. */
  readonly #unsaved: EventsEntry['events'][number][][]
  #isDirty = false
  #waiting: Write[] = []
  #writing: Promise<void> | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(store: CheckpointStore, questions: readonly string[]) {
    this.#store = store
    this.#questions = questions
    this.#readings = questions.map(() => noReading)
    this.#memories = questions.map(() => new Map())
    this.#unsaved = questions.map(() => [])
  }

  /** An error of reading or writing a checkpoint, which concerns all questions. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  /** The cost of all readings when they were loaded, with calls of unfinished steps. */
  get spent(): CallUsage {
    return this.#readings
      .map(({ saved, pending }) => {
        const calls = callUsage(pending.map(({ result }) => result))
        return saved ? addCalls(saved.usage, calls) : calls
      })
      .reduce(addCalls, noCalls)
  }

  of(question: number): CheckpointStore {
    const { name, isWrittenFirst, keepsEvents } = this.#store
    return {
      name,
      isWrittenFirst,
      keepsEvents,
      load: async (identity = {}) => {
        this.#loaded ??= this.#load(identity)
        await this.#loaded
        const { saved } = this.#readings[question]!
        return saved && { ...saved, version: checkpointVersion, identity }
      },
      save: (checkpoint) => this.#save(question, checkpoint),
      append: (entries) => this.#append(question, entries),
      readLog: async () => [...this.#memories[question]!.values(), ...this.#readings[question]!.pending],
    }
  }

  /** @param identity of any reading: they differ only in their question */
  async #load({ question: _, ...common }: RunIdentity): Promise<void> {
    try {
      this.#identity = { ...common, questions: this.#questions as Json }
      const loaded = await this.#store.load(this.#identity)
      if (!loaded) return
      const saved = checkedCheckpoint(loaded, this.#store.name)
      const { answerBudget = null } = this.#identity
      checkIdentity({ ...saved.identity, answerBudget }, this.#identity)
      this.#restore(saved, await this.#store.readLog())
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }

  #restore(saved: Checkpoint, log: readonly LogEntry[]): void {
    const readings = keptReadings(saved.state, this.#questions.length)
    if (typeof readings === 'string') throw damagedCheckpoint(this.#store.name, readings)
    this.#sequence = saved.sequence
    for (const [question, reading] of readings.entries()) this.#readings[question] = reading
    for (const entry of log) {
      if (entry.type === 'events' || !entry.of) continue
      const { question, number } = entry.of
      const reading = this.#readings[question]
      if (!reading) throw damagedCheckpoint(this.#store.name, `its log is of question ${question + 1}`)
      if (entry.type === 'memory') {
        this.#memoryEntries = Math.max(this.#memoryEntries, entry.index + 1)
        this.#memories[question]!.set(number, { ...entry, index: number, of: undefined })
      } else if (number >= (reading.saved?.sequence ?? 0)) {
        this.#readings[question] = withPending(reading, own(entry, entry.of))
      }
    }
  }

  async #append(question: number, entries: readonly LogEntry[]): Promise<void> {
    for (const entry of entries) {
      if (entry.type === 'events') {
        this.#unsaved[question]!.push(...entry.events.map((event) => ({ ...event, question })))
      } else if (entry.type === 'memory') {
        const of = { question, number: entry.index }
        this.#entries.push({ ...entry, index: this.#memoryEntries++, of })
      } else {
        const of = { question, number: entry.sequence }
        const key = `${question}:${entry.key}`
        this.#entries.push({ ...entry, key, sequence: this.#sequence + 1, of })
        this.#readings[question] = withPending(this.#readings[question]!, entry)
      }
    }
    await this.#written()
  }

  async #save(question: number, { identity: _, version: __, ...saved }: Checkpoint): Promise<void> {
    const pending = this.#readings[question]!.pending.filter(({ sequence }) => sequence >= saved.sequence)
    this.#readings[question] = { saved, pending }
    this.#events.push(...this.#unsaved[question]!.splice(0))
    this.#isDirty = true
    await this.#written()
  }

  /** Resolves when everything now pending is written. @throws the error of a write */
  #written(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.error)
    return new Promise((done, failed) => {
      this.#waiting.push({ done, failed })
      this.#writing ??= this.#write()
    })
  }

  async #write(): Promise<void> {
    // Readings whose calls end in the same turn are written together.
    await new Promise((resolve) => setTimeout(resolve))
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting.splice(0)
      try {
        await this.#writeAll()
        for (const { done } of waiting) done()
      } catch (error) {
        this.#failure = { error }
        for (const { failed } of [...waiting, ...this.#waiting.splice(0)]) failed(error)
      }
    }
    // Cleared in the same turn as the last check for pending work, so that later work starts a new write.
    this.#writing = undefined
  }

  async #writeAll(): Promise<void> {
    const entries = this.#entries.splice(0)
    const isDirty = this.#isDirty
    this.#isDirty = false
    if (isDirty) {
      const sequence = ++this.#sequence
      const events = this.#events.splice(0)
      if (events.length > 0) entries.push({ type: 'events', sequence, events })
    }
    const whole = isDirty
      ? wholeCheckpoint(this.#readings, {
          identity: this.#identity,
          sequence: this.#sequence,
          memoryLogLength: this.#memoryEntries,
        })
      : undefined
    if (entries.length > 0) await this.#store.append(entries)
    if (whole) await this.#store.save(whole)
  }
}

/** The entry as its reading wrote it. */
const own = (entry: ConversationEntry, { question, number }: EntryOwner): ConversationEntry => ({
  ...entry,
  key: entry.key.slice(`${question}:`.length),
  sequence: number,
  of: undefined,
})

const withPending = ({ saved, pending }: KeptReading, entry: ConversationEntry): KeptReading => ({
  saved,
  pending: [...pending.filter(({ key }) => key !== entry.key), entry],
})

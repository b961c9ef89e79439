/** Follows a run: its stored steps, in order and each once, and its state. */
import { positionText } from '@memagent/core'
import type { KeptSteps, StepEvents } from '@memagent/store'
import { type Run, type ShownStep, type Step, stepsOf } from '@memagent/web'
import { RequestError } from '../request-error.ts'
import type { RunJob } from './run-job.ts'
import { Watched } from './watched.ts'

export interface FollowOptions {
  /** The position of the last known step; `now` sends no steps. @default all steps are sent */
  readonly after?: string | undefined
  readonly signal: AbortSignal
}

export type RunEvent =
  /** `position` refers to the store: it never changes, and is the same in every process. */
  | { readonly type: 'step'; readonly position: string; readonly step: Step }
  | { readonly type: 'state'; readonly run: Run }
  /** Nothing has happened for a while. */
  | { readonly type: 'idle' }
  /** It is no longer read: finished, stopped or failed. */
  | { readonly type: 'end'; readonly run: Run }

export interface FollowedRun {
  readonly steps: KeptSteps
  /** The job, if this server reads the run. */
  readonly job: () => RunJob | undefined
  readonly load: () => Promise<Run>
}

/** Rows held at a time, which is all that a slow follower costs. */
const page = 20
/** How often the store is asked about runs of other processes. */
const pollMs = 1000
const idleMs = 15_000
const never = 'now'

/** Ends without an event if the signal aborts. @throws RequestError 400 for an invalid position, StoreError */
export async function* followRun(
  { steps, job, load }: FollowedRun,
  { after, signal }: FollowOptions,
): AsyncGenerator<RunEvent> {
  const telling = new Telling(steps, positionOf(after))
  while (!signal.aborted) {
    const reading = job()
    const version = reading?.changes.version ?? 0
    // Loaded before the steps, so that every step it counts as kept follows.
    const run = await load()
    yield* telling.state(run)
    await telling.begin(run)
    if (after !== never) yield* telling.steps(signal)
    if (signal.aborted) return
    if (run.state === 'finished' || run.state === 'unfinished') return yield { type: 'end', run }
    yield* telling.idle()
    if (reading) await reading.changes.changedSince(version, idleMs, signal)
    else await new Watched().changedSince(0, pollMs, signal)
  }
}

/** What was sent so far, so that nothing is sent twice. */
class Telling {
  readonly #steps: KeptSteps
  readonly #known: Position
  readonly #counts = new Map<number | undefined, number>()
  #hasBegun = false
  #state = ''
  #lastMs = performance.now()

  constructor(steps: KeptSteps, known: Position) {
    this.#steps = steps
    this.#known = known
  }

  /** Skips known steps. Steps of several questions are counted per question, so all of them are read. */
  async begin({ questions }: Run): Promise<void> {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const { sequence } = this.#known
    if (sequence > 0 && !questions) this.#counts.set(undefined, await this.#steps.skipTo(sequence))
  }

  *state({ result: _, ...run }: Run): Generator<RunEvent> {
    // Changes that only come from the clock are not news.
    const state = JSON.stringify({ ...run, secondsLeft: 0, chunksPerSecond: 0 })
    if (state === this.#state) return
    this.#state = state
    yield this.#told({ type: 'state', run })
  }

  async *steps(signal: AbortSignal): AsyncGenerator<RunEvent> {
    for (;;) {
      const rows = await this.#steps.next(page)
      for (const row of rows) {
        for (const [part, step] of (await this.#stepsIn(row)).entries()) {
          if (signal.aborted) return
          if (isKnown(this.#known, row.sequence, part)) continue
          const position = part === 0 ? `${row.sequence}` : `${row.sequence}.${part}`
          yield this.#told({ type: 'step', position, step })
        }
      }
      if (rows.length < page) return
    }
  }

  *idle(): Generator<RunEvent> {
    if (performance.now() - this.#lastMs >= idleMs) yield this.#told({ type: 'idle' })
  }

  #told(event: RunEvent): RunEvent {
    this.#lastMs = performance.now()
    return event
  }

  /** A row has one step, or several that were read together, of one or more questions. */
  async #stepsIn({ events }: StepEvents): Promise<readonly Step[]> {
    const found: Step[] = []
    for (const question of new Set(events.map((event) => event.question))) {
      const own = events.filter((event) => event.question === question)
      for await (const shown of stepsOf(each(own))) {
        const step = this.#counts.get(question) ?? 0
        this.#counts.set(question, step + 1)
        found.push({ ...stepView(shown, step === 0), step, ...(question !== undefined && { question }) })
      }
    }
    return found
  }
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

const stepView = ({ ranges, memories, warnings }: ShownStep, isFirst: boolean): Omit<Step, 'step'> => ({
  ranges: ranges.map(({ source, startByte, endByte, marks = [] }) => {
    const [from, to] = [marks[0], marks.at(-1)].map((mark) => mark && positionText(mark.position))
    return {
      ...{ file: source, startByte, endByte },
      ...(from && { from }),
      ...(to && marks.length > 1 && { to }),
    }
  }),
  memories: memories.map(({ slot, memory, previous, changed, origin }) => ({
    ...(slot !== undefined && { slot }),
    ...(changed && { memory }),
    ...(isFirst && previous !== '' && { previous }),
    changed,
    origin,
  })),
  warnings: warnings.map(({ code, message }) => ({ code, message })),
})

interface Position {
  readonly sequence: number
  readonly part: number
}

function positionOf(after: string | undefined): Position {
  if (after === undefined || after === never) return { sequence: -1, part: 0 }
  const [, sequence, part = '0'] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(after) ?? []
  if (sequence === undefined) throw noPosition(after)
  return { sequence: Number(sequence), part: Number(part) }
}

const isKnown = (known: Position, sequence: number, part: number): boolean =>
  sequence < known.sequence || (sequence === known.sequence && part <= known.part)

const noPosition = (after: string) =>
  new RequestError({
    status: 400,
    code: 'server/bad-request',
    message: `Last-Event-ID or after: ${JSON.stringify(after.slice(0, 100))} is not the id of an event.`,
    param: 'after',
  })

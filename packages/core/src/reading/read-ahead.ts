/**
 * Reading ahead: several chunks are asked about at the same time, each as if those before it changed nothing. Steps are taken in
 * order, up to and including the first that changes something; the chunks after it are asked about again. So the result is that
 * of reading in order: the same prompts, seeds, states and events.
 *
 * After n steps without a change, at most n + 1 chunks are in flight, so no more steps are dropped than taken.
 */
import { canonicalJson } from '../canonical-json.ts'
import { LimitError } from '../errors.ts'
import type { Json } from '../workflows/workflow.ts'
import { Arrivals } from './arrivals.ts'
import type { CutChunk } from './chunk-source.ts'
import type { AheadStep } from './context.ts'
import type { ReadingEvent } from './events.ts'
import { endStep, type Steps } from './steps.ts'

interface Asked<State> {
  readonly cut: CutChunk
  readonly step: AheadStep
  /** The state after the chunk if it changes nothing. */
  readonly expected: State
  /** Nothing else was in flight. */
  readonly isAlone: boolean
  readonly settled: Promise<void>
  outcome?:
    | { readonly state: State; readonly done?: boolean; readonly error?: undefined }
    | { readonly error: { readonly cause: unknown } }
}

/** @param most concurrent chunks */
export async function* stepAhead<State extends Json>(
  steps: Steps<State>,
  most: number,
): AsyncGenerator<ReadingEvent> {
  const { source, record, waits, signal } = steps
  let chunks = new Arrivals(source.cut(source.position.ordinal))
  const window = new Window(steps)
  let unchanged = 0
  try {
    for (;;) {
      signal.throwIfAborted()
      const isOpen = window.fill(chunks, Math.min(most, unchanged + 1))
      const { first } = window
      if (!first && chunks.isEmpty) break
      if (!first?.outcome) {
        yield* waits.during(Promise.race([first?.settled, isOpen && chunks.arrival].filter(Boolean)), signal)
      } else if (isRefused(first)) {
        // Calls in flight count as spent in full until they end. In order, there may be room for this one.
        chunks.giveBack(window.drop())
        unchanged = 0
        yield* waits.during(window.droppedEnd(), signal)
      } else {
        const isUnchanged = window.take(first)
        if (!isUnchanged) chunks.giveBack(window.drop())
        unchanged = isUnchanged ? unchanged + 1 : 0
        if (record.isDone) yield* waits.during(window.droppedEnd(), signal)
        const isCutAnew = yield* endStep(steps)
        if (record.isDone) return
        if (isCutAnew) {
          // The chunks asked ahead have another size.
          window.drop()
          await chunks.close()
          chunks = new Arrivals(source.cut(source.position.ordinal))
          unchanged = 0
        }
      }
    }
    // The cost of dropped steps must be counted before the answer.
    yield* waits.during(window.droppedEnd(), signal)
    source.end()
  } finally {
    await chunks.close()
  }
}

const isRefused = <State>({ outcome, isAlone }: Asked<State>): boolean =>
  !isAlone && outcome?.error !== undefined && LimitError.isInstance(outcome.error.cause)

/** The chunks in flight, in order. */
class Window<State extends Json> {
  readonly #steps: Steps<State>
  #asked: Asked<State>[] = []
  readonly #dropped = new Set<Promise<void>>()

  constructor(steps: Steps<State>) {
    this.#steps = steps
  }

  get first(): Asked<State> | undefined {
    return this.#asked[0]
  }

  /** Asks about the chunks that have arrived, up to `size`. @returns whether there is room for more */
  fill(chunks: Arrivals<CutChunk>, size: number): boolean {
    // A step after a failure is never taken; after a limit, it would use up what is left.
    if (this.#asked.some(({ outcome }) => outcome?.error)) return false
    while (this.#asked.length < size) {
      const cut = chunks.take()
      if (!cut) return true
      this.#asked.push(this.#ask(cut))
    }
    return false
  }

  #ask(cut: CutChunk): Asked<State> {
    const { workflow, context, record } = this.#steps
    const state = this.#asked.at(-1)?.expected ?? record.state
    const step = context.ahead(record.journal.sequence + this.#asked.length)
    const asked: Asked<State> = {
      cut,
      step,
      expected: workflow.unchanged!(state),
      isAlone: this.#asked.length + this.#dropped.size === 0,
      settled: workflow.read(state, cut.chunk, step.context).then(
        (result) => {
          asked.outcome = result
        },
        (cause: unknown) => {
          asked.outcome = { error: { cause } }
        },
      ),
    }
    return asked
  }

  /** Takes a step whose outcome is known. @returns whether it changed nothing @throws what it threw */
  take({ cut, step, expected, outcome }: Asked<State>): boolean {
    const { source, record } = this.#steps
    this.#asked.shift()
    source.handOut(cut)
    step.take()
    if (outcome!.error) throw outcome!.error.cause
    const { state, done = false } = outcome!
    record.state = state
    record.isDone = done
    return !done && canonicalJson(state) === canonicalJson(expected)
  }

  /** Drops everything in flight. @returns the chunks */
  drop(): CutChunk[] {
    const dropped = this.#asked.splice(0)
    for (const { step, settled } of dropped) {
      step.drop()
      this.#dropped.add(settled)
      settled.then(() => this.#dropped.delete(settled))
    }
    return dropped.map(({ cut }) => cut)
  }

  /** Resolves when all dropped steps have ended. */
  async droppedEnd(): Promise<void> {
    await Promise.all(this.#dropped)
  }
}

/**
 * Reading ahead: several chunks are asked about at the same time, each as if those before it changed nothing. Up to and
 * including the first that changes something, their steps are taken, in order; the chunks behind it are asked about again.
 * So what is taken is what reading in order comes to: the same prompts, seeds, states and events.
 *
 * After n steps without a change, at most n + 1 chunks are under way: no more steps are ever dropped than taken.
 */
import { canonicalJson } from '../canonical-json.ts'
import { LimitError } from '../errors.ts'
import type { Json } from '../workflows/workflow.ts'
import { Arrivals } from './arrivals.ts'
import type { CutChunk } from './chunk-source.ts'
import type { AheadStep } from './context.ts'
import type { ReadingEvent } from './events.ts'
import { endStep, type Steps } from './steps.ts'

/** A chunk that was asked about. */
interface Asked<State> {
  readonly cut: CutChunk
  readonly step: AheadStep
  /** The state behind it if it changes nothing. */
  readonly expected: State
  /** Nothing else was under way. */
  readonly isAlone: boolean
  readonly settled: Promise<void>
  outcome?:
    | { readonly state: State; readonly done?: boolean; readonly error?: undefined }
    | { readonly error: { readonly cause: unknown } }
}

/** @param most chunks at a time */
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
        // What the others may still take counts as spent until they end; in order, there may be room for it.
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
          // What was asked ahead holds chunks of another size.
          window.drop()
          await chunks.close()
          chunks = new Arrivals(source.cut(source.position.ordinal))
          unchanged = 0
        }
      }
    }
    // What they took is counted before the answer is.
    yield* waits.during(window.droppedEnd(), signal)
    source.end()
  } finally {
    await chunks.close()
  }
}

const isRefused = <State>({ outcome, isAlone }: Asked<State>): boolean =>
  !isAlone && outcome?.error !== undefined && LimitError.isInstance(outcome.error.cause)

/** The chunks under way, in order. */
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

  /** Asks about the chunks that have arrived, as far as there is room. @returns whether there is more */
  fill(chunks: Arrivals<CutChunk>, size: number): boolean {
    // What is behind a failure is not taken; behind a limit, it would use up what is left.
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

  /** Takes the step, whose outcome is known. @returns whether it changed nothing @throws what it threw */
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

  /** Nothing that is under way is wanted any more. @returns the chunks */
  drop(): CutChunk[] {
    const dropped = this.#asked.splice(0)
    for (const { step, settled } of dropped) {
      step.drop()
      this.#dropped.add(settled)
      settled.then(() => this.#dropped.delete(settled))
    }
    return dropped.map(({ cut }) => cut)
  }

  /** Resolves when what was dropped has ended. */
  async droppedEnd(): Promise<void> {
    await Promise.all(this.#dropped)
  }
}

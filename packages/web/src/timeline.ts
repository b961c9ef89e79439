/** The steps of a run, with the memory at every one, and where along the run it changed. */
import { type Packed, PackedList, partSize } from './packed-list.ts'
import type { PageRange, PageStep } from './run-page.ts'
import { changed } from './text-change.ts'

/** A timeline as JSON. */
export interface PackedTimeline {
  readonly steps: Packed
  /** The memory before the first step of every part. */
  readonly starts: readonly string[]
  /** The memory after the last step. */
  readonly last: string
  /** Steps at which the memory changed, ascending. */
  readonly changes: readonly number[]
  /** Steps with warnings or an unusable reply, ascending. */
  readonly troubled: readonly number[]
  readonly isInTextOrder: boolean
}

/** Grows while a run is followed. Steps and memories are built on demand. */
export class Timeline {
  readonly steps: PackedList<PageStep>
  readonly changes: number[]
  readonly troubled: number[]
  readonly #starts: string[]
  readonly #order: TextOrder
  #last: string

  /** @param from a packed timeline, or the memory that the reading began with */
  constructor(from: PackedTimeline | string) {
    const known = typeof from === 'string' ? empty(from) : from
    this.steps = new PackedList(known.steps)
    this.changes = [...known.changes]
    this.troubled = [...known.troubled]
    this.#starts = [...known.starts]
    this.#last = known.last
    this.#order = new TextOrder(known.isInTextOrder, this.steps.at(this.steps.length - 1)?.ranges.at(-1))
  }

  get length(): number {
    return this.steps.length
  }

  /** Whether the steps follow the text, each part once: then the strip of steps shows the text. */
  get isInTextOrder(): boolean {
    return this.#order.holds
  }

  add(step: PageStep): void {
    const index = this.length
    if (index % partSize === 0) this.#starts.push(this.#last)
    if (step.change) {
      this.changes.push(index)
      this.#last = changed(this.#last, step.change)
    }
    if (step.warnings || step.isKept) this.troubled.push(index)
    this.#order.add(step.ranges)
    this.steps.push(step)
  }

  /** The memory after the step; -1: at the beginning. */
  at(step: number): string {
    if (step >= this.length - 1) return this.#last
    const part = Math.max(0, Math.floor(step / partSize))
    let memory = this.#starts[part]!
    for (let i = this.countTo(part * partSize - 1); i < this.changes.length && this.changes[i]! <= step; i++)
      memory = changed(memory, this.steps.at(this.changes[i]!)!.change!)
    return memory
  }

  /** Each change with the memories around it, in order. */
  *around(): Generator<{ readonly step: number; readonly before: string; readonly after: string }> {
    let before = this.at(-1)
    for (const step of this.changes) {
      const after = changed(before, this.steps.at(step)!.change!)
      yield { step, before, after }
      before = after
    }
  }

  /** How often the memory changed up to this step, itself included. */
  countTo(step: number): number {
    let [low, high] = [0, this.changes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.changes[middle]! <= step) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Undefined if there is none. */
  changeBefore(step: number): number | undefined {
    return this.changes[this.countTo(step - 1) - 1]
  }

  changeAfter(step: number): number | undefined {
    return this.changes[this.countTo(step)]
  }

  packed(): PackedTimeline {
    const { changes, troubled, isInTextOrder } = this
    return {
      steps: this.steps.packed(),
      starts: this.#starts,
      last: this.#last,
      changes,
      troubled,
      isInTextOrder,
    }
  }
}

const empty = (start: string): PackedTimeline => ({
  steps: { length: 0, parts: [] },
  starts: [],
  last: start,
  changes: [],
  troubled: [],
  isInTextOrder: true,
})

/** Checks whether ranges come in the order of the text. */
class TextOrder {
  readonly #ended = new Set<number>()
  #file = -1
  #end = 0
  holds: boolean

  /** @param last the range that was read last; files are numbered in the order of reading */
  constructor(holds: boolean, last: PageRange | undefined) {
    this.holds = holds
    if (!last) return
    ;[this.#file, this.#end] = [last.file, last.endByte]
    for (let file = 0; file < last.file; file++) this.#ended.add(file)
  }

  add(ranges: readonly PageRange[]): void {
    for (const { file, startByte, endByte } of ranges) {
      if (file !== this.#file) {
        if (this.#ended.has(file)) this.holds = false
        this.#ended.add(this.#file)
        ;[this.#file, this.#end] = [file, 0]
      }
      if (startByte < this.#end) this.holds = false
      this.#end = endByte
    }
  }
}

/** Memories of a run by step, and where along the run they changed. */
import type { PageStep, RunPage } from './run-page.ts'
import { changed } from './text-change.ts'

/** Changes from one kept memory to the next. */
const spacing = 100

/** The memories of a run, made from its changes when they are asked for. */
export class Memories {
  readonly #steps: readonly PageStep[]
  /** Steps at which the memory changed, ascending. */
  readonly changes: readonly number[]
  /** The memory before every so many changes. */
  readonly #kept: string[] = []

  constructor({ start, steps }: Pick<RunPage, 'start' | 'steps'>) {
    this.#steps = steps
    this.changes = steps.flatMap(({ change }, i) => (change ? [i] : []))
    let memory = start
    for (const [i, step] of this.changes.entries()) {
      if (i % spacing === 0) this.#kept.push(memory)
      memory = changed(memory, steps[step]!.change!)
    }
    if (this.changes.length % spacing === 0) this.#kept.push(memory)
  }

  /** After the step; -1: at the beginning. */
  at(step: number): string {
    const count = this.countTo(step)
    const from = Math.floor(count / spacing)
    let memory = this.#kept[from]!
    for (const i of this.changes.slice(from * spacing, count))
      memory = changed(memory, this.#steps[i]!.change!)
    return memory
  }

  /** Each change with the memories around it, in order. */
  *around(): Generator<{ readonly step: number; readonly before: string; readonly after: string }> {
    let before = this.at(-1)
    for (const step of this.changes) {
      const after = changed(before, this.#steps[step]!.change!)
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

  /** Undefined: there is none. */
  changeBefore(step: number): number | undefined {
    return this.changes[this.countTo(step - 1) - 1]
  }

  changeAfter(step: number): number | undefined {
    return this.changes[this.countTo(step)]
  }
}

/**
 * How much of each part of a strip is marked.
 * @param marked ascending indices below `count`
 * @returns for each of at most `parts` equal parts the share of its items that are marked, from 0 to 1
 */
export function density(marked: readonly number[], count: number, parts: number): number[] {
  const bins = Math.min(parts, count)
  const sums = Array.from({ length: bins }, () => 0)
  for (const index of marked) sums[Math.floor((index * bins) / count)]!++
  return sums.map((sum, bin) => {
    const size = Math.ceil(((bin + 1) * count) / bins) - Math.ceil((bin * count) / bins)
    return sum / size
  })
}

/** Whether the steps are in the order of the text, each part of it once: then the strip of steps shows the text. */
export function isInTextOrder(steps: readonly PageStep[]): boolean {
  const ended = new Set<number>()
  let [file, end] = [-1, 0]
  for (const range of steps.flatMap(({ ranges }) => ranges)) {
    if (range.file !== file) {
      if (ended.has(range.file)) return false
      ended.add(file)
      ;[file, end] = [range.file, 0]
    }
    if (range.startByte < end) return false
    end = range.endByte
  }
  return true
}

/** What a memory gained, lost and changed between two readings, with the text that caused it. */
import type { SourceRange } from '@memagent/core'
import type { SessionReading, Store } from '@memagent/store'
import { type ShownStep, stepsOf } from '@memagent/web'
import { diffArrays } from 'diff'
import { printable } from '../terminal.ts'
import { linesOf } from '../view/memory-difference.ts'

/** Where a change came from: the files of its passages if any were found, otherwise all files read at that step. */
export interface Cause {
  readonly reading: number
  /** Within the reading, from 0. */
  readonly step: number
  readonly files: readonly string[]
}

export interface MemoryChange {
  /** Undefined: it is new. */
  readonly before?: string | undefined
  /** Undefined: it is gone. */
  readonly after?: string | undefined
  readonly cause?: Cause | undefined
}

/** @param readings those between the two memories, in order @param before the memory before them */
export async function memoryChanges(
  store: Store,
  readings: readonly SessionReading[],
  before: string,
): Promise<readonly MemoryChange[]> {
  const came = new Map<string, Cause>()
  const went = new Map<string, Cause>()
  let memory = before
  for (const { id, number } of readings) {
    for await (const step of stepsOf(store.events(id))) {
      const changes = step.memories.filter(({ changed }) => changed)
      if (changes.length === 0) continue
      const old = linesOf(changes[0]!.previous)
      memory = changes.at(-1)!.memory
      const now = linesOf(memory)
      const read = { reading: number, step: step.index, files: filesIn(step.ranges) }
      for (const line of now) {
        if (!old.includes(line)) came.set(line, { ...read, files: filesFor(line, step) ?? read.files })
      }
      for (const line of old) if (!now.includes(line)) went.set(line, read)
    }
  }
  return paired(linesOf(before), linesOf(memory)).map(([old, now]) => ({
    ...(old !== undefined && { before: old }),
    ...(now !== undefined && { after: now }),
    ...withCause(now === undefined ? went.get(old!) : came.get(now)),
  }))
}

const withCause = (cause: Cause | undefined) => (cause ? { cause } : {})

const filesIn = (ranges: readonly SourceRange[]) => [...new Set(ranges.map(({ source }) => source))]

/** The files of the passages that were found for the line. */
function filesFor(line: string, { statements = [] }: ShownStep): readonly string[] | undefined {
  const files = statements.flatMap(({ text, sources }) =>
    line.includes(printable(text).trim()) ? sources.map(({ file }) => file) : [],
  )
  return files.length > 0 ? [...new Set(files)] : undefined
}

type Pair = readonly [before: string | undefined, after: string | undefined]

/** Pairs removed lines with added ones: a line has changed if one that replaces it shares enough of its words. */
function paired(before: readonly string[], after: readonly string[]): Pair[] {
  const pairs: Pair[] = []
  let gone: string[] = []
  for (const { value, added, removed } of diffArrays([...before], [...after])) {
    if (removed) gone.push(...value)
    else if (added) {
      for (const line of value) {
        const at = gone.findIndex((old) => isLike(old, line))
        pairs.push([at < 0 ? undefined : gone.splice(at, 1)[0], line])
      }
    }
    if (added || !removed) {
      pairs.push(...gone.map((line): Pair => [line, undefined]))
      gone = []
    }
  }
  return [...pairs, ...gone.map((line): Pair => [line, undefined])]
}

/** Whether they share half the words of the shorter one. */
function isLike(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  const common = [...a].filter((word) => b.has(word)).length
  return 2 * common >= Math.min(a.size, b.size) && common > 0
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))

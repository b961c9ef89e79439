/** What a reading that goes on from the memory of others adds to its own numbers. */
import type { StateOrigin } from '../workflows/workflow.ts'
import type { Course } from './outcome.ts'
import type { ReadingWarning } from './warning-log.ts'

export interface EarlierReadings {
  /** The question that the memory is kept for; undefined for general notes. */
  readonly question?: string | undefined
  /** Chunks read, which is the ordinal of the next one. */
  readonly steps: number
  readonly bytes: number
  readonly keptMemories: number
  /** Entries of the log of old memories. */
  readonly memories: number
  readonly warnings: readonly ReadingWarning[]
}

/** Merges warnings, one entry per code, over all readings. */
export function withEarlier(
  earlier: EarlierReadings | undefined,
  warnings: readonly ReadingWarning[],
): readonly ReadingWarning[] {
  const byCode = new Map((earlier?.warnings ?? []).map((warning) => [warning.code, warning]))
  for (const warning of warnings) {
    const before = byCode.get(warning.code)
    const both = before && { ...before, lastStep: warning.lastStep, count: before.count + warning.count }
    byCode.set(warning.code, both ?? warning)
  }
  return [...byCode.values()]
}

/** The origin of a state, over all readings. @param own of this reading alone */
export function stateOrigin(
  earlier: EarlierReadings | undefined,
  question: string | undefined,
  own: Omit<StateOrigin, 'question'>,
): StateOrigin {
  if (!earlier) return { ...own, question }
  return {
    ...own,
    question: earlier.question,
    steps: earlier.steps + own.steps,
    bytes: earlier.bytes + (own.bytes ?? 0),
    memories: earlier.memories + (own.memories ?? 0),
  }
}

/** The course of all the readings. @param own of this one alone */
export const wholeCourse = (earlier: EarlierReadings | undefined, own: Course): Course => ({
  ...own,
  steps: own.steps + (earlier?.steps ?? 0),
  keptMemories: own.keptMemories + (earlier?.keptMemories ?? 0),
})

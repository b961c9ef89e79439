/** Means and paired differences of readings. A question is drawn with all its readings: three seeds are no three questions. */
import {
  type Estimate,
  estimateMean,
  groupBy,
  type Pair,
  type PairedDifference,
  pairedDifference,
} from '@memagent/bench'
import type { Reading } from './reading.ts'
import type { Evaluation } from './training-log.ts'

/** Undefined: does not apply, such as whether the memory holds an answer that is not in the text. */
export type Measure = (reading: Reading) => number | undefined

export const strict: Measure = ({ strict }) => strict
export const lenient: Measure = ({ lenient }) => lenient
export const inMemory: Measure = ({ inMemory }) => inMemory
export const wasInMemory: Measure = ({ wasInMemory }) => wasInMemory

/** The mean over the readings, those of one question drawn together. */
export const estimate = (readings: readonly Reading[], measure: Measure): Estimate =>
  estimateMean(
    [...groupBy(readings, ({ index }) => index).values()]
      .map((group) => group.map(measure).filter((value) => value !== undefined))
      .filter((values) => values.length > 0),
  )

/** Two lists of readings with one reading per question each, such as two arms of one seed. */
export type ReadingPair = readonly [first: readonly Reading[], second: readonly Reading[]]

/**
 * The readings of the questions that both were asked, in order of the second.
 * @throws Error when a question has another wording or, at one length, another document: such readings cannot be paired
 */
export function pairUp([first, second]: ReadingPair): (readonly [Reading, Reading])[] {
  const firstOf = new Map(first.map((reading) => [reading.index, reading]))
  return second.flatMap((after) => {
    const before = firstOf.get(after.index)
    if (!before) return []
    checkSameQuestion(before, after)
    return [[before, after] as const]
  })
}

/** Second minus first on the questions that both were asked, all pairs together. @throws Error of `pairUp` */
export function difference(pairs: readonly ReadingPair[], measure: Measure): PairedDifference {
  const groups = new Map<number, Pair[]>()
  for (const [before, after] of pairs.flatMap(pairUp)) {
    const [from, to] = [measure(before), measure(after)]
    if (from === undefined || to === undefined) continue
    groups.set(after.index, [...(groups.get(after.index) ?? []), [from, to]])
  }
  return pairedDifference([...groups.values()])
}

function checkSameQuestion(a: Reading, b: Reading): void {
  const isSame =
    a.question === b.question && (a.lengthTokens !== b.lengthTokens || a.documentBytes === b.documentBytes)
  if (isSame) return
  throw new Error(
    `question ${b.index} at ${b.lengthTokens} tokens differs between two records; measure all arms with the same prose and configuration`,
  )
}

/** Readings of the same seeds at two lengths; shorter minus longer, so that a loss is above 0. */
export const lossOverLength = (
  seeds: readonly (readonly Reading[])[],
  [shorter, longer]: readonly [number, number],
  measure: Measure,
): PairedDifference =>
  difference(
    seeds.map((readings) => [atLength(readings, longer), atLength(readings, shorter)]),
    measure,
  )

/** Second minus first of evaluations of the same questions; of several pairs (seeds), a question's are drawn together. */
export function evaluationDifference(
  pairs: readonly (readonly [Evaluation, Evaluation])[],
): PairedDifference {
  const groups = new Map<number, Pair[]>()
  for (const [first, second] of pairs) {
    for (const result of second.results) {
      const other = first.results.find(({ lengthTokens }) => lengthTokens === result.lengthTokens)
      result.scores.forEach((score, index) => {
        const before = other?.scores[index]
        if (before !== undefined) groups.set(index, [...(groups.get(index) ?? []), [before, score]])
      })
    }
  }
  return pairedDifference([...groups.values()])
}

/** The mean score of evaluations, with the questions of several seeds drawn together. */
export function evaluationEstimate(evaluations: readonly Evaluation[]): Estimate {
  const scores = evaluations.flatMap(({ results }) => results.flatMap(({ scores }) => [...scores.entries()]))
  const groups = groupBy(scores, ([index]) => index)
  return estimateMean([...groups.values()].map((group) => group.map(([, score]) => score)))
}

export const atLength = (readings: readonly Reading[], length: number): Reading[] =>
  readings.filter(({ lengthTokens }) => lengthTokens === length)

export const lengthsOf = (readings: Iterable<Reading>): number[] =>
  [...new Set([...readings].map(({ lengthTokens }) => lengthTokens))].sort((a, b) => a - b)

export const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

/**
 * Means and paired differences of answers. All answers to a question form one group: one question at three lengths is not
 * three questions, nor is a row of a file drawn three times.
 */
import { groupBy } from '../../group-by.ts'
import { type PairedDifference, pairedDifference } from '../../statistics/difference.ts'
import { type Estimate, estimateMean } from '../../statistics/mean.ts'
import type { Pair } from '../../statistics/newcombe.ts'
import { metricOf, type Observation } from '../observation.ts'
import { checkSameSample, drawIdOf, pairIdOf, questionIdOf } from './index-observations.ts'

/** A number from 0 to 1. Undefined if it does not apply: whether a memory holds an answer that the text does not contain. */
export type Measure = (observation: Observation) => number | undefined

/** A metric of the task, such as `strict`; a failed call has 0. */
export const metric =
  (name: string): Measure =>
  (observation) =>
    metricOf(observation, name)

export const inFinalMemory: Measure = ({ memory }) => memory?.holdsAtEnd
export const inMemoryAtSomeStep: Measure = ({ memory }) => memory?.heldAtSomeStep

/** Values grouped by question. Answers to which the measure does not apply are left out. */
export const valueGroups = (observations: readonly Observation[], measure: Measure): number[][] =>
  [...groupBy(observations, questionIdOf).values()]
    .map((group) => group.map(measure).filter((value) => value !== undefined))
    .filter((values) => values.length > 0)

/** The mean with its 95 % interval. NaN if the measure applies to no answer. */
export const estimate = (observations: readonly Observation[], measure: Measure): Estimate =>
  estimateMean(valueGroups(observations, measure))

export type ObservationPair = readonly [first: Observation, second: Observation]

/**
 * The answers to samples that both have, in order of the second. Of several answers to a sample, by runs of other seeds, those of
 * one seed are a pair, otherwise those that are left, in order.
 * @throws ConfigurationError when one sample has two questions or two documents
 */
export const pairBySample = (first: readonly Observation[], second: readonly Observation[]) =>
  pairBy(pairIdOf, first, second)

/** The same for answers to the questions that both have, such as one reader's at two lengths. */
export const pairByQuestion = (first: readonly Observation[], second: readonly Observation[]) =>
  pairBy(drawIdOf, first, second)

function pairBy(
  idOf: (observation: Observation) => string,
  first: readonly Observation[],
  second: readonly Observation[],
): ObservationPair[] {
  const left = groupBy(first, idOf)
  const ids = second.map(idOf)
  const paired: (Observation | undefined)[] = second.map(() => undefined)
  const pairIf = (fits: (before: Observation, after: Observation) => boolean) =>
    second.forEach((after, i) => {
      const answers = left.get(ids[i]!)
      const at = paired[i] === undefined ? (answers?.findIndex((before) => fits(before, after)) ?? -1) : -1
      if (at < 0) return
      const [before] = answers!.splice(at, 1)
      checkSameSample(before!, after)
      paired[i] = before
    })
  pairIf((before, after) => before.seed === after.seed)
  pairIf(() => true)
  return second.flatMap((after, i) => (paired[i] === undefined ? [] : [[paired[i], after] as const]))
}

/** Second minus first, with its 95 % interval. */
export function difference(pairs: readonly ObservationPair[], measure: Measure): PairedDifference {
  const groups = new Map<string, Pair[]>()
  for (const [before, after] of pairs) {
    const [from, to] = [measure(before), measure(after)]
    if (from === undefined || to === undefined) continue
    const id = questionIdOf(after)
    groups.set(id, [...(groups.get(id) ?? []), [from, to]])
  }
  return pairedDifference([...groups.values()])
}

export const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

/** Why answers are wrong, and how well memories hold what they have. */

import { signatures } from '../../diagnosis/signatures/registry.ts'
import { groupBy } from '../../group-by.ts'
import { type Proportion, proportion } from '../../statistics/proportion.ts'
import type { Observation } from '../observation.ts'
import type { IndexedObservation } from './index-observations.ts'
import { lengthsOf } from './lengths.ts'
import type { Series } from './series.ts'
import { isAnswerable } from './task-group.ts'

export interface FailureCount {
  readonly series: Series
  /** Whether this is of questions with an answer. */
  readonly answerable: boolean
  /** Wrong samples of the series, and all. */
  readonly wrong: number
  readonly count: number
  /** By signature: samples that it explains, and wrong samples in which it is there at all. */
  readonly labels: Readonly<Record<string, number>>
  readonly present: Readonly<Record<string, number>>
}

export function failuresOf(index: readonly IndexedObservation[], series: readonly Series[]): FailureCount[] {
  const sets = series.flatMap((one) =>
    [true, false].map((answerable) => ({
      one,
      answerable,
      set: index.filter(
        ({ seriesId, observation }) => seriesId === one.id && isAnswerable(observation) === answerable,
      ),
    })),
  )
  return sets.flatMap(({ one, answerable, set }) => {
    if (set.length === 0) return []
    const all = set.map(({ observation }) => observation.diagnosis)
    const wrong = all.filter(({ label }) => label !== undefined)
    const count = (test: (name: string, i: number) => boolean) => (name: string) =>
      [name, wrong.filter((_, i) => test(name, i)).length] as const
    const names = signatures.map(({ name }) => name)
    return [
      {
        series: one,
        answerable,
        wrong: wrong.length,
        count: all.length,
        labels: Object.fromEntries(names.map(count((name, i) => wrong[i]!.label === name))),
        present: Object.fromEntries(names.map(count((name, i) => wrong[i]!.signatures.includes(name)))),
      },
    ]
  })
}

export interface Holding {
  readonly series: Series
  /** Undefined: all lengths together. */
  readonly lengthTokens: number | undefined
  /** Share of rewrites, with the wanted fact in the memory before, that lost it. */
  readonly losses: Proportion
  /** Share of rewrites outside the evidence that dropped words kept with the fact. */
  readonly drift: Proportion
}

/** For series with a memory that ever held a wanted fact. */
export function holdingOf(index: readonly IndexedObservation[], series: readonly Series[]): Holding[] {
  return series.flatMap((one) => {
    const set = index.filter((item) => item.seriesId === one.id && item.observation.diagnosis.hasMemory)
    const lengths = lengthsOf(set)
    return [...lengths, ...(lengths.length > 1 ? [undefined] : [])].flatMap((lengthTokens) => {
      const part = set.filter((item) => [undefined, item.lengthTokens].includes(lengthTokens))
      const total = (of: (diagnosis: Observation['diagnosis']) => number) =>
        part.reduce((sum, { observation }) => sum + of(observation.diagnosis), 0)
      const held = total(({ heldRewrites }) => heldRewrites)
      if (held === 0) return []
      return [
        {
          series: one,
          lengthTokens,
          losses: proportion(
            total(({ losses }) => losses),
            held,
          ),
          drift: proportion(
            total(({ driftingRewrites }) => driftingRewrites),
            total(({ quietRewrites }) => quietRewrites),
          ),
        },
      ]
    })
  })
}

export interface WarnedAnswers {
  readonly series: Series
  readonly code: string
  /** Answers with such a warning; of all that series has with warnings recorded. */
  readonly count: number
  readonly of: number
  /** How often it came in all of them. */
  readonly times: number
  /** Of the first. */
  readonly message: string
}

export function warnedAnswersOf(
  index: readonly IndexedObservation[],
  series: readonly Series[],
): WarnedAnswers[] {
  return series.flatMap((one) => {
    const recorded = index
      .filter(({ seriesId }) => seriesId === one.id)
      .flatMap(({ observation }) => (observation.warnings === undefined ? [] : [observation.warnings]))
    return [...groupBy(recorded.flat(), ({ code }) => code)].map(([code, set]) => ({
      series: one,
      code,
      count: recorded.filter((warnings) => warnings.some((warning) => warning.code === code)).length,
      of: recorded.length,
      times: set.reduce((sum, { steps }) => sum + steps.length, 0),
      message: set[0]!.message,
    }))
  })
}

export interface FailedCalls {
  readonly series: Series
  readonly code: string
  readonly count: number
  /** Of the first such call. */
  readonly message: string
}

export function failedCallsOf(
  index: readonly IndexedObservation[],
  series: readonly Series[],
): FailedCalls[] {
  return series.flatMap((one) => {
    const errors = index
      .filter(({ seriesId }) => seriesId === one.id)
      .flatMap(({ observation }) => observation.error ?? [])
    return [...groupBy(errors, ({ code }) => code)].map(([code, set]) => ({
      series: one,
      code,
      count: set.length,
      message: set[0]!.message,
    }))
  })
}

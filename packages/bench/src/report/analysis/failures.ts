/** Why answers are wrong, and how well memories keep what they hold. */

import { signatures } from '../../diagnosis/signatures/registry.ts'
import { groupBy } from '../../group-by.ts'
import { clusteredProportion } from '../../statistics/exact-proportion.ts'
import type { Proportion } from '../../statistics/proportion.ts'
import type { Observation } from '../observation.ts'
import type { IndexedObservation } from './index-observations.ts'
import { lengthsOf } from './lengths.ts'
import { sum } from './measures.ts'
import type { Series } from './series.ts'
import { isAnswerable, type TaskGroup } from './task-group.ts'

export interface FailureCount {
  readonly series: Series
  /** Whether the questions have an answer. */
  readonly answerable: boolean
  /** Wrong samples of the series, and all samples. */
  readonly wrong: number
  readonly count: number
  /** By signature: samples labelled with it, and wrong samples that show it at all. */
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
  /** Undefined: all together. */
  readonly task: TaskGroup | undefined
  /** Undefined: all lengths together. */
  readonly lengthTokens: number | undefined
  /** Share of chunks, among those read with the wanted fact in the memory, that lost it; rare, so the interval is exact. */
  readonly losses: Proportion
  /** Share of rewrites outside the evidence that dropped words kept with the fact. */
  readonly drift: Proportion
}

/** For series whose memory ever held a wanted fact. All answers to one question, at any length, form one cluster. */
export function holdingOf(
  index: readonly IndexedObservation[],
  series: readonly Series[],
  tasks: readonly TaskGroup[],
): Holding[] {
  return series.flatMap((one) => {
    const set = index.filter((item) => item.seriesId === one.id && item.observation.diagnosis.hasMemory)
    const lengths = lengthsOf(set)
    const held = tasks.filter(({ id }) => heldIn(set.filter(({ taskId }) => taskId === id)) > 0)
    return [...held, ...(held.length > 1 ? [undefined] : [])].flatMap((task) =>
      [...lengths, ...(lengths.length > 1 ? [undefined] : [])].flatMap((lengthTokens) => {
        const part = set.filter(
          (item) =>
            (task === undefined || item.taskId === task.id) &&
            (lengthTokens === undefined || item.lengthTokens === lengthTokens),
        )
        if (heldIn(part) === 0) return []
        return [{ series: one, task, lengthTokens, ...sharesOf(part) }]
      }),
    )
  })
}

const heldIn = (part: readonly IndexedObservation[]): number =>
  sum(part, ({ observation }) => observation.diagnosis.heldRewrites)

function sharesOf(part: readonly IndexedObservation[]): Pick<Holding, 'losses' | 'drift'> {
  const questions = [...groupBy(part, ({ questionId }) => questionId).values()].map((items) =>
    items.map(({ observation }) => observation.diagnosis),
  )
  return {
    losses: clusteredProportion(
      questions.map((all) => ({
        right: sum(all, ({ losses }) => losses),
        count: sum(all, ({ heldRewrites }) => heldRewrites),
      })),
    ),
    drift: clusteredProportion(
      questions.map((all) => ({
        right: sum(all, ({ driftingRewrites }) => driftingRewrites),
        count: sum(all, ({ quietRewrites }) => quietRewrites),
      })),
    ),
  }
}

/** Answers of a series that share a failure code or a warning code. */
export interface CodeCount {
  readonly series: Series
  readonly code: string
  /** Answers that have it. */
  readonly count: number
  /** From the first answer. */
  readonly message: string
}

export interface WarnedAnswers extends CodeCount {
  /** All answers of the series whose warnings were recorded. */
  readonly of: number
  /** Occurrences in all of them. */
  readonly times: number
}

type Indexed = readonly IndexedObservation[]

export const failedCallsOf = (index: Indexed, series: readonly Series[]): CodeCount[] =>
  byCode(index, series, ({ error }) => (error ? [error] : [])).map(({ about }) => about)

export const warnedAnswersOf = (index: Indexed, series: readonly Series[]): WarnedAnswers[] =>
  byCode(index, series, ({ warnings }) => warnings).map(({ about: { message, ...about }, of, all }) => ({
    ...about,
    of,
    times: all.reduce((sum, { steps }) => sum + steps.length, 0),
    message,
  }))

/** @param told returns what was recorded about an answer, with codes; undefined if nothing was */
function byCode<Told extends { readonly code: string; readonly message: string }>(
  index: Indexed,
  series: readonly Series[],
  told: (observation: Observation) => readonly Told[] | undefined,
) {
  return series.flatMap((one) => {
    const answers = index.flatMap(({ seriesId, observation }) =>
      seriesId === one.id ? [told(observation)].filter((list) => list !== undefined) : [],
    )
    return [...groupBy(answers.flat(), ({ code }) => code)].map(([code, all]) => ({
      about: {
        series: one,
        code,
        count: answers.filter((list) => list.some((item) => item.code === code)).length,
        message: all[0]!.message,
      },
      of: answers.length,
      all,
    }))
  })
}

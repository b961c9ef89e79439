/** The effect of training on the reward on held-out questions: before and after, over its steps, and against another training. */
import { ConfigurationError } from '@memagent/core'
import { groupBy } from '../../group-by.ts'
import { type PairedDifference, pairedDifference } from '../../statistics/difference.ts'
import { type Estimate, estimateMean } from '../../statistics/mean.ts'
import type { Pair } from '../../statistics/newcombe.ts'
import { lengthsOf } from '../analysis/lengths.ts'
import { sum } from '../analysis/measures.ts'
import { type Block, columnsOf, figureOf, type TableCell, type TableRow, tableOf, warning } from '../block.ts'
import { count, percent } from '../numbers.ts'
import type { LinePlot } from '../plots/plot.ts'
import { differenceCell, estimateCell, plural } from '../sections/words.ts'
import { comparableEvaluations, type Evaluation, isSameEvaluation, type TrainingLog } from './training-log.ts'

export type TrainingLogs = ReadonlyMap<string, TrainingLog>

interface Run {
  readonly name: string
  readonly first: Evaluation
  readonly last: Evaluation
}

/** Every run separately, and all together as seeds of one training; all readings of a question form one group. */
export function evaluationTable(logs: TrainingLogs): Block[] {
  const runs = [...logs].flatMap(([name, log]): Run[] => {
    const evaluations = comparableEvaluations(log)
    return evaluations.length < 2 ? [] : [{ name, first: evaluations[0]!, last: evaluations.at(-1)! }]
  })
  if (runs.length === 0) return changedWarnings(logs)
  return [
    ...changedWarnings(logs),
    {
      type: 'table',
      caption:
        'Reward on held-out questions before training and at its end, %, the same questions each time and at every length; 95 % intervals, paired for the difference. In memory: of the questions with an answer, those whose final memory holds it',
      groupTitle: 'tokens',
      columns: columnsOf('run', [
        'steps',
        'before',
        'after',
        'difference',
        'n',
        'in memory before',
        'in memory after',
      ]),
      rows: scopesOf(runs.map(({ last }) => last)).flatMap(({ name, length }) => {
        const set = runs.map((run) => ({ ...run, first: at(run.first, length), last: at(run.last, length) }))
        const together = set.length > 1 ? [evaluationRow(name, 'together', set)] : []
        return [...set.map((run) => evaluationRow(name, run.name, [run])), ...together]
      }),
    },
  ]
}

/** For runs whose evaluation changed midway. */
const changedWarnings = (logs: TrainingLogs): Block[] =>
  [...logs].flatMap(([name, log]): Block[] => {
    const [comparable, all] = [comparableEvaluations(log).length, log.evaluations.length]
    if (comparable === all) return []
    const text = `${name}: the evaluation was changed on the way. Of its ${plural(all, 'evaluation')}, ${all - comparable} of other questions, or scored otherwise, ${all - comparable === 1 ? 'is' : 'are'} left out.`
    return [warning(text)]
  })

function evaluationRow(group: string, name: string, set: readonly Run[]): TableRow {
  const [first, last] = [set.map((run) => run.first), set.map((run) => run.last)]
  return {
    group,
    cells: [
      name,
      stepsOf(last),
      ...differenceCells(set.map((run) => [run.first, run.last])),
      percent(meanInMemory(first)),
      percent(meanInMemory(last)),
    ],
  }
}

/** One plot for each length. */
export function evaluationPlots(logs: TrainingLogs, title: string): Block[] {
  const all = [...logs].flatMap(([, log]) => comparableEvaluations(log))
  const plots = scopesOf(all).flatMap(({ name, length }): LinePlot[] => {
    if (length === undefined) return []
    const lines = [...logs].flatMap(([name, log], series) => {
      const points = comparableEvaluations(log).map((evaluation) => ({
        x: evaluation.step,
        ...estimateOf([at(evaluation, length)]),
      }))
      return points.length === 0 ? [] : [{ name, series, points }]
    })
    const titles = { title: `${title}, ${name} tokens`, yTitle: 'held-out reward, %' }
    return [{ type: 'lines', ...titles, y: 'share', x: ofSteps, lines }]
  })
  return figureOf('The reward on held-out questions over training; bands are 95 % intervals.', plots)
}

export const ofSteps = { title: 'steps of training', scale: 'linear' } as const

/** Trainings with one thing changed, paired by position in the two lists. */
export interface Change {
  readonly name: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/**
 * Compares at the last step that both were evaluated at.
 * @throws ConfigurationError if their evaluations at that step ask other questions or score them differently
 */
export function changesTable(logs: TrainingLogs, changes: readonly Change[]): Block[] {
  const rows = changes.flatMap(({ name: group, before, after }): TableRow[] => {
    const pairs = after.flatMap((name, i) => {
      const shared = lastShared(logs.get(before[i]!)!.evaluations, logs.get(name)!.evaluations)
      if (shared && !isSameEvaluation(...shared)) throw otherEvaluation(before[i]!, name, shared[1].step)
      return shared ? [{ name, pair: shared }] : []
    })
    const row = (name: string, set: typeof pairs): TableRow => ({
      group,
      cells: [name, stepsOf(set.map(({ pair }) => pair[1])), ...differenceCells(set.map(({ pair }) => pair))],
    })
    return [
      ...pairs.map((one) => row(one.name, [one])),
      ...(pairs.length > 1 ? [row('together', pairs)] : []),
    ]
  })
  return tableOf({
    caption:
      'Reward on held-out questions as it is and with one thing changed, mean over the lengths it is measured at, %, at the last step that both were evaluated at; 95 % paired intervals',
    groupTitle: 'changed',
    columns: columnsOf('run', ['step', 'as it is', 'changed', 'difference', 'n']),
    rows,
  })
}

const otherEvaluation = (before: string, after: string, step: number) =>
  new ConfigurationError({
    code: 'bench/other-evaluation',
    message: `${before} and ${after} cannot be compared at step ${step}: their evaluations ask other questions, or score them otherwise.`,
    hint: 'Evaluate both with the same task, lengths, samples, seed and reward, or leave the change out of the report.',
    details: { before, after, step },
  })

type EvaluationPair = readonly [Evaluation, Evaluation]

function lastShared(first: readonly Evaluation[], second: readonly Evaluation[]): EvaluationPair | undefined {
  const last = second.findLast(({ step }) => step > 0 && first.some((other) => other.step === step))
  return last && [first.find(({ step }) => step === last.step)!, last]
}

const stepsOf = (evaluations: readonly Evaluation[]) =>
  [...new Set(evaluations.map(({ step }) => count(step)))].join(', ')

/** Both means, their difference, and the number of pairs. */
function differenceCells(pairs: readonly EvaluationPair[]): TableCell[] {
  const change = differenceOf(pairs)
  return [
    estimateCell(estimateOf(pairs.map(([first]) => first))),
    estimateCell(estimateOf(pairs.map(([, second]) => second))),
    differenceCell(change),
    count(change.pairs),
  ]
}

/** Second minus first. */
function differenceOf(pairs: readonly EvaluationPair[]): PairedDifference {
  const groups = new Map<number, Pair[]>()
  for (const [first, second] of pairs) {
    for (const result of second.results) {
      const other = first.results.find(({ lengthTokens }) => lengthTokens === result.lengthTokens)
      result.scores.forEach((score, question) => {
        const before = other?.scores.get(question)
        if (before !== undefined) groups.set(question, [...(groups.get(question) ?? []), [before, score]])
      })
    }
  }
  return pairedDifference([...groups.values()])
}

function estimateOf(evaluations: readonly Evaluation[]): Estimate {
  const scores = evaluations.flatMap(({ results }) => results.flatMap(({ scores }) => [...scores.entries()]))
  const groups = groupBy(scores, ([question]) => question)
  return estimateMean([...groups.values()].map((group) => group.map(([, score]) => score)))
}

/** Mean over the evaluations and their lengths. NaN if none has it. */
function meanInMemory(evaluations: readonly Evaluation[]): number {
  const shares = evaluations.flatMap(({ results }) => results.flatMap(({ inMemory }) => inMemory ?? []))
  return sum(shares, (share) => share) / shares.length
}

/** Every length, and all together if there are several. */
function scopesOf(evaluations: readonly Evaluation[]): { readonly name: string; readonly length?: number }[] {
  const scopes = lengthsOf(evaluations.flatMap(({ results }) => results)).map((length) => ({
    name: count(length),
    length,
  }))
  return scopes.length > 1 ? [...scopes, { name: 'all' }] : scopes
}

const at = ({ step, results }: Evaluation, length: number | undefined): Evaluation => ({
  step,
  results: results.filter(({ lengthTokens }) => length === undefined || lengthTokens === length),
})

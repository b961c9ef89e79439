/** Section: what rewards did to the held-out evaluation, seed by seed. */
import type { Block, Line, LinePlot, TableRow } from '@memagent/bench'
import {
  differenceCell,
  heading,
  notRecorded,
  number,
  paragraph,
  percent,
  shareCell,
  stillMissing,
  whole,
} from './cells.ts'
import { evaluationDifference, evaluationEstimate } from './comparison.ts'
import { finalCreditArms, type Results, rlArms, series } from './results.ts'
import type { Evaluation } from './training-log.ts'

export const stepsAxis = { title: 'optimizer steps', scale: 'linear' } as const

export function rewards({ training }: Results): Block[] {
  const title = heading('Reinforcement learning')
  const runs = rlArms.flatMap((arm): Run[] => {
    const evaluations = training.get(arm)?.evaluations ?? []
    return evaluations.length < 2 ? [] : [{ arm, first: evaluations[0]!, last: evaluations.at(-1)! }]
  })
  if (runs.length === 0) return [title, notRecorded]
  const missing = rlArms.filter((arm) => !runs.some((run) => run.arm === arm))
  const scopes = scopesOf(runs.map(({ last }) => last))
  const inScope = ({ length }: Scope): Run[] =>
    runs.map(({ arm, first, last }) => ({ arm, first: at(first, length), last: at(last, length) }))
  return [
    title,
    ...stillMissing(missing),
    {
      type: 'table',
      caption:
        'Strict reward on held-out questions before training and at its end, %, greedy, the same questions each time and at every length; 95 % intervals, paired for the difference',
      groupTitle: 'tokens',
      columns: [
        { title: 'arm' },
        ...['steps', 'before', 'after', 'difference', 'n', 'in memory before', 'in memory after'].map(number),
      ],
      rows: scopes.flatMap((scope) => {
        const set = inScope(scope)
        const together = set.length > 1 ? [rowOf(scope, 'together', set)] : []
        return [...set.map((run) => rowOf(scope, run.arm, [run])), ...together]
      }),
    },
    paragraph(
      'In memory: the share of the answerable questions whose last memory holds the answer. The row of all seeds draws a question with all its readings.',
    ),
    paragraph(
      `Wanted were at least 10 points more in each of three seeds, with the interval above 0 and at least 256 questions. ${scopes.map((scope) => verdict(scope, inScope(scope))).join(' ')}`,
    ),
    {
      type: 'figure',
      caption: 'The held-out reward over training; bands are 95 % intervals.',
      plots: [
        ...curves('Reward to every conversation', rlArms, training),
        ...curves('Reward to the final answer alone', finalCreditArms, training),
      ],
    },
    ...stillMissing(finalCreditArms.filter((arm) => !training.has(arm))),
  ]
}

interface Run {
  readonly arm: string
  readonly first: Evaluation
  readonly last: Evaluation
}

/** One length, or all of them together. */
interface Scope {
  readonly name: string
  readonly length?: number
}

function scopesOf(evaluations: readonly Evaluation[]): Scope[] {
  const lengths = evaluations.flatMap(({ results }) => results.map(({ lengthTokens }) => lengthTokens))
  const scopes = [...new Set(lengths)]
    .sort((a, b) => a - b)
    .map((length): Scope => ({ name: whole(length), length }))
  return scopes.length > 1 ? [...scopes, { name: 'all' }] : scopes
}

const at = ({ step, results }: Evaluation, length: number | undefined): Evaluation => ({
  step,
  results: results.filter(({ lengthTokens }) => length === undefined || lengthTokens === length),
})

function rowOf({ name: group }: Scope, name: string, set: readonly Run[]): TableRow {
  const [first, last] = [set.map((run) => run.first), set.map((run) => run.last)]
  const gain = evaluationDifference(set.map((run) => [run.first, run.last]))
  return {
    group,
    cells: [
      name,
      [...new Set(last.map(({ step }) => whole(step)))].join(', '),
      shareCell(evaluationEstimate(first)),
      shareCell(evaluationEstimate(last)),
      differenceCell(gain),
      whole(gain.pairs),
      percent(inMemory(first)),
      percent(inMemory(last)),
    ],
  }
}

function verdict({ length }: Scope, runs: readonly Run[]): string {
  const said = runs.map(({ arm, first, last }) => {
    const { value, low, pairs } = evaluationDifference([[first, last]])
    return `${arm} ${value >= 0.1 && low > 0 && pairs >= 256 ? 'has them' : 'does not have them'}`
  })
  return `${length === undefined ? 'Over all lengths' : `At ${whole(length)} tokens`}: ${said.join(', ')}.`
}

/** A plot for each length. */
function curves(title: string, arms: readonly string[], training: Results['training']): LinePlot[] {
  const runs = arms.map((arm) => training.get(arm)?.evaluations ?? [])
  return scopesOf(runs.flat()).flatMap(({ name, length }): LinePlot[] => {
    if (length === undefined) return []
    const lines = arms.flatMap((arm, i): Line[] => {
      const points = runs[i]!.map((evaluation) => pointOf(at(evaluation, length)))
      return points.length === 0 ? [] : [{ name: arm, series: series.rl + i, points }]
    })
    const yTitle = 'held-out reward, %'
    return [{ type: 'lines', title: `${title}, ${name} tokens`, yTitle, y: 'share', x: stepsAxis, lines }]
  })
}

const pointOf = (evaluation: Evaluation) => ({ x: evaluation.step, ...evaluationEstimate([evaluation]) })

/** Mean over the evaluations and their lengths. */
function inMemory(evaluations: readonly Evaluation[]): number {
  const shares = evaluations.flatMap(({ results }) => results.map((result) => result.inMemory))
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** Section: what rewards did to the held-out evaluation, seed by seed. */
import type { Block, Line, LinePlot, TableCell } from '@memagent/bench'
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
  const runs = rlArms.flatMap((arm) => {
    const evaluations = training.get(arm)?.evaluations ?? []
    return evaluations.length < 2 ? [] : [{ arm, first: evaluations[0]!, last: evaluations.at(-1)! }]
  })
  if (runs.length === 0) return [title, notRecorded]
  const missing = rlArms.filter((arm) => !runs.some((run) => run.arm === arm))
  const gains = runs.map(({ first, last }) => evaluationDifference([[first, last]]))
  const isThere = gains.map(({ value, low, pairs }) => value >= 0.1 && low > 0 && pairs >= 256)
  const row = (name: string, set: readonly (typeof runs)[number][]): { cells: TableCell[] } => {
    const [first, last] = [set.map((run) => run.first), set.map((run) => run.last)]
    const gain = evaluationDifference(set.map((run) => [run.first, run.last]))
    return {
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
  return [
    title,
    ...stillMissing(missing),
    {
      type: 'table',
      caption:
        'Strict reward on held-out questions before training and at its end, %, greedy, the same questions each time; 95 % intervals, paired for the difference',
      columns: [
        { title: 'arm' },
        ...['steps', 'before', 'after', 'difference', 'n', 'in memory before', 'in memory after'].map(number),
      ],
      rows: [...runs.map((run) => row(run.arm, [run])), ...(runs.length > 1 ? [row('together', runs)] : [])],
    },
    paragraph(
      'In memory: the share of the answerable questions whose last memory holds the answer. The row of all seeds draws a question with all its readings.',
    ),
    paragraph(
      `Wanted were at least 10 points more in each of three seeds, with the interval above 0 and at least 256 questions: ${runs.map(({ arm }, i) => `${arm} ${isThere[i] ? 'has them' : 'does not have them'}`).join(', ')}.`,
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

function curves(title: string, arms: readonly string[], training: Results['training']): LinePlot[] {
  const lines = arms.flatMap((arm, i): Line[] => {
    const evaluations = training.get(arm)?.evaluations ?? []
    return evaluations.length === 0
      ? []
      : [{ name: arm, series: series.rl + i, points: evaluations.map(pointOf) }]
  })
  return lines.length === 0
    ? []
    : [{ type: 'lines', title, yTitle: 'held-out reward, %', y: 'share', x: stepsAxis, lines }]
}

const pointOf = (evaluation: Evaluation) => ({ x: evaluation.step, ...evaluationEstimate([evaluation]) })

/** Mean over the evaluations and their lengths. */
function inMemory(evaluations: readonly Evaluation[]): number {
  const shares = evaluations.flatMap(({ results }) => results.map((result) => result.inMemory))
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

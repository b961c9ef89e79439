/** Section: what the parts of the algorithm are worth. */
import type { Block, Line, TableRow } from '@memagent/bench'
import { arms as allArms } from '../arms.ts'
import {
  differenceCell,
  heading,
  notRecorded,
  number,
  paragraph,
  shareCell,
  stillMissing,
  whole,
} from './cells.ts'
import {
  atLength,
  difference,
  evaluationDifference,
  evaluationEstimate,
  inMemory,
  lengthsOf,
  type ReadingPair,
  strict,
} from './comparison.ts'
import { finalCreditArms, type Results, rlArms, series } from './results.ts'
import { stepsAxis } from './rewards.ts'
import type { Evaluation } from './training-log.ts'

interface Comparison {
  readonly name: string
  /** Pairs of arms with the same seed: the algorithm as it is, and with one thing changed. */
  readonly arms: readonly (readonly [string, string])[]
}

const comparisons: readonly Comparison[] = [
  {
    name: 'reward to the final answer alone',
    arms: rlArms.map((arm, i) => [arm, finalCreditArms[i]!]),
  },
  { name: 'mean over conversations, not tokens', arms: [['rl-1', 'rl-conversation-mean']] },
  { name: 'KL to the cold start, coefficient 0.001', arms: [['rl-1', 'rl-kl']] },
  { name: 'four updates a batch, each half as large', arms: [['rl-1', 'rl-updates']] },
  {
    name: 'four updates, the same bound above and below',
    arms: [['rl-updates', 'rl-updates-clip-same']],
  },
]

interface SharedStep {
  readonly seed: string
  readonly step: number
  readonly pair: readonly [Evaluation, Evaluation]
}

export function ablations(results: Results): Block[] {
  const title = heading('Ablations')
  const measured = comparisons.map(({ name, arms }) => ({
    name: arms.some(acrossRepair) ? `${name} †` : name,
    seeds: arms.flatMap(([full, changed]) => lastShared(results, full, changed)),
  }))
  const missing = comparisons
    .flatMap(({ arms }) => arms.map(([, changed]) => changed))
    .filter((arm) => !results.training.has(arm))
  if (measured.every(({ seeds }) => seeds.length === 0)) return [title, notRecorded]
  return [
    title,
    ...stillMissing(missing),
    {
      type: 'table',
      caption:
        'Held-out reward, mean over the lengths it is measured at, with one thing changed, and as it is, %, at the last step that both were evaluated at; the difference is what the change does, in percentage points; 95 % paired intervals',
      groupTitle: 'changed',
      columns: [{ title: 'seed' }, ...['step', 'as it is', 'changed', 'difference', 'pairs'].map(number)],
      rows: measured.flatMap(({ name, seeds }) => [
        ...seeds.map((seed) => rowOf(name, seed.seed, [seed])),
        ...(seeds.length > 1 ? [rowOf(name, 'together', seeds)] : []),
      ]),
    },
    ...(comparisons.some(({ arms }) => arms.some(acrossRepair))
      ? [
          paragraph(
            '† Compares across a repair of the task: the run as it is came before it, the changed one after, so they differ in that, too. Before, a decoy could be taken for the answer in about one document of fifty, in training and in this evaluation.',
          ),
        ]
      : []),
    ...creditCurve(results),
    ...creditOverLength(results),
  ]
}

/** One run is older than the repair of the task and the other is not. */
function acrossRepair(pair: readonly [string, string]): boolean {
  const [first, second] = pair.map(
    (name) => allArms.find((arm) => arm.name === name)?.isBeforeRepair ?? false,
  )
  return first !== second
}

/** The last step at which both were evaluated. */
function lastShared({ training }: Results, full: string, changed: string): SharedStep[] {
  const [first, second] = [full, changed].map((arm) => training.get(arm)?.evaluations ?? [])
  const last = second!.findLast(({ step }) => step > 0 && first!.some((other) => other.step === step))
  if (!last) return []
  const other = first!.find(({ step }) => step === last.step)!
  return [{ seed: /^rl-(\d+)$/.exec(full)?.[1] ?? '1', step: last.step, pair: [other, last] }]
}

function rowOf(group: string, name: string, seeds: readonly SharedStep[]): TableRow {
  const gain = evaluationDifference(seeds.map(({ pair }) => pair))
  return {
    group,
    cells: [
      name,
      [...new Set(seeds.map(({ step }) => whole(step)))].join(', '),
      shareCell(evaluationEstimate(seeds.map(({ pair }) => pair[0]))),
      shareCell(evaluationEstimate(seeds.map(({ pair }) => pair[1]))),
      differenceCell(gain),
      whole(gain.pairs),
    ],
  }
}

/** Seeds together, at the steps at which all of the recorded ones were evaluated. */
function creditCurve({ training }: Results): Block[] {
  const lines = [
    { name: 'all', arms: rlArms, look: series.rl },
    { name: 'final alone', arms: finalCreditArms, look: series.finalCredit },
  ].flatMap(({ name, arms, look }): Line[] => {
    const runs = arms.flatMap((arm) =>
      training.get(arm)?.evaluations.length ? [training.get(arm)!.evaluations] : [],
    )
    const steps = (runs[0] ?? []).map(({ step }) => step)
    const points = steps.flatMap((step) => {
      const evaluations = runs.flatMap((run) => run.find((evaluation) => evaluation.step === step) ?? [])
      return evaluations.length < runs.length ? [] : [{ x: step, ...evaluationEstimate(evaluations) }]
    })
    return points.length === 0 ? [] : [{ name, series: look, points }]
  })
  if (lines.length < 2) return []
  return [
    {
      type: 'figure',
      caption: 'Conversations that the reward is credited to; seeds together, bands are 95 % intervals.',
      plots: [
        {
          type: 'lines',
          title: 'Credit to all conversations or the final one',
          yTitle: 'held-out reward, %',
          y: 'share',
          x: stepsAxis,
          lines,
        },
      ],
    },
  ]
}

/** Final credit minus full credit of the same seed, where both were measured over length. */
function creditOverLength({ lengths }: Results): Block[] {
  const seeds = rlArms.flatMap((arm, i) => {
    const [full, final] = [lengths.get(arm), lengths.get(finalCreditArms[i]!)]
    return full && final ? [{ full, final, name: arm.replace('rl-', '') }] : []
  })
  if (seeds.length === 0) return []
  return [
    paragraph('Over length, from the same records as above:'),
    {
      type: 'table',
      caption:
        'Reward to the final answer alone, minus to every conversation, percentage points; 95 % paired intervals',
      groupTitle: 'tokens',
      columns: [{ title: 'seed' }, ...['pairs', 'right answers', 'in the final memory'].map(number)],
      rows: lengthsOf(seeds.flatMap(({ final }) => final)).flatMap((length) => {
        const sets = seeds.map(({ name, full, final }) => ({
          name,
          pairs: [[atLength(full, length), atLength(final, length)]] as ReadingPair[],
        }))
        const together = { name: 'together', pairs: sets.flatMap(({ pairs }) => pairs) }
        return [...sets, ...(sets.length > 1 ? [together] : [])].flatMap(({ name, pairs }): TableRow[] => {
          const right = difference(pairs, strict)
          const memory = difference(pairs, inMemory)
          const cells = [name, whole(right.pairs), differenceCell(right), differenceCell(memory)]
          return right.pairs === 0 ? [] : [{ group: whole(length), cells }]
        })
      }),
    },
  ]
}

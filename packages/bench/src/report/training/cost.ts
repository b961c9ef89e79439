/** The cost of training, and how rewrites changed from its first steps to its last. */

import { sum } from '../analysis/measures.ts'
import { type Block, columnsOf, type TableRow, tableOf } from '../block.ts'
import { amount, count, percent } from '../numbers.ts'
import type { TrainingLogs } from './evaluations.ts'
import { comparableEvaluations, type RewardedStep, type TrainingLog } from './training-log.ts'

/** Sizes that logs do not contain. */
export interface TrainingSize {
  readonly parameters: number
  /** Groups of rollouts that a step learns from; more may be drawn. */
  readonly groups: number
  /** Optimizer updates on one batch, by run. @default 1 */
  readonly updates?: Readonly<Record<string, number>> | undefined
}

export function costTables(logs: TrainingLogs, size: TrainingSize): Block[] {
  const rewarded = [...logs].filter(([, log]) => log.rewarded.length > 0)
  const supervised = [...logs].filter(([, log]) => log.supervised.length > 0)
  return [
    ...table(
      'A step of reinforcement learning, means over the run',
      [
        'steps',
        'tokens',
        'of them sampled',
        'seconds',
        'tokens/s',
        'generation, %',
        'reference, %',
        'forward and backward, %',
        'optimizer, %',
        'rest, %',
        'GFLOP',
        'TFLOP in all',
        'hours in all',
        'million tokens trained on',
        'million tokens drawn',
        'documents drawn',
      ],
      rewarded.map(([name, log]) => rewardedRow(name, log.rewarded, size)),
    ),
    ...table(
      'A step of supervised training, means over the run',
      [
        'steps',
        'tokens',
        'seconds',
        'tokens/s',
        'GFLOP',
        'TFLOP in all',
        'hours in all',
        'million tokens computed',
        'million tokens of conversations',
        'of them targets',
      ],
      supervised.map(([name, log]) => supervisedRow(name, log.supervised, size)),
    ),
    {
      type: 'paragraph',
      text: `Tokens are those of whole conversations, prompts and responses. Trained on: tokens of conversations with an advantage (in older logs, of all groups that a step learns from). Drawn: tokens of all groups, also of those that dynamic sampling replaced because they carried no signal (in older logs, of the groups learned from, times all groups over those). What conversations share is computed once and counted for each. FLOPs are counted, not measured: ${count(size.parameters)} parameters, times 6 for each token trained on, 2 for each token drawn, 2 for each token that a reference scores and 2 for each token of a batch's later updates, whose log-probabilities are computed again; attention is left out. Seconds exclude evaluation.`,
    },
  ]
}

const table = (caption: string, titles: readonly string[], rows: readonly TableRow[]): Block[] =>
  tableOf({ caption, columns: columnsOf('run', titles), rows })

const tokensOf = ({ promptTokens, sampledTokens }: RewardedStep) => promptTokens + sampledTokens

const creditedTokensOf = ({ promptTokensCredited, sampledTokensCredited, ...step }: RewardedStep) =>
  promptTokensCredited === undefined || sampledTokensCredited === undefined
    ? tokensOf(step)
    : promptTokensCredited + sampledTokensCredited

/** In older logs, groups that the step did not learn from are as long as the others. */
const drawnTokensOf = ({ promptTokensDrawn, sampledTokensDrawn, ...step }: RewardedStep, groups: number) =>
  promptTokensDrawn === undefined || sampledTokensDrawn === undefined
    ? tokensOf(step) * Math.max(1, step.groupsDrawn / groups)
    : promptTokensDrawn + sampledTokensDrawn

function rewardedRow(
  name: string,
  steps: readonly RewardedStep[],
  { parameters, groups, updates = {} }: TrainingSize,
): TableRow {
  const tokens = sum(steps, tokensOf)
  const seconds = sum(steps, (step) => step.seconds.total)
  const phases = (['generation', 'reference', 'forwardBackward', 'optimStep'] as const).map(
    (phase) =>
      sum(steps, (step) => step.seconds[phase] + (phase === 'forwardBackward' ? step.seconds.forward : 0)) /
      seconds,
  )
  const scoring = (hasReference(steps) ? 2 : 0) + 2 * (1 - 1 / (updates[name] ?? 1))
  const drawn = sum(steps, (step) => drawnTokensOf(step, groups))
  const trained = sum(steps, creditedTokensOf)
  const flops = parameters * (6 * trained + scoring * tokens + 2 * drawn)
  return {
    cells: [
      name,
      count(steps.length),
      count(tokens / steps.length),
      count(sum(steps, ({ sampledTokens }) => sampledTokens) / steps.length),
      amount(seconds / steps.length),
      count(tokens / seconds),
      ...phases.map(percent),
      percent(1 - sum(phases, (share) => share)),
      count(flops / steps.length / 1e9),
      count(flops / 1e12),
      (seconds / 3600).toFixed(1),
      amount(trained / 1e6),
      amount(drawn / 1e6),
      count(sum(steps, ({ groupsDrawn }) => groupsDrawn)),
    ],
  }
}

const hasReference = (steps: readonly RewardedStep[]) => steps.some(({ kl = 0 }) => kl > 0)

function supervisedRow(
  name: string,
  steps: TrainingLog['supervised'],
  { parameters }: TrainingSize,
): TableRow {
  const tokens = sum(steps, (step) => step.tokensPerSecond * step.seconds)
  const seconds = sum(steps, (step) => step.seconds)
  return {
    cells: [
      name,
      count(steps.length),
      count(tokens / steps.length),
      amount(seconds / steps.length),
      count(tokens / seconds),
      count((6 * parameters * tokens) / steps.length / 1e9),
      count((6 * parameters * tokens) / 1e12),
      (seconds / 3600).toFixed(1),
      ...[
        tokens,
        sum(steps, (step) => step.conversationTokens ?? Number.NaN),
        sum(steps, (step) => step.targetTokens ?? Number.NaN),
      ].map((total) => (Number.isNaN(total) ? '–' : amount(total / 1e6))),
    ],
  }
}

/** Steps at each end of training that are averaged. */
const edge = 20

export const rewriteTrendTable = (logs: TrainingLogs): Block[] =>
  table(
    `Means of the first and the last ${edge} steps of training; unusable rewrites from the first and the last evaluation. Entropy and KL are per token of the responses; KL is measured only where it is part of the loss`,
    [
      'tokens of a rewrite',
      'cut off at the limit, %',
      'unusable, previous memory kept, %',
      'entropy',
      'KL to the start',
    ],
    [...logs].flatMap(([name, log]) => (log.rewarded.length === 0 ? [] : [trendRow(name, log)])),
  )

function trendRow(name: string, log: TrainingLog): TableRow {
  const { rewarded } = log
  const evaluations = comparableEvaluations(log)
  const ends = [rewarded.slice(0, edge), rewarded.slice(-edge)]
  const shown = (of: (step: RewardedStep) => number | undefined, show: (value: number) => string) =>
    ends
      .map((steps) => steps.flatMap((step) => of(step) ?? []))
      .map((values) => show(sum(values, (value) => value) / values.length))
      .join(' → ')
  const kept = [evaluations[0], evaluations.at(-1)].map((evaluation) => {
    const results = evaluation?.results ?? []
    return percent(sum(results, ({ keptMemories }) => keptMemories) / sum(results, ({ updates }) => updates))
  })
  return {
    cells: [
      name,
      shown(({ memoryTokens }) => memoryTokens, amount),
      shown(({ memoriesCut }) => memoriesCut, percent),
      kept.join(' → '),
      shown(({ entropy }) => entropy, amount),
      hasReference(rewarded) ? shown(({ kl }) => kl, amount) : '–',
    ],
  }
}

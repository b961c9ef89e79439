/** Section: what training cost. */
import type { Block, TableRow } from '@memagent/bench'
import { arms } from '../arms.ts'
import { amount, heading, notRecorded, number, paragraph, percent, stillMissing, whole } from './cells.ts'
import { sum } from './comparison.ts'
import type { Results } from './results.ts'
import type { TrainingLog } from './training-log.ts'

/** What the logs do not hold, from the configurations. */
export interface ReaderSize {
  readonly parameters: number
  /** Groups of rollouts that a step learns from; more may be drawn. */
  readonly groups: number
}

export function cost({ training }: Results, size: ReaderSize): Block[] {
  const title = heading('Cost')
  if (training.size === 0) return [title, notRecorded]
  const logs = [...training]
  const reinforced = logs.filter(([, { steps }]) => steps.length > 0)
  const supervised = logs.filter(([, { lessons }]) => lessons.length > 0)
  return [
    title,
    ...stillMissing(arms.map(({ name }) => name).filter((name) => !training.has(name))),
    ...(reinforced.length === 0
      ? []
      : [
          {
            type: 'table' as const,
            caption: 'A step of reinforcement learning, means over the run',
            columns: [
              { title: 'arm' },
              ...[
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
              ].map(number),
            ],
            rows: reinforced.map(([name, log]) => reinforcedRow(name, log, size)),
          },
        ]),
    ...(supervised.length === 0
      ? []
      : [
          {
            type: 'table' as const,
            caption: 'A step of supervised training, means over the run',
            columns: [
              { title: 'arm' },
              ...[
                'steps',
                'tokens',
                'seconds',
                'tokens/s',
                'GFLOP',
                'TFLOP in all',
                'hours in all',
                'million tokens computed',
              ].map(number),
            ],
            rows: supervised.map(([name, log]) => supervisedRow(name, log, size)),
          },
        ]),
    paragraph(
      `Tokens are those of all conversations, prompts and responses: of the groups a step learns from, and of all groups drawn, which dynamic sampling replaces where they carry no signal. (Drawn tokens are reckoned from the groups drawn; where a log counted them the two agree within 1 %.) What conversations share the engine computes once; here it is counted for each. Lessons are counted as computed: 4,480 tokens a step stand for about 8,100 of conversations. FLOPs are counted, not measured: ${whole(size.parameters)} parameters, times 6 for each token trained on, 2 for each token drawn, 2 for each token that the reference scores and 2 for each token of a batch's later updates, whose log-probabilities are computed anew; attention is left out. Several updates a batch take longer than the FLOPs suggest, because conversations that share a beginning land in different updates. Seconds exclude evaluation and were taken on a machine that did other work, too. Time spent outside the runtime's calls is not in these logs; npm run bench:rl measures it.`,
    ),
  ]
}

function reinforcedRow(name: string, { steps }: TrainingLog, { parameters, groups }: ReaderSize): TableRow {
  const tokens = sum(steps, ({ promptTokens, sampledTokens }) => promptTokens + sampledTokens)
  const seconds = sum(steps, (step) => step.seconds.total)
  const phases = (['generation', 'reference', 'forwardBackward', 'optimStep'] as const).map(
    (phase) =>
      sum(steps, (step) => step.seconds[phase] + (phase === 'forwardBackward' ? step.seconds.forward : 0)) /
      seconds,
  )
  const { settings = [] } = arms.find((arm) => arm.name === name) ?? {}
  const hasReference = settings.includes('loss.klCoefficient=0.001')
  const updates = Number(settings.find((setting) => setting.startsWith('updates='))?.split('=')[1] ?? 1)
  const scoring = (hasReference ? 2 : 0) + 2 * (1 - 1 / updates)
  // Older logs count the tokens of the groups that were learned from alone.
  const drawn = sum(
    steps,
    ({ promptTokens, sampledTokens, groupsDrawn }) =>
      (promptTokens + sampledTokens) * Math.max(1, groupsDrawn / groups),
  )
  const flops = parameters * ((6 + scoring) * tokens + 2 * drawn)
  return {
    cells: [
      name,
      whole(steps.length),
      whole(tokens / steps.length),
      whole(sum(steps, ({ sampledTokens }) => sampledTokens) / steps.length),
      amount(seconds / steps.length),
      whole(tokens / seconds),
      ...phases.map(percent),
      percent(1 - sum(phases, (share) => share)),
      whole(flops / steps.length / 1e9),
      whole(flops / 1e12),
      (seconds / 3600).toFixed(1),
      amount(tokens / 1e6),
      amount(drawn / 1e6),
    ],
  }
}

function supervisedRow(name: string, { lessons }: TrainingLog, { parameters }: ReaderSize): TableRow {
  const tokens = sum(lessons, (lesson) => lesson.tokensPerSecond * lesson.seconds)
  const seconds = sum(lessons, (lesson) => lesson.seconds)
  return {
    cells: [
      name,
      whole(lessons.length),
      whole(tokens / lessons.length),
      amount(seconds / lessons.length),
      whole(tokens / seconds),
      whole((6 * parameters * tokens) / lessons.length / 1e9),
      whole((6 * parameters * tokens) / 1e12),
      (seconds / 3600).toFixed(1),
      amount(tokens / 1e6),
    ],
  }
}

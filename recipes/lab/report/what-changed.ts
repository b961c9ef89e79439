/** Section: how the memory is written before and after rewards. */
import type { Block, TableRow } from '@memagent/bench'
import { amount, heading, notRecorded, number, paragraph, percent, whole } from './cells.ts'
import { atLength, sum } from './comparison.ts'
import { contenders, readingsOf } from './contenders.ts'
import { examples } from './examples.ts'
import type { Reading } from './reading.ts'
import { finalCreditArms, type Results, rlArms } from './results.ts'
import type { TrainingLog } from './training-log.ts'
import { wrongAnswers } from './wrong-answers.ts'

export function whatChanged(results: Results): Block[] {
  const blocks = [
    ...overLength(results),
    ...overTraining(results),
    ...wrongAnswers(results),
    ...examples(results),
  ]
  return [heading('What rewards changed'), ...(blocks.length > 0 ? blocks : [notRecorded])]
}

function overLength(results: Results): Block[] {
  const all = contenders(results)
  if (!all) return []
  const row = (name: string, length: number, readings: readonly Reading[]): TableRow => {
    const rewrites = sum(readings, (reading) => reading.rewrites)
    return {
      group: whole(length),
      cells: [
        name,
        whole(rewrites),
        amount((100 * sum(readings, ({ changes }) => changes)) / rewrites),
        amount(
          (100 * sum(readings, ({ heldChanges }) => heldChanges)) / sum(readings, (one) => one.heldRewrites),
        ),
        amount(sum(readings, (reading) => reading.memoryTokens * reading.rewrites) / rewrites),
      ],
    }
  }
  return [
    {
      type: 'table',
      caption: 'How the memory is rewritten',
      groupTitle: 'tokens',
      columns: [
        { title: 'arm' },
        ...[
          'rewrites',
          'changed the memory, %',
          'changed it with the answer in it, %',
          'memory, mean tokens',
        ].map(number),
      ],
      rows: all.lengths.flatMap((length) =>
        [all.cold, all.noRl, all.rl].flatMap((contender) => {
          const readings = contender ? atLength(readingsOf(contender), length) : []
          return readings.length === 0 ? [] : [row(contender!.name, length, readings)]
        }),
      ),
    },
  ]
}

/** Steps at each end of training that are averaged. */
const edge = 20

function overTraining({ training }: Results): Block[] {
  const rows = [...rlArms, ...finalCreditArms].flatMap((arm): TableRow[] => {
    const log = training.get(arm)
    if (!log || log.steps.length === 0) return []
    const ends = [log.steps.slice(0, edge), log.steps.slice(-edge)]
    const shown = (
      of: (step: TrainingLog['steps'][number]) => number | undefined,
      show: (value: number) => string,
    ) =>
      ends
        .map((steps) => steps.flatMap((step) => of(step) ?? []))
        .map((values) => show(sum(values, (value) => value) / values.length))
        .join(' → ')
    const kept = [log.evaluations[0], log.evaluations.at(-1)].map((evaluation) => {
      const results = evaluation?.results ?? []
      return percent(
        sum(results, ({ keptMemories }) => keptMemories) / sum(results, ({ updates }) => updates),
      )
    })
    return [
      {
        cells: [
          arm,
          shown(({ memoryTokens }) => memoryTokens, amount),
          shown(({ memoriesCut }) => memoriesCut, percent),
          kept.join(' → '),
          shown(({ entropy }) => entropy, amount),
          // Without a KL term nothing is read for it.
          log.steps.some(({ kl = 0 }) => kl > 0) ? shown(({ kl }) => kl, amount) : '–',
        ],
      },
    ]
  })
  if (rows.length === 0) return []
  return [
    {
      type: 'table',
      caption: `Means of the first and the last ${edge} steps of training; unusable rewrites from the first and the last evaluation`,
      columns: [
        { title: 'arm' },
        ...[
          'tokens of a rewrite',
          'cut off at the limit, %',
          'unusable, previous memory kept, %',
          'entropy',
          'KL to the start',
        ].map(number),
      ],
      rows,
    },
    paragraph(
      'Entropy and KL are per token of the responses; KL is measured only where it is part of the loss.',
    ),
  ]
}

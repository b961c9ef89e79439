/** Accuracy, whether memories hold the answer, and differences between readers on the same samples. */
import {
  difference,
  estimate,
  inFinalMemory,
  inMemoryAtSomeStep,
  type Measure,
  metric,
  pairByQuestion,
  pairBySample,
} from '../analysis/measures.ts'
import { isComparable } from '../analysis/series.ts'
import { type Block, columnsOf, type TableRow, tableOf } from '../block.ts'
import { count, percent } from '../numbers.ts'
import type { LinePlot } from '../plots/plot.ts'
import { differenceCell, estimateCell } from '../sections/words.ts'
import { atLength, type Comparison, type Reader } from './comparison.ts'

const [strict, lenient] = [metric('strict'), metric('lenient')]

/** Accuracy over length. @param among distinguishes the plots of one page */
export function accuracyPlots(comparison: Comparison, among = ''): Block[] {
  const plot = (title: string, measure: Measure): LinePlot => ({
    type: 'lines',
    title: `${title}${among && `, ${among}`}`,
    yTitle: '%',
    y: 'share',
    lines: comparison.readers.flatMap((reader) => {
      const points = comparison.lengths
        .map((length) => ({ x: length, ...estimate(atLength(length).observations(reader), measure) }))
        .filter((point) => point.count > 0)
      return points.length === 0 ? [] : [{ name: reader.name, series: reader.style, points }]
    }),
  })
  const plots = [
    plot('Right answers', strict),
    plot('The final memory holds the answer', inFinalMemory),
  ].filter(({ lines }) => lines.length > 0)
  return [{ type: 'figure', caption: 'Bands are 95 % intervals.', plots }]
}

export function accuracyTable({ readers, groups, groupTitle }: Comparison): Block[] {
  const hasMemory = keepMemories(readers)
  const hasSilence = readers.some(({ observations }) =>
    observations.some(({ references }) => references.length === 0),
  )
  return tableOf({
    caption: `Right answers${hasMemory ? ', and whether the memory holds the answer' : ''}, %; 95 % intervals. A failed reading is a wrong answer.${hasSilence ? ' Where the text has no answer, saying so is right.' : ''}${hasMemory ? ' Memory columns are over the questions that have an answer in the text.' : ''}`,
    groupTitle,
    columns: columnsOf('reader', [
      'n',
      'strict',
      'lenient',
      ...(hasMemory ? ['in the final memory', 'in the memory at some step'] : []),
      'failed',
    ]),
    rows: groups.flatMap((group) =>
      readers.flatMap((reader): TableRow[] => {
        const set = group.observations(reader)
        if (set.length === 0) return []
        const rights = estimate(set, strict)
        return [
          {
            group: group.name,
            cells: [
              reader.name,
              count(rights.count),
              estimateCell(rights),
              percent(estimate(set, lenient).value),
              ...(hasMemory
                ? [
                    estimateCell(estimate(set, inFinalMemory)),
                    percent(estimate(set, inMemoryAtSomeStep).value),
                  ]
                : []),
              count(set.filter((one) => one.error && strict(one) !== undefined).length),
            ],
          },
        ]
      }),
    ),
  })
}

const keepMemories = (readers: readonly Reader[]) =>
  readers.some(({ observations }) => observations.some(({ memory }) => memory !== undefined))

/** The first reader minus each of the others. */
export function differenceTable({ readers, groups, groupTitle }: Comparison): Block[] {
  const [reader, ...others] = readers.filter(isComparable)
  const measures = differenceMeasures(readers)
  const rows = groups.flatMap((group) =>
    others.flatMap((other): TableRow[] => {
      const pairs = pairBySample(group.observations(other), group.observations(reader!))
      if (pairs.length === 0) return []
      const [right, ...memories] = measures.map(({ of }) => difference(pairs, of))
      const cells = [right!, ...memories].map((one) => differenceCell(one))
      return [{ group: group.name, cells: [other.name, count(right!.pairs), ...cells] }]
    }),
  )
  return tableOf({
    caption: `${reader!.name}, minus the other reader on the same samples, percentage points; 95 % paired intervals`,
    groupTitle,
    columns: columnsOf('minus', ['pairs', ...measures.map(({ title }) => title)]),
    rows,
  })
}

const differenceMeasures = (readers: readonly Reader[]) => [
  { title: 'right answers', of: strict },
  ...(keepMemories(readers) ? [{ title: 'in the final memory', of: inFinalMemory }] : []),
]

/** Every reader at the shortest length minus itself at each longer length. */
export function lossTable({ readers, lengths: [shortest, ...longer] }: Comparison): Block[] {
  const measures = differenceMeasures(readers)
  const rows = readers.flatMap((reader) =>
    longer.flatMap((length): TableRow[] => {
      const pairs = pairByQuestion(
        atLength(length).observations(reader),
        atLength(shortest!).observations(reader),
      )
      const right = difference(pairs, strict)
      if (right.pairs === 0) return []
      const cells = measures.map(({ of }) => differenceCell(difference(pairs, of)))
      return [{ group: reader.name, cells: [count(length), count(right.pairs), ...cells] }]
    }),
  )
  return tableOf({
    caption: `Points lost from ${count(shortest)} tokens to each length, on the questions asked at both; below 0 is a gain; 95 % paired intervals`,
    groupTitle: 'reader',
    columns: columnsOf('tokens', ['questions', ...measures.map(({ title }) => title)]),
    rows,
  })
}

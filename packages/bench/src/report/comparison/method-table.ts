/** Tasks down, methods across, for one length of documents: the shortest that says what was measured. */

import { estimate, metric } from '../analysis/measures.ts'
import { isComparable } from '../analysis/series.ts'
import type { Block, TableCell, TableRow } from '../block.ts'
import { count } from '../numbers.ts'
import type { Observation } from '../observation.ts'
import { estimateCell } from '../sections/words.ts'
import { columnsOf } from './comparison.ts'

/** @param methods names of the columns by method, or by `READER, METHOD` where records have names, in their order */
export function methodTable(
  observations: readonly Observation[],
  lengthTokens: number,
  methods: Readonly<Record<string, string>>,
): Block[] {
  const asked = observations.filter((one) => one.lengthTokens === lengthTokens)
  // Not every method is asked at every length.
  const shown = Object.entries(methods).filter(([name]) => asked.some((one) => nameOf(one) === name))
  const row = (name: string, training: string, set: readonly Observation[]): TableRow => {
    const columns = shown.map(([name]) => set.filter((one) => nameOf(one) === name))
    const counts = [...new Set(columns.map(({ length }) => length))]
    return { cells: [name, counts.join(' or '), ...columns.map(cellOf), training] }
  }
  const isAnswerable = ({ references }: Observation) => references.length > 0
  // In one order at every length.
  const tasks = [...new Set(observations.map(({ task }) => task))].filter((task) =>
    asked.some((one) => one.task === task),
  )
  const without = asked.filter((one) => !isAnswerable(one))
  return [
    {
      type: 'table',
      caption: `Strict accuracy over documents of ${count(lengthTokens)} tokens that have an answer, %, with 95 % intervals`,
      columns: [...columnsOf('task', ['n', ...shown.map(([, title]) => title)]), { title: 'training' }],
      rows: [
        ...tasks.map((task) => {
          const own = asked.filter((one) => one.task === task && isAnswerable(one))
          const seen = own[0]?.seenInTraining
          return row(task, seen === undefined ? '' : seen ? 'seen' : 'unseen', own)
        }),
        ...(without.length === 0 ? [] : [row('no answer in the text: says so', '', without)]),
      ],
    },
  ]
}

const nameOf = ({ reader, method }: Observation) => (reader === undefined ? method : `${reader}, ${method}`)

function cellOf(set: readonly Observation[]): TableCell {
  const cell = estimateCell(estimate(set, metric('strict')))
  if (typeof cell === 'string' || set.every(isComparable)) return cell
  return { ...cell, notes: [...cell.notes, 'not trained'] }
}

/** Tasks down, methods across, for one document length: the most compact table of what was measured. */
import { ConfigurationError } from '@memagent/core'
import { groupBy } from '../../group-by.ts'
import { estimate, metric } from '../analysis/measures.ts'
import { findSeries, isComparable, type Series, seriesId } from '../analysis/series.ts'
import { isAnswerable, titleOf, wholeTaskId } from '../analysis/task-group.ts'
import { type Block, columnsOf, type TableCell, type TableRow, tableOf } from '../block.ts'
import { count } from '../numbers.ts'
import type { Observation } from '../observation.ts'
import { estimateCell } from '../sections/words.ts'

/**
 * @param methods column titles by method, or by `READER, METHOD` if records are named, in order; by series name if that is
 * ambiguous
 * @throws ConfigurationError for an ambiguous name
 */
export function methodTable(
  observations: readonly Observation[],
  lengthTokens: number,
  methods: Readonly<Record<string, string>>,
): Block[] {
  const asked = observations.filter((one) => one.lengthTokens === lengthTokens)
  // Not every method is asked at every length.
  const askedIds = new Set(asked.map(seriesId))
  const recorded = findSeries(observations).filter(({ id }) => askedIds.has(id))
  const shown = Object.entries(methods).flatMap(([name, title]) =>
    meantBy(name, recorded).map(({ id }) => ({ id, title })),
  )
  const row = (name: string, training: string, set: readonly Observation[]): TableRow => {
    const answers = groupBy(set, seriesId)
    const columns = shown.map(({ id }) => answers.get(id) ?? [])
    const counts = [...new Set(columns.map(({ length }) => length))]
    return { cells: [name, counts.join(' or '), ...columns.map(cellOf), training] }
  }
  // The same order at every length.
  const askedTasks = new Set(asked.map(wholeTaskId))
  const tasks = [...groupBy(observations, wholeTaskId)].filter(([id]) => askedTasks.has(id))
  const nameOf = (id: string, { task }: Observation) =>
    tasks.some(([other, [one]]) => other !== id && one!.task === task) ? titleOf(id, observations) : task
  const without = asked.filter((one) => !isAnswerable(one))
  return tableOf({
    caption: `Strict accuracy over documents of ${count(lengthTokens)} tokens that have an answer, %, with 95 % intervals`,
    columns: [...columnsOf('task', ['n', ...shown.map(({ title }) => title)]), { title: 'training' }],
    rows: [
      ...tasks.map(([id, [any]]) => {
        const own = asked.filter((one) => wholeTaskId(one) === id && isAnswerable(one))
        const seen = own[0]?.seenInTraining
        return row(nameOf(id, any!), seen === undefined ? '' : seen ? 'seen' : 'unseen', own)
      }),
      ...(without.length === 0 ? [] : [row('no answer in the text: says so', '', without)]),
    ],
  })
}

/** At most one: a column that mixed two models or settings would be a method nobody measured. */
function meantBy(name: string, recorded: readonly Series[]): readonly Series[] {
  const nameOf = ({ reader, method }: Series) => (reader === undefined ? method : `${reader}, ${method}`)
  const exact = recorded.filter((one) => one.name === name)
  const meant = exact.length > 0 ? exact : recorded.filter((one) => nameOf(one) === name)
  if (meant.length <= 1) return meant
  throw new ConfigurationError({
    code: 'bench/ambiguous-method',
    message: `${JSON.stringify(name)} names ${meant.length} columns of the table of methods.`,
    hint: `Name one of them: ${meant.map((one) => JSON.stringify(one.name)).join(', ')}.`,
    details: { name, series: meant.map((one) => one.name) },
  })
}

function cellOf(set: readonly Observation[]): TableCell {
  const cell = estimateCell(estimate(set, metric('strict')))
  if (typeof cell === 'string' || set.every(isComparable)) return cell
  return { ...cell, notes: [...cell.notes, 'not trained'] }
}

/** How often rewrites lose the answer, and how often they change the memory. */

import { sum } from '../analysis/measures.ts'
import { type Block, columnsOf, type TableRow, tableOf } from '../block.ts'
import { amount, count } from '../numbers.ts'
import type { Observation } from '../observation.ts'
import { holdingCells, rateCell } from '../sections/words.ts'
import type { Comparison } from './comparison.ts'

/** How often reading a chunk loses the answer, whatever the workflow. Several wanted answers each count. */
export function hazardTable({ holding }: Comparison): Block[] {
  const hasTasks = new Set(holding.map(({ task }) => task?.id)).size > 1
  const rows = holding.map((one, i): TableRow => {
    const cells = [...holdingCells(one, holding[i - 1]), rateCell(one.losses, 1e6)]
    return { group: one.series.name, cells: hasTasks ? cells : cells.slice(1) }
  })
  return tableOf({
    caption:
      'How often reading a chunk loses the answer: the chunks read with it in the memory, and those after which it was gone. Exact 95 % intervals (Clopper and Pearson); chunks of one question depend on each other, so they count as the number of independent chunks that would vary as much (Korn and Graubard). If several answers are wanted, a chunk counts once for each, so such tasks outweigh others in “all”; compare readers on the same tasks and lengths',
    groupTitle: 'reader',
    columns: columnsOf(hasTasks ? ['task', 'tokens'] : 'tokens', [
      ...['chunks read with the answer in the memory', 'lost it', 'lost per million'],
    ]),
    rows,
  })
}

export function rewriteTable({ readers, groups, groupTitle }: Comparison): Block[] {
  const rows = groups.flatMap((group) =>
    readers.flatMap((reader): TableRow[] => {
      const set = group.observations(reader).filter(({ memory }) => memory !== undefined)
      if (set.length === 0) return []
      return [{ group: group.name, cells: [reader.name, ...rewriteCells(set)] }]
    }),
  )
  return tableOf({
    caption: 'How the memory is rewritten',
    groupTitle,
    columns: columnsOf('reader', [
      'rewrites',
      'changed the memory, %',
      'changed it with the answer in it, %',
      'memory, mean tokens',
    ]),
    rows,
  })
}

function rewriteCells(set: readonly Observation[]): string[] {
  const rewrites = sum(set, ({ memory }) => memory!.rewrites)
  const held = sum(set, ({ memory }) => memory!.heldRewrites)
  return [
    count(rewrites),
    amount((100 * sum(set, ({ memory }) => memory!.changes)) / rewrites),
    amount((100 * sum(set, ({ memory }) => memory!.heldChanges)) / held),
    amount(sum(set, ({ memory }) => memory!.meanTokens * memory!.rewrites) / rewrites),
  ]
}

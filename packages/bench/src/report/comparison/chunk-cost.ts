/** The cost of reading a chunk: tokens written, and seconds. */

import { secondsPerMillion } from '../analysis/cells.ts'
import { sum } from '../analysis/measures.ts'
import { type Block, columnsOf, type TableRow, tableOf } from '../block.ts'
import { amount, count } from '../numbers.ts'
import type { Observation } from '../observation.ts'
import type { Comparison, SampleGroup } from './comparison.ts'

export function chunkCostTable({ readers, groups, groupTitle }: Comparison): Block[] {
  const all: SampleGroup = { name: 'all', observations: ({ observations }) => observations }
  const rows = [...groups, ...(groups.length > 1 ? [all] : [])].flatMap((group) => {
    const costs = readers.map((reader) => costOf(group.observations(reader)))
    const [first] = costs
    return readers.flatMap((reader, i): TableRow[] => {
      const { chunks, written, calls, seconds } = costs[i]!
      if (chunks === 0) return []
      const numbers = [written, written / first!.written, calls, seconds]
      return [{ group: group.name, cells: [reader.name, count(chunks), ...numbers.map(amount)] }]
    })
  })
  return tableOf({
    caption: `What a chunk costs, final answers included and failed readings left out. Seconds depend on the machine, and on how many texts were read at a time`,
    groupTitle,
    columns: columnsOf('reader', [
      'chunks read',
      'output tokens a chunk',
      `times those of ${readers[0]!.name}`,
      'calls a chunk',
      'seconds for a million tokens of text',
    ]),
    rows,
  })
}

function costOf(all: readonly Observation[]) {
  const set = all.filter(({ error, steps }) => error === undefined && steps > 0)
  const chunks = sum(set, ({ steps }) => steps)
  return {
    chunks,
    written: sum(set, ({ usage }) => usage.completionTokens) / chunks,
    calls: sum(set, ({ usage }) => usage.calls) / chunks,
    seconds: secondsPerMillion(set),
  }
}

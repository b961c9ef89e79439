/** The same question, read by the cold start and after rewards: the memories side by side. */
import { type Block, plainText, type TableRow } from '@memagent/bench'
import { paragraph, whole } from './cells.ts'
import { atLength, pairUp } from './comparison.ts'
import { contenders } from './contenders.ts'
import type { Reading } from './reading.ts'
import { type Results, rlArms } from './results.ts'

const shownRows = 12

/** Picked by rule, so that they are not the ones that look best: the first question of each kind, in order of the questions. */
const kinds = [
  { name: 'right only after rewards', isOne: (cold: Reading, rl: Reading) => rl.strict > cold.strict },
  { name: 'right only before', isOne: (cold: Reading, rl: Reading) => rl.strict < cold.strict },
  { name: 'wrong before and after', isOne: (cold: Reading, rl: Reading) => rl.strict + cold.strict === 0 },
]

/** Nothing unless the cold start and a reader of the first arm are both recorded. */
export function examples(results: Results): Block[] {
  const arm = rlArms.find((name) => results.lengths.has(name))
  const [cold, rl] = [results.lengths.get('cold'), results.lengths.get(arm ?? '')]
  if (!arm || !cold || !rl) return []
  const length = contenders(results)!.shortest
  const pairs = pairUp([atLength(cold, length), atLength(rl, length)]).filter(
    ([before, after]) => before.references.length > 0 && before.memories.length + after.memories.length > 0,
  )
  const shown = kinds.flatMap(({ name, isOne }) => {
    const pair = pairs.find(([before, after]) => isOne(before, after))
    return pair ? [{ name, pair }] : []
  })
  if (shown.length === 0) return []
  return [
    paragraph(
      `Examples at ${whole(length)} tokens, cold start and ${arm}: the first question that is right only after rewards, the first that was right only before, the first that is wrong in both. Steps that changed neither memory are left out.`,
    ),
    ...shown.map(
      ({ name, pair: [before, after] }): Block => ({
        type: 'table',
        caption: `${name}: ${plainText(before.question, 160)} Wanted: ${plainText(before.references.join(' | '), 80)}`,
        columns: ['step', 'cold start', arm].map((title) => ({ title })),
        rows: [...memoryRows(before, after), { cells: ['answer', answerOf(before), answerOf(after)] }],
      }),
    ),
  ]
}

/** Text of documents: one line each, and escaped by the writer. */
const answerOf = ({ answer }: Reading) => plainText(answer, 120) || '(none)'

function memoryRows(before: Reading, after: Reading): TableRow[] {
  const steps = [...new Set([before, after].flatMap(({ memories }) => memories.map(({ step }) => step)))]
  const memoryAt = ({ memories }: Reading, step: number) => {
    const latest = memories.findLast((memory) => memory.step <= step)
    return latest === undefined ? '(none)' : plainText(latest.text, 160) || '(empty)'
  }
  const rows = steps
    .sort((a, b) => a - b)
    .map((step): TableRow => ({ cells: [whole(step + 1), memoryAt(before, step), memoryAt(after, step)] }))
  if (rows.length <= shownRows) return rows
  const left = `${rows.length - shownRows} more`
  return [...rows.slice(0, shownRows / 2), { cells: ['…', left, left] }, ...rows.slice(-shownRows / 2)]
}

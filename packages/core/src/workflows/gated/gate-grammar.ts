/**
 * The grammar of gates: what a model writes after a section.
 *
 *   no                 the update gate is shut: the memory stays. `end` on the next line opens the exit gate
 *
 *   yes                the update gate is open: the lines before the last become the memory
 *   MEMORY
 *   continue           or `end`: the exit gate
 *
 * Gates are whole lines, the first and the last: whatever stands between them is memory. A response of another form has no
 * meaning at all: nothing is guessed. Only what cannot mean anything is ignored: white space, empty lines at either end,
 * `continue` after `no`, a code fence round the whole response, and quotes, asterisks, a full stop or another case of a gate.
 */

export interface GatedResponse {
  /** The new memory, trimmed and not empty; undefined if the memory stays. */
  readonly memory: string | undefined
  /** Enough was read. */
  readonly exit: boolean
}

/** The gates of a response, or why it has none. */
export type ParsedGates = GatedResponse | { readonly problem: string }

const fence = /^```\w*[^\S\n]*\n(.*?)\n?```$/s
const lineEnd = /\r\n|\r|\n/
const word = /^["'`*]*([a-z]+)["'`*.]*$/i

/** The text that `parseGates` reads as these gates; models are taught to write it. */
export const renderGates = ({ memory, exit }: GatedResponse): string =>
  memory === undefined ? (exit ? 'no\nend' : 'no') : `yes\n${memory}\n${exit ? 'end' : 'continue'}`

export function parseGates(response: string): ParsedGates {
  const whole = response.trim()
  const rows = (fence.exec(whole)?.[1] ?? whole).trim().split(lineEnd)
  const update = gateIn(rows[0]!)
  const exit = rows.length > 1 ? gateIn(rows.at(-1)!) : 'continue'
  if (update !== 'yes' && update !== 'no') return { problem: 'does not begin with a line of yes or no' }
  if (update === 'yes' && rows.length === 1) return { problem: 'writes no memory after yes' }
  if (exit !== 'end' && exit !== 'continue') return { problem: 'does not close with continue or end' }
  const text = rows.slice(1, -1).join('\n').trim()
  if (update === 'no' && text !== '') return { problem: 'writes a memory after no' }
  if (update === 'yes' && text === '') return { problem: 'writes no memory after yes' }
  return { memory: update === 'yes' ? text : undefined, exit: exit === 'end' }
}

const gateIn = (row: string): string | undefined => word.exec(row.trim())?.[1]?.toLowerCase()

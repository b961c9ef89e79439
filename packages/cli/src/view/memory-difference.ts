/** How a memory changed, line by line: `+` for a line that came, `-` for one that went. */
import { diffArrays } from 'diff'
import pc from 'picocolors'
import { printable } from '../terminal.ts'

/** The caller decides whether to use colours. */
const colors = pc.createColors(true)

/** @returns indented lines that end with a line break; those that stayed are dimmed */
export function memoryDifference(previous: string, memory: string, isColored: boolean): string {
  const paint = (color: 'green' | 'red' | 'dim', line: string) => (isColored ? colors[color](line) : line)
  return diffArrays(linesOf(previous), linesOf(memory))
    .flatMap(({ value, added, removed }) =>
      value.map((line) => {
        if (added) return paint('green', `  + ${line}\n`)
        return removed ? paint('red', `  - ${line}\n`) : paint('dim', `    ${line}\n`)
      }),
    )
    .join('')
}

/** A memory of one paragraph is compared sentence by sentence. */
const linesOf = (text: string): string[] =>
  text
    .split(/\n|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map(printable)
    .map((line) => line.trim())
    .filter((line) => line !== '')

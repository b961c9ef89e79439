/** How a memory changed, line by line: `+` for an added line, `-` for a removed one. */
import { diffArrays } from 'diff'
import pc from 'picocolors'
import { printable } from '../terminal.ts'

/** The caller decides whether to use colours. */
const colors = pc.createColors(true)

/** Beyond this many unchanged lines, only the first and the last are shown. */
const mostStayed = 4

/** @returns indented lines that end with a line break; unchanged ones are dimmed */
export function memoryDifference(
  previous: string,
  memory: string,
  { isColored, isWhole }: { readonly isColored: boolean; readonly isWhole: boolean },
): string {
  const paint = (color: 'green' | 'red' | 'dim', line: string) => (isColored ? colors[color](line) : line)
  return diffArrays(linesOf(previous), linesOf(memory))
    .flatMap(({ value, added, removed }) => {
      if (added) return value.map((line) => paint('green', `  + ${line}\n`))
      if (removed) return value.map((line) => paint('red', `  - ${line}\n`))
      const stayed = isWhole || value.length <= mostStayed ? value : folded(value)
      return stayed.map((line) => paint('dim', `    ${line}\n`))
    })
    .join('')
}

const folded = (lines: readonly string[]) => [
  lines[0]!,
  `... ${lines.length - 2} lines stay ...`,
  lines.at(-1)!,
]

/** A memory of one paragraph is compared sentence by sentence. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\n|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map(printable)
    .map((line) => line.trim())
    .filter((line) => line !== '')

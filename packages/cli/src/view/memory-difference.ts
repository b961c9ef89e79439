/** How a memory changed, line by line: `+` for an added line, `-` for a removed one. */
import { diffArrays } from 'diff'
import { printable } from '../terminal.ts'
import type { Colors } from './colors.ts'

/** Beyond this many unchanged lines, only the first and the last are shown. */
const mostStayed = 4

/** @returns indented lines that end with a line break; unchanged ones are dimmed */
export function memoryDifference(
  previous: string,
  memory: string,
  { colors: { green, red, dim }, isWhole }: { readonly colors: Colors; readonly isWhole: boolean },
): string {
  return diffArrays(linesOf(previous), linesOf(memory))
    .flatMap(({ value, added, removed }) => {
      if (added) return value.map((line) => green(`  + ${line}\n`))
      if (removed) return value.map((line) => red(`  - ${line}\n`))
      const stayed = isWhole || value.length <= mostStayed ? value : folded(value)
      return stayed.map((line) => dim(`    ${line}\n`))
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

/** A memory on a terminal, with what is new in it. */
import { diffWords } from 'diff'
import { printable } from '../terminal.ts'
import { splitToWidth, textWidth } from './text-width.ts'

const mostLines = 6

/** Joins the lines of a memory, with a mark between them. */
export const inOneLine = (text: string): string =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .map(printable)
    .join(' · ')

/** As much of the memory as fits on a few lines of this width. @param mark colours the words that `previous` did not have */
export function changedLines(
  memory: string,
  previous: string,
  columns: number,
  mark: (added: string) => string,
): string[] {
  const text = inOneLine(memory).slice(0, columns * 4)
  const before = inOneLine(previous)
  const parts = diffWords(before, text).filter(({ removed }) => !removed)
  let line = 'memory: '
  let used = line.length
  const lines: string[] = []
  for (const { value, added } of parts) {
    const words = value.split(/(?<=\s)/).flatMap((word) => splitToWidth(word, columns - 2))
    for (const word of words) {
      const width = textWidth(word)
      if (used + width > columns) {
        lines.push(line)
        line = '  '
        used = 2
      }
      line += added && before !== '' ? mark(word) : word
      used += width
    }
  }
  return [...lines, line].slice(0, mostLines)
}

/** How one text becomes another, small enough to keep thousands of them. */
import { diffArrays } from 'diff'
import { piecesOf } from './text-pieces.ts'

/** In order, over the text before: a number of characters that stay, a negative number that go, or text that comes. */
export type TextChange = readonly (number | string)[]

/** With more differing pieces than this, finding the smallest change takes too long, and the whole text is replaced. */
const mostEdits = 2000

/** @returns undefined if nothing changes */
export function changeOf(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined
  const change: (number | string)[] = []
  const add = (part: number | string) => {
    const last = change.at(-1)
    if (typeof part === 'string' && typeof last === 'string') change[change.length - 1] = last + part
    else if (typeof part === 'number' && typeof last === 'number' && part > 0 === last > 0)
      change[change.length - 1] = last + part
    else change.push(part)
  }
  const parts = diffArrays(piecesOf(before), piecesOf(after), { maxEditLength: mostEdits }) ?? [
    { value: [before], removed: true, added: false },
    { value: [after], removed: false, added: true },
  ]
  for (const { value, added, removed } of parts) {
    const text = value.join('')
    if (text !== '') add(added ? text : removed ? -text.length : text.length)
  }
  return change
}

/** @param before the text that the change was made from */
export function changed(before: string, change: TextChange): string {
  let at = 0
  let after = ''
  for (const part of change) {
    if (typeof part === 'string') after += part
    else {
      if (part > 0) after += before.slice(at, at + part)
      at += Math.abs(part)
    }
  }
  return after
}

/** How a memory changed, for display: sentences and lines added and removed, and the words within those that changed a little. */
import { diffArrays, diffWordsWithSpace } from 'diff'
import { piecesOf } from './text-pieces.ts'

export interface DifferencePart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Characters; longer pieces are shown as replaced, since comparing their words takes too long. */
const longestCompared = 4000
/** Share of the longer piece: with less in common, marking single words would only confuse. */
const leastInCommon = 0.5

/** @returns parts that join to the new text without the removed ones, and to the old text without the added ones */
export function differenceOf(before: string, after: string): readonly DifferencePart[] {
  const parts = diffArrays(piecesOf(before), piecesOf(after), { maxEditLength: 1000 })
  if (!parts) return nonEmpty(replaced(before, after))
  const shown: DifferencePart[] = []
  for (let i = 0; i < parts.length; i++) {
    const { value, added, removed } = parts[i]!
    const next = parts[i + 1]
    if (removed && next?.added) {
      shown.push(...changedPieces(value, next.value))
      i++
    } else shown.push({ kind: added ? 'added' : removed ? 'removed' : 'same', text: value.join('') })
  }
  return nonEmpty(shown)
}

/** If the number of pieces is the same, each is compared with its counterpart. */
function changedPieces(before: readonly string[], after: readonly string[]): DifferencePart[] {
  if (before.length !== after.length) return changedWords(before.join(''), after.join(''))
  return before.flatMap((piece, i) => changedWords(piece, after[i]!))
}

function changedWords(before: string, after: string): DifferencePart[] {
  if (before.length + after.length > longestCompared) return replaced(before, after)
  const words = diffWordsWithSpace(before, after)
  const common = words.reduce(
    (sum, { value, added, removed }) => sum + (added || removed ? 0 : value.trim().length),
    0,
  )
  if (common < leastInCommon * Math.max(before.trim().length, after.trim().length))
    return replaced(before, after)
  return words.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}

const replaced = (before: string, after: string): DifferencePart[] => [
  { kind: 'removed', text: before },
  { kind: 'added', text: after },
]

const nonEmpty = (parts: readonly DifferencePart[]) => parts.filter(({ text }) => text !== '')

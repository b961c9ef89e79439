/** Scores a list whose order matters. */
import { normalizeAnswer } from './normalize.ts'
import { partsOfList } from './strict.ts'

/**
 * `strict`: 1 when the answer lists all references in their order and nothing else. `lenient`: the longest part of them that
 * stands in the right order, over the larger of the numbers of references and of listed parts. A part that is listed again
 * counts where it first stands.
 */
export function scoreOrder(
  answer: string,
  references: readonly string[],
): { readonly strict: number; readonly lenient: number } {
  const wanted = references.map(normalizeAnswer)
  const listed = [...partsOfList(answer, new Set(wanted))]
  const longest = Math.max(wanted.length, listed.length)
  const common = longestCommonSubsequence(wanted, listed)
  return { strict: common === longest ? 1 : 0, lenient: common / longest }
}

function longestCommonSubsequence(one: readonly string[], other: readonly string[]): number {
  let lengths = new Array<number>(other.length + 1).fill(0)
  for (const text of one) {
    const next = [0]
    other.forEach((candidate, i) => {
      next.push(candidate === text ? lengths[i]! + 1 : Math.max(lengths[i + 1]!, next[i]!))
    })
    lengths = next
  }
  return lengths.at(-1)!
}

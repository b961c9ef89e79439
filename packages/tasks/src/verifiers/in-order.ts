/** Scores a list whose order matters. */
import { normalizeAnswer } from './normalize.ts'
import { partsOfList } from './strict.ts'

/**
 * `strict`: 1 if the answer lists all references in order and nothing else. `lenient`: the length of the longest common
 * subsequence with the references, over the number of references or of listed parts, whichever is larger. A repeated part
 * counts where it is first listed.
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

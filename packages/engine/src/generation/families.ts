/** Finds prompts with a common prefix, so that it is read once. */
import { commonPrefix, compareTokens } from './token-prefix.ts'

export interface Family<T> {
  /** Length of the prefix that all members' prompts share; each has at least one token more. 0: no trunk. */
  readonly trunkLength: number
  readonly members: readonly T[]
}

/** Sharing pays off when the trunk has at least this many tokens. */
const leastTrunk = 32

/**
 * @param multiple the trunk's length is a multiple of this, so that it is read without padding
 * @returns families of at least two, and one family without a trunk for all the others
 */
export function findFamilies<T extends { readonly promptTokens: ArrayLike<number> }>(
  sequences: readonly T[],
  multiple: number,
): Family<T>[] {
  const order = [...sequences].sort((a, b) => compareTokens(a.promptTokens, b.promptTokens))
  const families: Family<T>[] = []
  const alone: T[] = []
  for (let at = 0; at < order.length; ) {
    const first = order[at]!.promptTokens
    const members = [order[at]!]
    let shared = first.length - 1
    while (at + members.length < order.length) {
      const next = order[at + members.length]!
      const common = Math.min(shared, next.promptTokens.length - 1, commonPrefix(first, next.promptTokens))
      // A member that shares little would shorten the trunk for all; in sorted order, so would all that follow.
      if (common < leastTrunk || common < 0.75 * shared) break
      members.push(next)
      shared = common
    }
    const trunkLength = Math.floor(shared / multiple) * multiple
    if (members.length > 1 && trunkLength >= leastTrunk) families.push({ trunkLength, members })
    else alone.push(...members)
    at += members.length
  }
  return alone.length > 0 ? [...families, { trunkLength: 0, members: alone }] : families
}

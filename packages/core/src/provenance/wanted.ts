/** The parts of a statement that its passage must have, whatever else it says. */
import { compare } from './compare.ts'
import type { Token } from './token.ts'
import type { Pairs, TokenText } from './token-text.ts'

/** Numbers, names and the items of a list must be there, whatever kind of word they are. */
export function isWanted(tokens: readonly Token[], i: number): boolean {
  const { kind, word, values, units } = tokens[i]!
  if (kind === 'number') return units !== undefined || !(word === 'one' && values?.[0] === 1)
  return kind === 'name' || (kind === 'word' && /^\p{L}/u.test(word) && isItem(tokens, i))
}

const isItem = (tokens: readonly Token[], i: number): boolean =>
  isListBorder(tokens, i) && (tokens[i + 1] === undefined || isListBorder(tokens, i + 1))
const isListBorder = (tokens: readonly Token[], i: number): boolean =>
  /,/.test(tokens[i]!.gap) || tokens[i]!.word === 'and' || (tokens[i - 1]?.word === 'and' && i > 1)

/** "Before the church": the passage must have this word to say which of two came first, or it follows from numbers. */
export const isComparison = (tokens: readonly Token[], i: number, passage: TokenText): boolean => {
  const { word } = tokens[i]!
  if (word === 'than' && tokens[i + 1]?.kind !== 'number') {
    const next = (of: readonly Token[], from: number) =>
      of.slice(from + 1).find(({ kind }) => kind !== 'function')
    const [than, mine] = [passage.tokens.findIndex((other) => other.word === word), next(tokens, i)]
    const theirs = than < 0 ? undefined : next(passage.tokens, than)
    return than < 0 || (mine !== undefined && (theirs === undefined || compare(mine, theirs) === undefined))
  }
  const isMost = /^(?:most|least|fewest)$/.test(word) && tokens[i - 1]?.word === 'the'
  if (isMost) return !passage.tokens.some((other) => other.word === word)
  if (word !== 'before' && word !== 'after') return false
  const next = tokens[i + 1]
  const isOfThings = next !== undefined && (next.word === 'the' || next.kind === 'name')
  return isOfThings && !passage.tokens.some((other) => other.word === word)
}

/** "Turnout: 60 %": the text may use another word for the label. */
export const isLabel = (tokens: readonly Token[], i: number): boolean => {
  for (let at = i; at < tokens.length && at < i + 6; at++)
    if (/:/.test(tokens[at + 1]?.gap ?? '')) return true
  return false
}

/** "Anna Mott" if the passage says "Mott" and the text says "Anna Mott" elsewhere. */
export function isKnownName(
  i: number,
  { tokens }: TokenText,
  passage: TokenText,
  pairs: Pairs,
  knows: (one: string, other: string) => boolean,
): boolean {
  const isHead = (at: number) => {
    const found = pairs[at]
    const before = found && passage.tokens[found.at - 1]
    const after = found && passage.tokens[found.at + 1]
    if (after?.kind === 'name' && after.gap === ' ' && !pairs.some((other) => other?.at === found!.at + 1))
      return false
    return found !== undefined && !(before?.kind === 'name' && passage.tokens[found.at]!.gap === ' ')
  }
  const [one, next, last] = [tokens[i]!, tokens[i + 1], tokens[i - 1]]
  if (one.kind !== 'name' || /\d/.test(one.word)) return false
  if (next && next.gap === ' ' && isHead(i + 1) && knows(one.key, next.key)) return true
  return last !== undefined && one.gap === ' ' && isHead(i - 1) && knows(last.key, one.key)
}

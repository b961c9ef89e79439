/**
 * A statement laid beside a passage: which word of it is which word there, and whether the passage then says the same. Words that the
 * statement leaves out cost nothing; numbers and names must all be there, and most other words. What speaks against it is in
 * `conflicts.ts`.
 */
import { compare } from './compare.ts'
import { conflictOf } from './conflicts.ts'
import type { Pairing, Pairs, TokenText } from './token-text.ts'
import type { Token } from './tokens.ts'
import { isPronoun } from './words/lookup.ts'

export interface Alignment {
  /** For each token of the statement. */
  readonly pairs: Pairs
  /** The passage says it. */
  readonly isSupported: boolean
  /** Names and numbers that it lacks. */
  readonly missing: readonly Token[]
  /** Share of the other words that it has, by weight; 1 if there are none. */
  readonly covered: number
  /** Why the same words say something else there. */
  readonly conflict: string | undefined
  /** What it has of the statement, by weight. */
  readonly weight: number
  /** To choose among passages. */
  readonly score: number
}

/** Share of its ordinary words that a passage must have. */
const leastCovered = 0.65

export const weightOf = ({ kind, word }: Token): number =>
  kind === 'function' ? 0 : kind !== 'word' ? 2 : word.length <= 2 ? 0.5 : 1

/** @param knows whether two names next to each other are, elsewhere in the text */
export function align(
  statement: TokenText,
  passage: TokenText,
  knows: (one: string, other: string) => boolean = () => false,
): Alignment {
  const pairs = pair(statement, passage)
  const { tokens } = statement
  const missing = tokens.filter(
    (_, i) =>
      !pairs[i] &&
      (isWanted(tokens, i) || isComparison(tokens, i, passage)) &&
      !isKnownName(i, statement, passage, pairs, knows),
  )
  const homes = homesAmong(statement, passage, pairs)
  let [weight, matched, total] = [0, 0, 0]
  for (const [i, token] of tokens.entries()) {
    const quality = pairs[i]?.match.quality ?? 0
    total += weightOf(token) * quality
    if (token.kind !== 'word') continue
    weight += weightOf(token)
    // What another sentence speaks of is not said here, unless it is what both speak of.
    const isElsewhere =
      pairs[i] &&
      isApart(passage, pairs[i].at, homes.get(statement.clauses[i]!)!) &&
      hasContentBefore(tokens, i)
    matched += quality > 0 && !isElsewhere ? weightOf(token) : 0
  }
  const covered = weight === 0 ? 1 : matched / weight
  const conflict = conflictOf(statement, passage, pairs)
  const sentences = new Set(pairs.flatMap((one) => (one ? passage.sentences[one.at]! : []))).size
  return {
    pairs,
    missing,
    covered,
    conflict,
    weight: total,
    isSupported:
      isAnySame(pairs) && missing.length === 0 && covered >= leastCovered && conflict === undefined,
    score: total + inOrder(pairs) - 0.3 * sentences,
  }
}

/** Endings alone may make another word. */
const isAnySame = (pairs: Pairs): boolean =>
  pairs.some((found) => found !== undefined && found.match.quality >= 0.8)

/** Numbers and names must be there; and the subject, and the items of a list, whatever kind of word they are. */
function isWanted(tokens: readonly Token[], i: number): boolean {
  const { kind, isFirst, word, values } = tokens[i]!
  if (kind === 'name') return true
  if (kind === 'number') return !(word === 'one' && values?.[0] === 1)
  if (kind !== 'word' || !/^\p{L}/u.test(word) || /(?:ly|ing)$/.test(word)) return false
  return isFirst || isItem(tokens, i)
}

const isItem = (tokens: readonly Token[], i: number): boolean =>
  isListBorder(tokens, i) && (tokens[i + 1] === undefined || isListBorder(tokens, i + 1))
const isListBorder = (tokens: readonly Token[], i: number): boolean =>
  /,/.test(tokens[i]!.gap) || tokens[i]!.word === 'and' || (tokens[i - 1]?.word === 'and' && i > 1)

/** "Before the church": which of two came first is said with this word, or follows from numbers. */
const isComparison = (tokens: readonly Token[], i: number, passage: TokenText): boolean => {
  const { word } = tokens[i]!
  if (word !== 'before' && word !== 'after') return false
  const next = tokens[i + 1]
  const isOfThings = next !== undefined && (next.word === 'the' || next.kind === 'name')
  return isOfThings && !passage.tokens.some((other) => other.word === word)
}

/** In another sentence than its clause; one before it counts where the clause speaks of "it". */
const isApart = ({ sentences, tokens }: TokenText, at: number, home: number): boolean =>
  sentences[at] !== home &&
  (sentences[at]! > home || !tokens.some(({ word }, i) => sentences[i] === home && isPronoun(word)))

const hasContentBefore = (tokens: readonly Token[], i: number): boolean =>
  tokens.slice(0, i).some(({ kind }) => kind !== 'function')

/** For each clause of the statement, the sentence with most of it. */
function homesAmong(
  { tokens, clauses }: TokenText,
  { sentences }: TokenText,
  pairs: Pairs,
): ReadonlyMap<number, number> {
  const weights = new Map<number, Map<number, number>>()
  for (const [i, found] of pairs.entries()) {
    if (!found) continue
    const here = weights.get(clauses[i]!) ?? new Map<number, number>()
    weights.set(clauses[i]!, here)
    const of = sentences[found.at]!
    here.set(of, (here.get(of) ?? 0) + (tokens[i]!.kind === 'word' ? 1.5 : 1))
  }
  return new Map([...weights].map(([clause, here]) => [clause, heaviest(here)]))
}

const heaviest = (weights: ReadonlyMap<number, number>): number =>
  [...weights].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0] as const)[0]

/** "Anna Mott" where the passage says "Mott" and the text elsewhere "Anna Mott". */
function isKnownName(
  i: number,
  { tokens }: TokenText,
  passage: TokenText,
  pairs: Pairs,
  knows: (one: string, other: string) => boolean,
): boolean {
  const isHead = (at: number) => {
    const found = pairs[at]
    const before = found && passage.tokens[found.at - 1]
    return found !== undefined && !(before?.kind === 'name' && passage.tokens[found.at]!.gap === ' ')
  }
  const [one, next, last] = [tokens[i]!, tokens[i + 1], tokens[i - 1]]
  if (next && next.gap === ' ' && isHead(i + 1) && knows(one.key, next.key)) return true
  return last !== undefined && one.gap === ' ' && isHead(i - 1) && knows(last.key, one.key)
}

/** Each token with one of the passage: in the clause that has most of its own clause, else as near to it as there is. */
function pair(statement: TokenText, passage: TokenText): (Pairing | undefined)[] {
  const candidates = statement.tokens.map((token) => candidatesFor(token, passage.tokens))
  const homes = homesOf(statement, passage, candidates)
  const taken = new Set<number>()
  const pairs: (Pairing | undefined)[] = []
  let last = -1
  for (const [i, found] of candidates.entries()) {
    const home = homes.get(statement.clauses[i]!) ?? 0
    const cost = ({ at, match }: Pairing) =>
      (taken.has(at) ? 20 : 0) +
      8 * Math.min(3, Math.abs(passage.clauses[at]! - home)) +
      8 * (1 - match.quality) +
      (at > last ? 0 : 0.5) +
      Math.min(0.4, Math.abs(at - last - 1) / 100)
    const best = found.reduce<Pairing | undefined>(
      (least, one) => (least === undefined || cost(one) < cost(least) ? one : least),
      undefined,
    )
    // A word of the statement that occurs twice may stand there once.
    pairs.push(best && taken.has(best.at) && statement.tokens[i]!.kind === 'number' ? undefined : best)
    if (pairs[i]) {
      taken.add(best!.at)
      last = best!.at
    }
  }
  return pairs
}

const mostCandidates = 12

function candidatesFor(token: Token, among: readonly Token[]): Pairing[] {
  if (token.kind === 'function') return []
  const found: Pairing[] = []
  for (const [at, other] of among.entries()) {
    if (other.kind === 'function') continue
    const match = compare(token, other)
    if (match) found.push({ at, match })
    if (found.length >= mostCandidates) break
  }
  return found
}

/** For each clause of the statement, the clause of the passage with most of it. */
function homesOf(
  statement: TokenText,
  passage: TokenText,
  candidates: readonly (readonly Pairing[])[],
): ReadonlyMap<number, number> {
  const weights = new Map<number, Map<number, number>>()
  for (const [i, found] of candidates.entries()) {
    const clause = statement.clauses[i]!
    const here = weights.get(clause) ?? new Map<number, number>()
    weights.set(clause, here)
    const best = new Map<number, number>()
    for (const { at, match } of found) {
      const of = passage.clauses[at]!
      best.set(of, Math.max(best.get(of) ?? 0, match.quality * weightOf(statement.tokens[i]!)))
    }
    for (const [of, weight] of best) here.set(of, (here.get(of) ?? 0) + weight)
  }
  return new Map([...weights].map(([clause, here]) => [clause, heaviest(here)]))
}

/** At most 1: the share of neighbours that come in the same order. */
function inOrder(pairs: Pairs): number {
  const places = pairs.flatMap((one) => (one ? one.at : []))
  const rising = places.filter((at, i) => i > 0 && places[i - 1]! < at).length
  return places.length < 2 ? 1 : rising / (places.length - 1)
}

/**
 * Statements that no passage says, but that follow from one or several by adding, subtracting, multiplying, counting or
 * comparing. Numbers alone would match by chance, so kinds must agree, and the passages must have what else the statement names.
 */

import { type Amount, amountsIn, type Operand } from './amounts.ts'
import { type Claim, claimsIn, isSelection } from './claims.ts'
import { compare } from './compare.ts'
import { comparisonIn, shownBy } from './comparisons.ts'
import { countsOf } from './counts.ts'
import { isOfDate } from './dates.ts'
import { operationsOn } from './operations.ts'
import { weightOf } from './pairing.ts'
import type { PassageIndex } from './passage-index.ts'
import type { Support } from './support.ts'
import type { Token } from './token.ts'
import type { TokenText } from './token-text.ts'
import { isCue, speaksOfChange, speaksOfTotal } from './words/cues.ts'

const mostSentences = 24
const mostAmounts = 28
/** Least share of the statement's other words that the passages together must have. */
const leastCovered = 0.5

export function derivationOf(tokens: readonly Token[], index: PassageIndex): Support | undefined {
  const operands = operandsFor(tokens, index)
  const ordinals = ordered(tokens, operands) ?? calculated(tokens, operands)
  if (!ordinals) return undefined
  const passages = [...new Set(ordinals)].sort((a, b) => a - b).map((ordinal) => index.spanOf(ordinal))
  return { passages, score: 0 }
}

/** Sentences that share a word with the statement, the nearest first. */
function operandsFor(tokens: readonly Token[], index: PassageIndex): readonly Operand[] {
  const seen = new Set<string>()
  return index.search(tokens, mostSentences).flatMap((ordinal) => {
    const text = index.window(ordinal, ordinal)!
    // A sentence may be stored both as a passage and as the context of another.
    const words = text.tokens.map(({ word }) => word).join(' ')
    if (seen.has(words)) return []
    seen.add(words)
    const isNear = tokens.some((token) => token.kind !== 'function' && has(text, token))
    return isNear ? [{ ordinal, text }] : []
  })
}

const has = ({ tokens }: TokenText, token: Token): boolean =>
  tokens.some((other) => compare(token, other) !== undefined)

function ordered(tokens: readonly Token[], operands: readonly Operand[]): readonly number[] | undefined {
  if (tokens.some(({ kind, isOrdinal }) => kind === 'number' && !isOrdinal)) return undefined
  const comparison = comparisonIn(tokens)
  const found = comparison && shownBy(comparison, operands)
  if (!found) return undefined
  const rest = tokens.filter((token) => token.kind !== 'function' && !isCue(token))
  const texts = operands.filter(({ ordinal }) => found.includes(ordinal)).map(({ text }) => text)
  return isCovered(rest, texts, leastCovered) ? found : undefined
}

function calculated(tokens: readonly Token[], operands: readonly Operand[]): readonly number[] | undefined {
  const claims = claimsIn(tokens)
  const isSaid = (claim: Claim) =>
    operands.some(({ text }) =>
      claim.tokens.every((token) => hasAsSuch(text, token, isOfDate(tokens, tokens.indexOf(token)))),
    )
  const unsaid = claims.filter((claim) => !isSaid(claim))
  if (unsaid.filter((claim) => !isSelection(tokens, claim)).length > 1) return undefined
  for (const claim of unsaid) {
    const rest = tokens.filter(
      (token) => !claim.tokens.includes(token) && token.kind !== 'function' && !isCue(token),
    )
    const found = resultFor(claim, tokens, rest, operands)
    if (found) return found
  }
  return undefined
}

/** The day of a date does not state a number. */
const hasAsSuch = ({ tokens }: TokenText, token: Token, isDay: boolean): boolean =>
  tokens.some((other, at) => compare(token, other) !== undefined && (isDay || !isOfDate(tokens, at)))

function resultFor(
  claim: Claim,
  tokens: readonly Token[],
  rest: readonly Token[],
  operands: readonly Operand[],
): readonly number[] | undefined {
  const amounts = operands.flatMap(amountsIn).slice(0, mostAmounts)
  const textsOf = (ordinals: readonly number[]) =>
    operands.filter(({ ordinal }) => ordinals.includes(ordinal)).map(({ text }) => text)
  const found: { readonly ordinals: readonly number[]; readonly covered: number }[] = []
  const offer = (ordinals: readonly number[]) => {
    if (rest.length > 0 && !rest.some((token) => textsOf(ordinals).some((text) => has(text, token)))) return
    // The subject of a sentence may be named in the one before it.
    const covered = coverage(rest, textsOf(ordinals), textsOf(ordinals.map((ordinal) => ordinal - 1)))
    if (covered >= leastCovered) found.push({ ordinals, covered })
  }
  const best = () => found.toSorted((one, other) => other.covered - one.covered)[0]?.ordinals
  for (const used of resultsThatAre(claim, tokens, amounts)) offer(used.map(({ ordinal }) => ordinal))
  if (found.length > 0) return best()
  const [only] = claim.tokens
  if (claim.tokens.length > 1 || only!.units) return undefined
  const counted = tokens
    .slice(tokens.indexOf(only!) + 1)
    .find(({ kind }) => kind === 'word' || kind === 'name')
  for (const ordinals of countsOf(only!.values![0]!, counted, rest, operands)) offer(ordinals)
  return best()
}

/** The amounts of every operation whose result is the claim. */
function* resultsThatAre(
  claim: Claim,
  tokens: readonly Token[],
  amounts: readonly Amount[],
): Generator<readonly Amount[]> {
  const wanted = {
    kinds: claim.amounts.map(({ kind }) => kind),
    isChange: speaksOfChange(tokens),
    isTotal: speaksOfTotal(tokens),
    perYear: tokens.some(({ word }) => /^(?:year|annual|annually|yearly|annum)$/.test(word)),
  }
  for (const { value, used } of operationsOn(amounts, wanted)) {
    const isIt = claim.amounts.some(
      (it) => Math.abs(it.value - value) <= claim.tolerance + 1e-9 * Math.abs(value),
    )
    if (isIt) yield used
  }
}

/** A statement with more numbers is a list, not a calculation. */
const mostClaims = 40

/** The most sentences without a shared word that are used in calculations, to suggest where a number may come from. */
const mostOthers = 40

/**
 * Sentences whose amounts yield a number of the statement, though too little else agrees to count as derived. They are the ones
 * that share most of its words (`shared`, by weight), possibly none: "she stayed for a week" shares none with the two dates.
 */
export function couldBeFrom(
  tokens: readonly Token[],
  index: PassageIndex,
): { readonly ordinals: readonly number[]; readonly shared: number } {
  const near = operandsFor(tokens, index)
  const others = Array.from({ length: Math.min(index.length, mostOthers) }, (_, ordinal) => ordinal)
    .filter((ordinal) => !near.some((one) => one.ordinal === ordinal))
    .map((ordinal) => ({ ordinal, text: index.window(ordinal, ordinal)! }))
  const amounts = [...near, ...others].flatMap(amountsIn).slice(0, mostAmounts + mostOthers)
  // Compared once: a list of amounts has hundreds of claims, and thousands of operations with the same sentences.
  const words = tokens.filter(({ kind }) => kind !== 'function')
  const had = near.map(({ ordinal, text }) => ({
    ordinal,
    words: new Set(words.filter((token) => has(text, token))),
  }))
  let [best, most]: [readonly number[], number] = [[], -1]
  for (const claim of claimsIn(tokens).slice(0, mostClaims)) {
    const rest = words.filter((token) => !claim.tokens.includes(token))
    const known = new Set<string>()
    for (const used of resultsThatAre(claim, tokens, amounts)) {
      const ordinals = [...new Set(used.map(({ ordinal }) => ordinal))]
      const key = ordinals.toSorted((a, b) => a - b).join()
      if (known.has(key)) continue
      known.add(key)
      const texts = had.filter(({ ordinal }) => ordinals.includes(ordinal))
      const shared = rest
        .filter((token) => texts.some((text) => text.words.has(token)))
        .reduce((sum, token) => sum + weightOf(token), 0)
      if (shared > most + 1e-9) [best, most] = [ordinals, shared]
    }
  }
  return { ordinals: best, shared: most }
}

const isCovered = (rest: readonly Token[], texts: readonly TokenText[], least: number): boolean =>
  coverage(rest, texts) >= least

/** Share of words that the texts have; 0 if a name or number is missing. */
function coverage(
  rest: readonly Token[],
  texts: readonly TokenText[],
  near: readonly TokenText[] = [],
): number {
  let [weight, covered] = [0, 0]
  for (const token of rest) {
    const isThere = texts.some((text) => has(text, token))
    if (!isThere && token.kind !== 'word') return 0
    weight += weightOf(token)
    covered += isThere || near.some((text) => has(text, token)) ? weightOf(token) : 0
  }
  return weight === 0 ? (rest.length === 0 ? 0.5 : 1) : covered / weight
}

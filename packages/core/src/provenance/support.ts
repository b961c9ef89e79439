/** Finds the passage that supports a statement: the fewest sentences that say it. */
import { type Alignment, align } from './align.ts'
import { conjunctions } from './clauses.ts'
import type { PassageIndex, PassageSpan } from './passage-index.ts'
import type { Token } from './token.ts'
import { type TokenText, tokenText } from './token-text.ts'
import { tokensOf } from './tokens.ts'
import { isAuxiliary, isPronoun, isVerbal } from './words/lookup.ts'

/** The most sentences tried as the main one of a passage. */
const mostMain = 10
/** The rest is ignored: no statement is that long. */
const mostStatementTokens = 160
/** First and last sentence of a passage, relative to its main sentence. */
const extents = [
  [0, 0],
  [-1, 0],
  [0, 1],
  [-2, 0],
  [-3, 0],
] as const
/** The most tokens of a statement that is split into parts. */
const mostDivided = 80

export interface Support {
  readonly passages: readonly PassageSpan[]
  readonly score: number
}

export const statementTokens = (text: string): readonly Token[] =>
  tokensOf(text).slice(0, mostStatementTokens)

/**
 * Undefined if no passage says it, nor several that say its parts.
 * @param context the topic of the statement, such as a question: chooses among passages that all say it
 */
export function supportOf(
  tokens: readonly Token[],
  index: PassageIndex,
  context: readonly Token[] = [],
): Support | undefined {
  const one = supportByOne(tokens, index, context)
  // Parts must not support what one passage contradicts.
  if (one === 'contradicted') return undefined
  return one ?? (tokens.length > mostDivided ? undefined : supportByParts(tokens, index, context))
}

function supportByOne(
  tokens: readonly Token[],
  index: PassageIndex,
  context: readonly Token[],
): Support | 'contradicted' | undefined {
  const statement = tokenText(index.withNames(tokens))
  let best: (Support & { readonly weight: number }) | undefined
  let contradicted = 0
  let isWhole = false
  for (const main of index.search(tokens, mostMain, context)) {
    for (const [before, after] of extents) {
      const window = index.window(main + before, main + after)
      if (!window) continue
      const alignment = align(statement, window, index.knows)
      if (!alignment.isSupported) {
        const isAlone = before === 0 && after === 0 && alignment.missing.length === 0
        if (isAlone && alignment.conflict !== undefined) {
          contradicted = Math.max(contradicted, alignment.weight)
          isWhole ||= alignment.covered === 1
        }
        continue
      }
      const { weight, score } = alignment
      if (!best || score > best.score + 1e-9)
        best = { passages: [tightest(statement, alignment, window, index)], score, weight }
      break
    }
  }
  // Accepted unless a sentence with more of its words contradicts it.
  if (best && best.weight >= contradicted - 0.25) return best
  return isWhole ? 'contradicted' : undefined
}

/** The sentences that say it, without leading ones that only name the subject. */
function tightest(
  statement: TokenText,
  { pairs }: Alignment,
  window: TokenText,
  index: PassageIndex,
): PassageSpan {
  const words = new Map<number, Token[]>()
  for (const [i, found] of pairs.entries()) {
    if (!found) continue
    const of = window.sentences[found.at]!
    words.set(of, [...(words.get(of) ?? []), statement.tokens[i]!])
  }
  const used = [...words.keys()].sort((a, b) => a - b)
  let first = 0
  while (first < used.length - 1 && words.get(used[first]!)!.length === 1) first++
  const [named, begin, end] = [used[0]!, used[first]!, used.at(-1)!].map((of) => index.sentence(of))
  const span = { section: begin!.section, start: begin!.start, end: end!.end, header: begin!.header }
  return named === begin ? span : { ...span, from: named!.start }
}

/** "A, and B": each part has a passage of its own. */
function supportByParts(
  tokens: readonly Token[],
  index: PassageIndex,
  context: readonly Token[],
): Support | undefined {
  for (const at of bordersIn(tokens)) {
    const left = tokens.slice(0, at)
    const rest = tokens.slice(at)
    if (contentOf(left) < 2 || contentOf(rest) < 2) continue
    const one = supportByOne(left, index, context)
    if (!one || one === 'contradicted') continue
    const other = restOf(left, rest, index, context)
    if (!other) continue
    return { passages: distinct([...one.passages, ...other.passages]), score: one.score + other.score }
  }
  return undefined
}

/** A part without a subject takes that of the part before it. A part like "their abbot" may also be in the text as it is. */
function restOf(
  left: readonly Token[],
  rest: readonly Token[],
  index: PassageIndex,
  context: readonly Token[],
): Support | undefined {
  const whole = supportByOne(withSubject(left, rest), index, context)
  if (whole && whole !== 'contradicted') return whole
  const found = isPronoun(rest[0]!.word) ? supportByOne(rest, index, context) : undefined
  if (!found || found === 'contradicted') return undefined
  return found.passages.every((passage) => index.beginsWith(passage, rest[0]!.word)) ? found : undefined
}

const contentOf = (tokens: readonly Token[]) => tokens.filter(({ kind }) => kind !== 'function').length
const mostBorders = 8

function bordersIn(tokens: readonly Token[]): number[] {
  return tokens
    .flatMap(({ gap, word }, at) =>
      at > 0 && (/[,;:(.\n–—，、。；]/.test(gap) || conjunctions.has(word)) ? at : [],
    )
    .slice(0, mostBorders)
}

/** Prepends the subject of the left part if the right one has none. */
function withSubject(left: readonly Token[], right: readonly Token[]): readonly Token[] {
  const first = right.find(({ word }) => !conjunctions.has(word))
  const isRelative = /^(?:who|which|whose)$/.test(right[0]?.word ?? '')
  if (!first || !(isRelative || isPronoun(first.word) || isVerbal(first.word) || isAuxiliary(first.word)))
    return right
  const runs = nameRuns(left)
  const subject =
    (isRelative ? runs.at(-1) : runs[0]) ?? left.filter(({ kind }) => kind === 'word').slice(0, 1)
  return [...subject, ...right]
}

/** Groups the tokens of names; a name of several words is one group. */
function nameRuns(tokens: readonly Token[]): Token[][] {
  const runs: Token[][] = []
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'name' || /:/.test(token.key)) continue
    const last = runs.at(-1)
    if (last && tokens[i - 1] === last.at(-1) && token.gap === ' ') last.push(token)
    else runs.push([token])
  }
  return runs
}

function distinct(passages: readonly PassageSpan[]): PassageSpan[] {
  const seen = new Map<string, PassageSpan>()
  for (const passage of passages) seen.set(`${passage.section}:${passage.start}:${passage.end}`, passage)
  return [...seen.values()]
}

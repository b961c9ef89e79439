/** The passage that supports a statement: the fewest sentences that say it. */
import { type Alignment, align } from './align.ts'
import type { PassageIndex, PassageSpan } from './passage-index.ts'
import type { Token } from './token.ts'
import { type TokenText, tokenText } from './token-text.ts'
import { tokensOf } from './tokens.ts'
import { isAuxiliary, isPronoun, isVerbal } from './words/lookup.ts'

/** Sentences looked at as the main one of a passage. */
const mostMain = 10
/** What is behind that is not looked at: no statement is that long. */
const mostStatementTokens = 160
/** Begin and end of a passage, beside the main sentence. */
const extents = [
  [0, 0],
  [-1, 0],
  [0, 1],
  [-2, 0],
  [-3, 0],
  [-1, 1],
] as const
/** Tokens of a statement that is divided. */
const mostDivided = 80
/** Times that a statement is divided: four parts at most. */
const deepest = 2

export interface Support {
  readonly passages: readonly PassageSpan[]
  readonly score: number
}

export const statementTokens = (text: string): readonly Token[] =>
  tokensOf(text).slice(0, mostStatementTokens)

/**
 * Undefined: no passage says it, nor several that say its parts.
 * @param context what the statement is about, such as a question: chooses among passages that all say it
 */
export function supportOf(
  tokens: readonly Token[],
  index: PassageIndex,
  context: readonly Token[] = [],
  depth = 0,
): Support | undefined {
  const one = supportByOne(tokens, index, context)
  if (one !== 'contradicted' && one) return one
  // What one passage says otherwise is not put together from its parts.
  if (one === 'contradicted' || depth >= deepest || tokens.length > mostDivided) return undefined
  return supportByParts(tokens, index, context, depth)
}

function supportByOne(
  tokens: readonly Token[],
  index: PassageIndex,
  context: readonly Token[],
): Support | 'contradicted' | undefined {
  const statement = tokenText(index.withNames(tokens))
  const about = tokenText(context)
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
      const { weight } = alignment
      const score = alignment.score + (context.length > 0 ? align(about, window).weight / 2 : 0)
      if (!best || score > best.score + 1e-9)
        best = { passages: [tightest(statement, alignment, window, index)], score, weight }
      break
    }
  }
  // Another sentence has more of its words and says otherwise.
  if (best && best.weight >= contradicted - 0.25) return best
  return isWhole ? 'contradicted' : undefined
}

/** The sentences that say it, without one before them that only names what they go on about. */
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
  const names = (of: number) =>
    words.get(of)!.length === 1 || words.get(of)!.every(({ kind }) => kind === 'name')
  let first = 0
  while (first < used.length - 1 && names(used[first]!)) first++
  const [named, begin, end] = [used[0]!, used[first]!, used.at(-1)!].map((of) => index.sentence(of))
  const span = { section: begin!.section, start: begin!.start, end: end!.end, header: begin!.header }
  return named === begin ? span : { ...span, from: named!.start }
}

/** "A, and B": each part by a passage of its own. */
function supportByParts(
  tokens: readonly Token[],
  index: PassageIndex,
  context: readonly Token[],
  depth: number,
): Support | undefined {
  for (const at of bordersIn(tokens)) {
    const left = tokens.slice(0, at)
    const rest = tokens.slice(at)
    if (contentOf(left) < 2 || contentOf(rest) < 2) continue
    const one = supportOf(left, index, context, depth + 1)
    const other = one && restOf(left, rest, index, context, depth + 1)
    if (!one || !other) continue
    return { passages: distinct([...one.passages, ...other.passages]), score: one.score + other.score }
  }
  return undefined
}

/** A part without a subject is about that of the part before it; "their abbot" may stand so in the text, too. */
function restOf(
  left: readonly Token[],
  rest: readonly Token[],
  index: PassageIndex,
  context: readonly Token[],
  depth: number,
): Support | undefined {
  const whole = supportOf(withSubject(left, rest), index, context, depth)
  if (whole || !isPronoun(rest[0]!.word)) return whole
  const found = supportOf(rest, index, context, depth)
  return found?.passages.every((passage) => index.beginsWith(passage, rest[0]!.word)) ? found : undefined
}

const contentOf = (tokens: readonly Token[]) => tokens.filter(({ kind }) => kind !== 'function').length
const joins = new Set('and but who which whose while where when whereas und aber et mais y pero и'.split(' '))
const mostBorders = 8

function bordersIn(tokens: readonly Token[]): number[] {
  return tokens
    .flatMap(({ gap, word }, at) =>
      at > 0 && (/[,;:(.\n–—，、。；]/.test(gap) || joins.has(word)) ? at : [],
    )
    .slice(0, mostBorders)
}

/** The subject of a part that has none of its own. */
function withSubject(left: readonly Token[], right: readonly Token[]): readonly Token[] {
  const first = right.find(({ word }) => !joins.has(word))
  const isRelative = /^(?:who|which|whose)$/.test(right[0]?.word ?? '')
  if (!first || !(isRelative || isPronoun(first.word) || isVerbal(first.word) || isAuxiliary(first.word)))
    return right
  const runs = nameRuns(left)
  const subject =
    (isRelative ? runs.at(-1) : runs[0]) ?? left.filter(({ kind }) => kind === 'word').slice(0, 1)
  return [...subject, ...right]
}

/** Names of several words are one. */
function nameRuns(tokens: readonly Token[]): Token[][] {
  const runs: Token[][] = []
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1]
    const isName =
      token.kind === 'name' || (i === 0 && token.kind === 'word' && next?.kind === 'name' && next.gap === ' ')
    if (!isName || /:/.test(token.key)) continue
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

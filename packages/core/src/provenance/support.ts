/** The passage that supports a statement: the fewest sentences that say it. */
import { align, type Alignment, type TokenText, tokenText } from './align.ts'
import type { PassageIndex, PassageSpan } from './passage-index.ts'
import { type Token, tokensOf } from './tokens.ts'
import { isPronoun, isVerbal } from './words/lookup.ts'

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
/** Times that a statement is divided: four parts at most. */
const deepest = 2

export interface Support {
  readonly passages: readonly PassageSpan[]
  readonly score: number
}

export const statementTokens = (text: string): readonly Token[] => tokensOf(text).slice(0, mostStatementTokens)

/** Undefined: no passage says it, nor several that say its parts. */
export function supportOf(tokens: readonly Token[], index: PassageIndex, depth = 0): Support | undefined {
  return supportByOne(tokens, index) ?? (depth < deepest ? supportByParts(tokens, index, depth) : undefined)
}

function supportByOne(tokens: readonly Token[], index: PassageIndex): Support | undefined {
  const statement = tokenText(tokens)
  let best: (Support & { readonly weight: number }) | undefined
  let contradicted = 0
  for (const main of index.search(tokens, mostMain)) {
    for (const [before, after] of extents) {
      const window = index.window(main + before, main + after)
      if (!window) continue
      const alignment = align(statement, window, index.knows)
      if (!alignment.isSupported) {
        const isAlone = before === 0 && after === 0 && alignment.missing.length === 0
        if (isAlone && alignment.conflict !== undefined) contradicted = Math.max(contradicted, alignment.weight)
        continue
      }
      const { score, weight } = alignment
      if (!best || score > best.score + 1e-9) best = { passages: [tightest(alignment, window, index)], score, weight }
      break
    }
  }
  // Another sentence has more of its words and says otherwise.
  return best && best.weight >= contradicted - 0.25 ? best : undefined
}

/** From the first sentence that has a word of the statement to the last one. */
function tightest({ pairs }: Alignment, window: TokenText, index: PassageIndex): PassageSpan {
  const used = pairs.flatMap((found) => (found ? window.sentences[found.at]! : []))
  const [first, last] = [index.sentence(Math.min(...used)), index.sentence(Math.max(...used))]
  return { section: first.section, start: first.start, end: last.end }
}

/** "A, and B": each part by a passage of its own. */
function supportByParts(tokens: readonly Token[], index: PassageIndex, depth: number): Support | undefined {
  for (const at of bordersIn(tokens)) {
    const left = tokens.slice(0, at)
    const right = withSubject(left, tokens.slice(at))
    if (contentOf(left) < 2 || contentOf(right) < 2) continue
    const [one, other] = [supportOf(left, index, depth + 1), supportOf(right, index, depth + 1)]
    if (!one || !other) continue
    return { passages: distinct([...one.passages, ...other.passages]), score: one.score + other.score }
  }
  return undefined
}

const contentOf = (tokens: readonly Token[]) => tokens.filter(({ kind }) => kind !== 'function').length
const joins = new Set('and but who which whose while where when whereas und aber et mais y pero и'.split(' '))
const mostBorders = 8

function bordersIn(tokens: readonly Token[]): number[] {
  return tokens
    .flatMap(({ gap, word }, at) => (at > 0 && (/[,;:(.\n–—，、。；]/.test(gap) || joins.has(word)) ? at : []))
    .slice(0, mostBorders)
}

/** The subject of a part that has none of its own. */
function withSubject(left: readonly Token[], right: readonly Token[]): readonly Token[] {
  const first = right.find(({ word }) => !joins.has(word))
  const isRelative = /^(?:who|which|whose)$/.test(right[0]?.word ?? '')
  if (!first || !(isRelative || isPronoun(first.word) || isVerbal(first.word))) return right
  const runs = nameRuns(left)
  const subject = (isRelative ? runs.at(-1) : runs[0]) ?? left.filter(({ kind }) => kind === 'word').slice(0, 1)
  return [...subject, ...right]
}

/** Names of several words are one. */
function nameRuns(tokens: readonly Token[]): Token[][] {
  const runs: Token[][] = []
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1]
    const isName = token.kind === 'name' || (i === 0 && token.kind === 'word' && next?.kind === 'name' && next.gap === ' ')
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

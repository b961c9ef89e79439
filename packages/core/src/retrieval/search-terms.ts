/**
 * The terms by which a text is searched, like Lucene's English analyzer: lower-case words without a possessive 's, no stop words,
 * Porter stems. Words of other alphabets are compared unchanged; in scripts without spaces every character is a term.
 */
import { stemmer } from 'stemmer'
import { ownCopy } from '../tokenizers/own-copy.ts'

/**
 * Snowball's English list (snowballstem.org, BSD-3-Clause): unlike Lucene's own, it includes the words that questions begin with.
 */
const stopWords: ReadonlySet<string> = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself
  they them their theirs themselves what which who whom this that these those am is are was were be been being have has had
  having do does did doing would should could ought i'm you're he's she's it's we're they're i've you've we've they've i'd you'd
  he'd she'd we'd they'd i'll you'll he'll she'll we'll they'll isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't
  didn't won't wouldn't shan't shouldn't can't cannot couldn't mustn't let's that's who's what's here's there's when's where's
  why's how's a an the and but if or because as until while of at by for with about against between into through during before
  after above below to from up down in out on off over under again further then once here there when where why how all any both
  each few more most other some such no nor not only own same so than too very`.split(/\s+/),
)

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
const anyUnspaced = new RegExp(`[${unspaced}]`, 'u')
const words = /[\p{L}\p{N}\p{M}_]+(?:'\p{L}+)*/gu
const wordsAndCharacters = new RegExp(
  `[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+(?:'\\p{L}+)*`,
  'gu',
)

/** Lower-case words in text order, stop words included. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  return plain.match(anyUnspaced.test(plain) ? wordsAndCharacters : words) ?? []
}

/** The term that a word of `wordsOf` is compared by; undefined for a stop word. */
export function termOf(word: string): string | undefined {
  if (stopWords.has(word)) return undefined
  const bare = word.endsWith("'s") ? word.slice(0, -2) : word
  return /^[a-z]+$/.test(bare) ? stemmer(bare) : bare
}

export interface TermCounts {
  /** Number of terms, counting repetitions. */
  readonly total: number
  readonly times: ReadonlyMap<string, number>
}

export function termCountsOf(text: string): TermCounts {
  const times = new Map<string, number>()
  let total = 0
  for (const word of wordsOf(text)) {
    const term = knownTermOf(word)
    if (term === undefined) continue
    total++
    times.set(term, (times.get(term) ?? 0) + 1)
  }
  return { total, times }
}

const mostKnownWords = 100_000
const known = new Map<string, string | undefined>()

/** Caches terms: most words of a text are repeated, and stemming is slow. */
function knownTermOf(word: string): string | undefined {
  const term = known.get(word)
  if (term !== undefined || known.has(word)) return term
  if (known.size >= mostKnownWords) known.clear()
  const own = ownCopy(word)
  const found = termOf(own)
  known.set(own, found)
  return found
}

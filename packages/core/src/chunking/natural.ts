/** Where a chunk ends in `natural` mode. */
import { endOfPiece } from '../documents/utf-8.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Cut, CutWindow } from './cut.ts'
import { lastParagraphEnd, lastSentenceEnd } from './text-ends.ts'

/** A longer run without white space may be cut anywhere. */
const longestWord = 64
/** A paragraph end is taken if it leaves the chunk at least this full. */
const paragraphFill = 2 / 3
const sentenceFill = 1 / 3

const paragraphBegin = /^\r?\n[^\S\n]*\n/

/** Undefined when the whole window fits and the document continues. */
export async function cutNaturally(
  { window, isLast }: CutWindow,
  maxTokens: number,
  tokenizer: Tokenizer,
): Promise<Cut | undefined> {
  // Guess first by counting block by block; then count the whole chunk and shorten it while it is too long.
  let last = await guessEnd(window, maxTokens, tokenizer)
  if (last === window.length) {
    if (!isLast) return undefined
    const tokens = await tokenizer.count(window)
    if (tokens <= maxTokens) return { length: last, tokens }
    last = wordEnd(window, last - 1, 0)
  }
  for (let back = 1; last > 0; back *= 2) {
    const length = bestEnd(window, last)
    const tokens = await tokenizer.count(window.slice(0, length))
    if (tokens <= maxTokens) return { length, tokens }
    last = length > back ? wordEnd(window, length - back, 0) : 0
  }
  return cutAnywhere(window, maxTokens, tokenizer)
}

/**
 * Where about `maxTokens` tokens end, at the end of a word: blocks are counted one after another, and the first block that is too
 * much is halved. Blocks end where words end, so their counts add up. 0 if the first word is too long.
 */
async function guessEnd(window: string, maxTokens: number, tokenizer: Tokenizer): Promise<number> {
  const blockLength = Math.max(8, Math.min(2 * maxTokens, 128), Math.ceil(maxTokens / 4))
  let low = 0
  let rest = maxTokens
  let high = 0
  while (low < window.length) {
    high = wordEnd(window, low + blockLength, low)
    const counted = tokenizer.count(window.slice(low, high))
    const tokens = typeof counted === 'number' ? counted : await counted
    if (tokens > rest) break
    rest -= tokens
    low = high
  }
  if (low === window.length) return low
  // [0, low) fits, [0, high) does not.
  for (;;) {
    const middle = wordEnd(window, low + Math.ceil((high - low) / 2), low)
    if (middle >= high) return low
    const tokens = await tokenizer.count(window.slice(low, middle))
    if (tokens > rest) {
      high = middle
    } else {
      rest -= tokens
      low = middle
    }
  }
}

/**
 * The latest end of a word in (`after`, `at`], otherwise the next one after `at`; any position inside a run that is too long for
 * a word.
 */
function wordEnd(window: string, at: number, after: number): number {
  if (at >= window.length) return window.length
  const lowest = Math.max(after + 1, at - longestWord)
  for (let end = at; end >= lowest; end--) if (isWordEnd(window, end)) return end
  const highest = Math.min(window.length, Math.max(at, after) + longestWord)
  if (lowest === after + 1) {
    for (let end = at + 1; end <= highest; end++) if (isWordEnd(window, end)) return end
  }
  const inside = endOfPiece(window, at)
  return inside > after ? inside : endOfPiece(window, at + 1)
}

export const isWordEnd = (window: string, end: number) =>
  end === window.length ||
  (isSpace(window.charCodeAt(end)) && !isSpace(window.charCodeAt(end - 1))) ||
  isUnspaced(window.charCodeAt(end - 1))

/** East Asian scripts, which put no spaces between words. */
const isUnspaced = (code: number) => (code >= 0x3001 && code < 0xac00) || (code >= 0xff01 && code <= 0xff60)

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000

/** The latest paragraph, sentence or line end up to `last`, in that order, if late enough; otherwise `last`. */
function bestEnd(window: string, last: number): number {
  if (paragraphBegin.test(window.slice(last, last + longestWord))) return last
  return (
    lastParagraphEnd(window, Math.ceil(last * paragraphFill), last) ??
    lastSentenceEnd(window, Math.ceil(last * sentenceFill), last) ??
    last
  )
}

/** For a single word longer than the cap: a long prefix under it, by halving; at least one character. */
async function cutAnywhere(window: string, maxTokens: number, tokenizer: Tokenizer): Promise<Cut> {
  let length = Math.min(window.length, maxTokens * 8)
  for (;;) {
    length = Math.max(endOfPiece(window, length), window.codePointAt(0)! > 0xffff ? 2 : 1)
    const tokens = await tokenizer.count(window.slice(0, length))
    // A character of more tokens than the cap cannot be cut.
    if (tokens <= maxTokens || length === 1 || (length === 2 && window.codePointAt(0)! > 0xffff)) {
      return { length, tokens }
    }
    length = Math.min(length - 1, Math.max(1, Math.floor((length * maxTokens) / tokens)))
  }
}

/** Where a chunk ends in `exact` mode. */
import { endOfPiece } from '../documents/utf-8.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Cut, CutWindow } from './cut.ts'

/** How much text before a chunk is needed to find the start of a word that the chunk may begin in. */
export const contextCharacters = 128

/** Text beyond this many more tokens does not change the tokens before it. */
const lookahead = 32
/** The most characters used to estimate the average length of tokens. */
const sampleLength = 512
/** A character has at most four bytes, so ending on a whole one drops at most three tokens. */
const mostTokensTrimmed = 3
/** A chunk that exceeds the cap by more than tokenizing it on its own would add is shortened in one go. */
const mostAfresh = 8

/**
 * Cuts after the next `maxTokens` tokens of the document's own tokenization. Undefined if the window holds fewer and the document
 * continues.
 */
export async function cutExactly(
  { window, before, isLast }: CutWindow,
  maxTokens: number,
  tokenizer: Tokenizer,
): Promise<Cut | undefined> {
  const { encode, decode } = tokenizer
  if (!encode || !decode) return cutByCounts(window, maxTokens, tokenizer, isLast)
  let wordBefore = before.slice(wordStart(before, window))
  const sample = window.slice(0, Math.max(1, endOfPiece(window, Math.min(sampleLength, 2 * maxTokens))))
  const sampled = Math.max(1, encode(sample).length)
  let end = Math.ceil(((maxTokens + 1.5 * lookahead) * 1.1 * sample.length) / sampled)
  for (;;) {
    end = endOfPiece(window, Math.min(window.length, end))
    const ids = encode(wordBefore + window.slice(0, end))
    const from = tokensOf(wordBefore, ids, decode)
    if (from === undefined) {
      // The chunk begins inside a token, so its tokenization starts afresh.
      wordBefore = ''
      continue
    }
    const tokens = ids.length - from
    if (end === window.length && tokens <= maxTokens) {
      if (!isLast) return undefined
      return cutUnderCap(window, ids.slice(from), maxTokens, tokenizer, decode)
    }
    if (end === window.length || tokens > maxTokens + lookahead) {
      return cutUnderCap(window, ids.slice(from, from + maxTokens), maxTokens, tokenizer, decode)
    }
    end = Math.ceil(end * Math.max(1.1, (1.1 * (maxTokens + 2 * lookahead)) / Math.max(1, tokens)))
  }
}

/**
 * Where the tokenization of `before` + `window` can start: at the space before the word in which, or with which, the chunk
 * begins. In most tokenizers, words begin with one space that follows something else.
 */
function wordStart(before: string, window: string): number {
  const text = before + window.slice(0, 1)
  for (let at = before.length; at > 0; at--) {
    if (text[at] === ' ' && isInk(text[at - 1]) && isInk(at + 1 < text.length ? text[at + 1] : window[1]))
      return at
  }
  return before.length < contextCharacters ? 0 : before.length
}

const isInk = (sign: string | undefined) => sign !== undefined && /\S/.test(sign)

/** How many leading tokens are exactly `text`; undefined when no token ends there. */
function tokensOf(
  text: string,
  ids: readonly number[],
  decode: (ids: readonly number[]) => string,
): number | undefined {
  let [low, high] = [0, Math.min(ids.length, text.length * 4)]
  while (low < high) {
    const middle = (low + high) >> 1
    if (decode(ids.slice(0, middle)).length < text.length) low = middle + 1
    else high = middle
  }
  // The first bytes of a character already decode to a replacement character.
  for (let tokens = low; tokens <= Math.min(ids.length, low + mostTokensTrimmed); tokens++) {
    if (decode(ids.slice(0, tokens)) === text) return tokens
  }
  return undefined
}

/** Drops tokens until the rest ends with a whole character, is the start of the window, and stays under the cap on its own. */
async function cutUnderCap(
  window: string,
  ids: readonly number[],
  maxTokens: number,
  tokenizer: Tokenizer,
  decode: (ids: readonly number[]) => string,
): Promise<Cut> {
  let trimmed = 0
  for (let tokens = ids.length; tokens > 0 && trimmed <= mostTokensTrimmed; tokens--) {
    const text = decode(ids.slice(0, tokens))
    if (text === '' || !window.startsWith(text)) {
      trimmed++
      continue
    }
    trimmed = 0
    const counted = await tokenizer.count(text)
    if (counted <= maxTokens) return { length: text.length, tokens }
    if (counted > maxTokens + mostAfresh) tokens = Math.ceil((tokens * maxTokens) / counted)
  }
  // The tokens do not decode to the text, or no whole character fits the cap.
  return (await cutByCounts(window, maxTokens, tokenizer, true)) as Cut
}

/**
 * Without ids: a prefix of `maxTokens` tokens, or else the longest shorter one, narrowed from both sides; at least one character.
 */
async function cutByCounts(
  window: string,
  maxTokens: number,
  tokenizer: Tokenizer,
  isLast: boolean,
): Promise<Cut | undefined> {
  let best: Cut = { length: 0, tokens: 0 }
  let tooLong = window.length + 1
  let guess = Math.min(window.length, maxTokens * 4)
  for (let round = 1; ; round++) {
    const length = endOfPiece(window, guess) > best.length ? endOfPiece(window, guess) : guess + 1
    if (length >= tooLong) return best
    const tokens = await tokenizer.count(window.slice(0, length))
    // A character of more tokens than the cap cannot be cut.
    const isFirst = best.length === 0 && endOfPiece(window, length - 1) === 0
    if (tokens > maxTokens && !isFirst) tooLong = length
    else best = { length, tokens }
    if (best.length === window.length && tokens < maxTokens) return isLast ? best : undefined
    if (best.tokens >= maxTokens) return best
    const proportional = Math.round((length * maxTokens) / Math.max(1, tokens))
    const middle = Math.floor((best.length + tooLong) / 2)
    guess = round < 8 && proportional > best.length && proportional < tooLong ? proportional : middle
    if (guess <= best.length) return best
    guess = Math.min(guess, window.length)
  }
}

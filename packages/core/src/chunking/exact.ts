/** Where a chunk ends in `exact` mode. */
import { endOfPiece } from '../documents/text-document.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Cut } from './natural.ts'

/** Behind this many characters more, a cut no longer changes the tokens before it. */
const lookahead = 64

/** The first `maxTokens` tokens of the text from the chunk's start. */
export async function cutExactly(
  window: string,
  maxTokens: number,
  tokenizer: Tokenizer,
  isLast: boolean,
): Promise<Cut> {
  const { encode, decode } = tokenizer
  if (!encode || !decode) return cutByCounts(window, maxTokens, tokenizer, isLast)
  for (let factor = 5; ; factor *= 2) {
    const end = endOfPiece(window, Math.min(window.length, maxTokens * factor + lookahead))
    const ids = encode(window.slice(0, end))
    const isWhole = end === window.length
    if (ids.length <= maxTokens && isWhole) {
      // All of it fits; when the document goes on, the window was far too short, which eight characters a token rule out.
      return { length: end, tokens: ids.length }
    }
    if (ids.length > maxTokens + lookahead || isWhole)
      return trimToCharacter(ids.slice(0, maxTokens), decode, window)
  }
}

/** Fewer tokens, until they end with a whole character and are the window's beginning. */
function trimToCharacter(ids: number[], decode: (ids: readonly number[]) => string, window: string): Cut {
  for (let tokens = ids.length; tokens > 0; tokens--) {
    const text = decode(ids.slice(0, tokens))
    if (text !== '' && window.startsWith(text)) return { length: text.length, tokens }
  }
  // A character of more tokens than the cap: it cannot be cut.
  return { length: window.codePointAt(0)! > 0xffff ? 2 : 1, tokens: ids.length }
}

/** Without ids: the longest prefix of at most `maxTokens`, by halving. */
async function cutByCounts(
  window: string,
  maxTokens: number,
  tokenizer: Tokenizer,
  isLast: boolean,
): Promise<Cut> {
  if (isLast) {
    const tokens = await tokenizer.count(window)
    if (tokens <= maxTokens) return { length: window.length, tokens }
  }
  let [low, high] = [1, window.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((await tokenizer.count(window.slice(0, endOfPiece(window, middle)))) <= maxTokens) low = middle
    else high = middle - 1
  }
  const length = Math.max(endOfPiece(window, low), window.codePointAt(0)! > 0xffff ? 2 : 1)
  return { length, tokens: await tokenizer.count(window.slice(0, length)) }
}

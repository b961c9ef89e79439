/** Where a chunk ends in `natural` mode. */
import { endOfPiece } from '../documents/text-document.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'

export interface Cut {
  /** Characters of the chunk, at least 1. */
  readonly length: number
  readonly tokens: number
}

/** A word with the white space in front of it; its end is where words of most tokenizers end, too. */
const units = /\s*\S{1,64}/g
/** A paragraph end is taken when the chunk is then at least this full. */
const paragraphFill = 2 / 3
const sentenceFill = 1 / 3

/**
 * @param window text from the chunk's start; longer than any chunk unless `isLast`
 */
export async function cutNaturally(
  window: string,
  maxTokens: number,
  tokenizer: Tokenizer,
  isLast: boolean,
): Promise<Cut> {
  // First guess by counting unit by unit, then count the whole and give way while it is too long.
  const ends: number[] = []
  let sum = 0
  let full = false
  for (const match of window.matchAll(units)) {
    const tokens = await tokenizer.count(match[0])
    if (sum + tokens > maxTokens) {
      full = true
      break
    }
    sum += tokens
    ends.push(match.index + match[0].length)
  }
  if (!full && isLast) {
    const tokens = await tokenizer.count(window)
    if (tokens <= maxTokens) return { length: window.length, tokens }
  }
  while (ends.length > 0) {
    const length = bestEnd(window, ends)
    const tokens = await tokenizer.count(window.slice(0, length))
    if (tokens <= maxTokens) return { length, tokens }
    while (ends.length > 0 && ends.at(-1)! >= length) ends.pop()
  }
  return cutAnywhere(window, maxTokens, tokenizer)
}

/** The latest paragraph end, sentence or line end, or word end among `ends`, in that order, if late enough. */
function bestEnd(window: string, ends: readonly number[]): number {
  const last = ends.at(-1)!
  const head = window.slice(0, last)
  const paragraph = head.lastIndexOf('\n\n')
  if (paragraph > 0 && paragraph + 2 >= last * paragraphFill) return paragraph + 2
  for (let i = ends.length - 1; i >= 0 && ends[i]! >= last * sentenceFill; i--) {
    const end = ends[i]!
    if (/[.!?]["')\]]*$/.test(window.slice(Math.max(0, end - 4), end)) || window[end] === '\n') return end
  }
  return last
}

/** A single word longer than the cap: the longest prefix under it, by halving; one character at least. */
async function cutAnywhere(window: string, maxTokens: number, tokenizer: Tokenizer): Promise<Cut> {
  let [low, high] = [1, Math.max(1, Math.min(window.length, maxTokens * 8))]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((await tokenizer.count(window.slice(0, endOfPiece(window, middle)))) <= maxTokens) low = middle
    else high = middle - 1
  }
  const length = Math.max(endOfPiece(window, low), window.codePointAt(0)! > 0xffff ? 2 : 1)
  return { length, tokens: await tokenizer.count(window.slice(0, length)) }
}

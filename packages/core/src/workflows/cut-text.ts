/** Cuts texts without changing what they say. */
import { isWordEnd } from '../chunking/natural.ts'
import { lastSentenceEnd } from '../chunking/text-ends.ts'
import type { ReadingContext } from './workflow.ts'

/** As much of a text as fits, in whole sentences or words, neutralized as in prompts. */
export async function fitted(
  text: string,
  most: number,
  { neutralize, truncate }: Pick<ReadingContext, 'neutralize' | 'truncate'>,
): Promise<string> {
  const cut = async (safe: string) => {
    const fitting = await truncate(safe, most)
    return (fitting === safe ? safe : wholeSentences(fitting, safe.charAt(fitting.length))).trim()
  }
  let shown = await cut(neutralize(text))
  // The part that was cut off may have kept a tag from being one.
  while (neutralize(shown) !== shown) shown = await cut(neutralize(shown))
  return shown
}

/** A full stop after a letter; after a digit it may be a decimal point. */
const seemsToEnd = /\p{L}[.!?…]["'”’»)\]]*$/u

/**
 * A cut text up to its last sentence or line. If that would be less than half, only the last word goes: the cut may have split
 * it, and half a number is a different number. A text of one word stays.
 * @param next the character after the cut. @default a word goes on, unless a sentence seems to end
 */
export function wholeSentences(text: string, next = seemsToEnd.test(text) ? ' ' : 'x'): string {
  const seen = text + next
  const half = Math.floor(text.length / 2) + 1
  const end = lastSentenceEnd(seen, half, text.length) ?? text.lastIndexOf('; ') + 1
  if (end >= half) return text.slice(0, end)
  let word = text.length
  while (word > 0 && !isWordEnd(seen, word)) word--
  return word === 0 ? text : text.slice(0, word)
}

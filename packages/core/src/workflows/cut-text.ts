/** What is left of texts that are cut. */
import { isWordEnd } from '../chunking/natural.ts'
import { lastSentenceEnd } from '../chunking/text-ends.ts'
import type { ReadingContext } from './workflow.ts'

/** As much of a text as fits, in whole sentences or words, as prompts show it. */
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
  // What was cut may have kept a tag from being one.
  while (neutralize(shown) !== shown) shown = await cut(neutralize(shown))
  return shown
}

/**
 * A text that was cut, up to its last sentence or line; where that would be less than half, without its last word, of which
 * the cut may have left a part: half a number is another one. A text of one word stays.
 * @param next the character behind the cut. @default that of a word that goes on
 */
export function wholeSentences(text: string, next = 'x'): string {
  const seen = text + next
  const end = lastSentenceEnd(seen, Math.floor(text.length / 2) + 1, text.length)
  if (end !== undefined) return text.slice(0, end)
  let word = text.length
  while (word > 0 && !isWordEnd(seen, word)) word--
  return word === 0 ? text : text.slice(0, word)
}

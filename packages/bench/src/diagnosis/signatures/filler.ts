import type { Signature } from '../signature.ts'
import { contentWords, wordsOf } from '../words.ts'

/** Words in a phrase, and how often it must occur. */
const phraseWords = 3
const repetitions = 3

/**
 * The final memory says nothing: it has no content word of the references or the question, or half of it is one three-word
 * phrase said at least three times. An empty memory is not filler.
 */
export const filler: Signature = {
  name: 'filler',
  title: 'filler',
  definition:
    'The final memory has no content word of the references or the question, or half of it is one phrase said three times and more.',
  isIn({ record: { question, references, trace }, fact }) {
    if (fact?.isHeldAtEnd) return false
    const words = wordsOf(trace.at(-1)?.memory ?? '')
    if (words.length === 0) return false
    const wanted = contentWords([question, ...references].join('\n'))
    return (wanted.size > 0 && !words.some((word) => wanted.has(word))) || isRepetitive(words)
  },
}

function isRepetitive(words: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (let i = 0; i + phraseWords <= words.length; i += 1) {
    const phrase = words.slice(i, i + phraseWords).join(' ')
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
  }
  return [...counts.values()].some((count) => count >= repetitions && count * phraseWords >= words.length / 2)
}

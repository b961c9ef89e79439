/**
 * Makes prose strange: verse, speakers' names, invented words. Training prose comes in few kinds; a reader that has seen no
 * others may take anything unusual for an answer.
 */
import type { Random } from '@memagent/tasks'
import { inventWord } from './invent-word.ts'
import type { Prose } from './prose-passages.ts'

/** @param sentences as from `drawPassage` @returns about as much text, in as many parts */
export function makeStrange(sentences: readonly string[], prose: Prose, random: Random): string[] {
  const share = random.pick([0, 0.1, 0.3, 0.7])
  const invented = sentences.map((sentence) =>
    sentence.replace(/\p{L}{3,}/gu, (word) =>
      random.next() < share ? inCaseOf(word, inventWord(prose, random)) : word,
    ),
  )
  return random.chance(0.5) ? inVerse(invented, prose, random) : invented
}

/** Short capitalized lines, sometimes under a speaker's name. */
function inVerse(sentences: readonly string[], prose: Prose, random: Random): string[] {
  const wordsPerLine = 4 + random.int(8)
  let word = 0
  return sentences.map((sentence, i) => {
    const speaker = random.chance(0.15) ? `\n\n${random.pick(prose.words).toUpperCase()}\n` : ''
    const lines = sentence.replace(/ (\S)/g, (space, next: string) => {
      word++
      return word % wordsPerLine === 0 ? `\n${next.toUpperCase()}` : space
    })
    return i > 0 && speaker ? speaker + lines.trimStart() : lines
  })
}

function inCaseOf(model: string, word: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase()
  return /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word.toLowerCase()
}

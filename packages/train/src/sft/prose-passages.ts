/** Passages of real prose for training sections: texts are cut into sentences that join back to the text. */
import { ConfigurationError } from '@memagent/core'
import type { Random } from '@memagent/tasks'

/** Ends a sentence: closing punctuation with its quotes before white space, or a line break. */
const sentenceEnd = /[.!?]["')\]]*(?=\s)|\n/g

export interface Prose {
  /** Sentences of all texts in order; each keeps its leading white space. */
  readonly sentences: readonly string[]
  /** Character offset of each sentence, and of the end: one more entry than sentences. */
  readonly starts: Float64Array
  /** Words of the texts, for word salad. */
  readonly words: readonly string[]
}

/**
 * @param purpose of the texts, for messages
 * @throws ConfigurationError if there is too little prose
 */
export function loadProse(texts: Iterable<string>, purpose: 'Training' | 'Evaluation' = 'Training'): Prose {
  const sentences: string[] = []
  const words = new Set<string>()
  for (const text of texts) {
    let from = 0
    for (const match of text.matchAll(sentenceEnd)) {
      const to = match.index + match[0].length
      if (to - from < 2) continue
      sentences.push(text.slice(from, to))
      from = to
    }
    if (from < text.length) sentences.push(text.slice(from))
    for (const [word] of text.matchAll(/\p{L}{2,14}/gu)) words.add(word)
  }
  const starts = new Float64Array(sentences.length + 1)
  sentences.forEach((sentence, i) => {
    starts[i + 1] = starts[i]! + sentence.length
  })
  if (starts[sentences.length]! < 50_000) {
    throw new ConfigurationError({
      code: 'train/too-little-prose',
      message: `${purpose} needs at least 50,000 characters of prose and found ${starts[sentences.length]}.`,
      hint:
        purpose === 'Training'
          ? 'Give more texts: of a folder, prose.evaluationShare are kept for evaluation, whole files. Without a folder, they are the documentation that npm ci installs.'
          : 'Give a larger prose.evaluationShare, or 0 to train on all and evaluate nothing.',
    })
  }
  return { sentences, starts, words: [...words] }
}

/**
 * A passage of about `characters` characters from a random place, as a list of whole sentences. Long ones (tables, one-line
 * licences) are cut.
 */
export function drawPassage(prose: Prose, random: Random, characters: number): string[] {
  const passage: string[] = []
  let at = random.int(prose.sentences.length)
  let left = characters
  while (left > 0) {
    const sentence = prose.sentences[at]!
    const part = sentence.length > left + 40 ? sentence.slice(0, left) : sentence
    passage.push(part)
    left -= Math.max(part.length, 1)
    at = (at + 1) % prose.sentences.length
  }
  passage[0] = passage[0]!.trimStart()
  return passage
}

/** Sentences of random words: reading must not depend on what the prose happens to say. */
export function drawWordSalad(prose: Prose, random: Random, characters: number): string[] {
  const sentences: string[] = []
  let left = characters
  while (left > 0) {
    const words = Array.from({ length: 4 + random.int(16) }, () => random.pick(prose.words))
    const sentence = `${sentences.length === 0 ? '' : random.int(5) === 0 ? '\n\n' : ' '}${words.join(' ')}${random.pick(['.', '.', '.', ';', '?', ':'])}`
    sentences.push(sentence)
    left -= sentence.length
  }
  return sentences
}

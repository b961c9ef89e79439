/** The documents of a RULER-HQA text: the question's own, and others of the corpus, each once. */
import { TaskError } from '@memagent/core'
import type { Random } from '../random.ts'
import { shuffledRange } from '../ruler/draw.ts'
import { fillText } from '../ruler/fill-text.ts'
import type { QaCorpus, QaQuestion } from '../ruler/qa-corpus.ts'
import { createMeter } from '../ruler/token-meter.ts'
import { tooShort } from '../ruler/too-short.ts'

/** A number of documents, or a number of tokens to fill. */
export type TextSize =
  | { readonly documents: number }
  | { readonly tokens: number; readonly countTokens: (document: number) => number }

/**
 * A longer text contains every document of a shorter one.
 * @returns numbers of documents, in no particular order
 * @throws TaskError when the question's own do not fit, or the corpus has too few
 */
export function chooseDocuments(
  random: Random,
  { own }: QaQuestion,
  { documents }: QaCorpus,
  size: TextSize,
): readonly number[] {
  const isOwn = new Set(own)
  const others = shuffledRange(random, documents.count).filter((document) => !isOwn.has(document))
  if ('documents' in size) {
    if (size.documents < own.length) {
      throw new TaskError({
        code: 'task/too-few-documents',
        message: `${size.documents} documents are requested, but the question alone brings ${own.length}`,
        hint: 'Ask for more documents.',
      })
    }
    if (size.documents > documents.count) {
      throw tooFew(documents.count, `${size.documents} documents`)
    }
    return [...own, ...others.subarray(0, size.documents - own.length)]
  }
  const tokensOf = createMeter(size.countTokens, (document) => documents.bytesOf(document))
  const filled = fillText(own, others, size.tokens, tokensOf)
  if (filled === undefined) throw tooShort('ruler-hqa', size.tokens)
  if (!filled.isFull) throw tooFew(documents.count, `a text of ${size.tokens} tokens`)
  return filled.chosen
}

const tooFew = (count: number, wanted: string): TaskError =>
  new TaskError({
    code: 'task/corpus-too-small',
    message: `the ${count} paragraphs of the file are not enough for ${wanted}`,
    hint: 'Ask for a shorter text, or give a larger file: HotpotQA’s development set has 66,635 paragraphs.',
    details: { count },
  })

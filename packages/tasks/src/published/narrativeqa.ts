/**
 * NarrativeQA (Kočiský et al., arXiv 1712.07040) as on Hugging Face, and files like it: `question`, `answers` and `document`,
 * each a text or an object with `text`; or instead of the document `documentFile`, a path relative to the file of the row. The document's `id`, `kind` and `word_count` become labels.
 */
import { dirname, resolve } from 'node:path'
import type { TextDocument } from '@memagent/core'
import { createFileDocument } from '@memagent/core/node'
import { z } from 'zod'
import { badRow, type Row, text } from '../rows/row-file.ts'
import { rougeL } from '../verifiers/rouge-l.ts'
import { scoreAnswer } from '../verifiers/score.ts'
import { tokenF1 } from '../verifiers/token-f1.ts'
import {
  bestOf,
  definePublishedTask,
  labelsOf,
  publishedDeviations,
  publishedOptions,
} from './published-task.ts'

/** A non-empty text, or an object with one. */
const textOrObject = z
  .preprocess((value) => (value as { text?: unknown } | null | undefined)?.text ?? value, text)
  .meta({ takes: 'a text that is not empty, or an object with one as "text"' })

/** Metrics: `f1` and `rouge_l` as LongBench defines them, the best over the answers, plus `strict` and `lenient`. */
export const narrativeQa = definePublishedTask({
  name: 'narrativeqa',
  description: 'NarrativeQA: questions about whole books and film scripts, from a file of its rows.',
  options: publishedOptions,
  row: z
    .object({
      question: textOrObject,
      answers: z.array(textOrObject).min(1).meta({ takes: 'a list of texts, or of objects with "text"' }),
      document: textOrObject.optional(),
      documentFile: text.nullish(),
    })
    .refine(({ document, documentFile }) => (document ?? documentFile ?? undefined) !== undefined, {
      path: ['document'],
      message: 'it takes a text, or an object with "text"',
    }),
  benchmarkOf: () => ({
    name: 'narrativeqa',
    deviations: [
      ...publishedDeviations,
      'F1 and ROUGE-L are those of LongBench; the paper gives BLEU, Meteor and another ROUGE-L.',
    ],
    async readRow({ fields: { question, answers, document, documentFile }, row, file, place }) {
      return {
        question: `${question}\nAnswer as briefly as you can, with a single phrase if possible.`,
        query: question,
        text: documentFile ? await openStory(resolve(dirname(file), documentFile), place) : document!,
        references: answers,
        labels: labelsOf(flatten(row), { id: 'id', storyKind: 'kind', words: 'word_count' }),
      }
    },
    score: (sample, answer) => ({
      f1: bestOf(tokenF1, answer, sample.references),
      rouge_l: bestOf(rougeL, answer, sample.references),
      ...scoreAnswer(sample, answer),
    }),
  }),
})

async function openStory(path: string, place: string): Promise<TextDocument> {
  try {
    return await createFileDocument(path)
  } catch (cause) {
    throw badRow(place, (cause as Error).message, cause)
  }
}

/** The row's fields together with those of its document object. */
const flatten = (row: Row): Row => ({
  ...row,
  ...(typeof row.document === 'object' && row.document !== null ? (row.document as Row) : {}),
})

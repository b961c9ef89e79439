/**
 * NarrativeQA (Kočiský et al., arXiv 1712.07040) as it is on Hugging Face, and files like it: `question`, `answers` and
 * `document`, each a text or an object with `text`; or `documentFile` instead, a path relative to the (first) file of rows. The
 * document's `id`, `kind` and `word_count` become labels.
 */
import { dirname, resolve } from 'node:path'
import type { TextDocument } from '@memagent/core'
import { createFileDocument } from '@memagent/core/node'
import type { Row } from '../rows/row-file.ts'
import { rougeL } from '../verifiers/rouge-l.ts'
import { scoreAnswer } from '../verifiers/score.ts'
import { tokenF1 } from '../verifiers/token-f1.ts'
import { definePublishedTask, publishedDeviations, publishedOptions } from './published-task.ts'
import { labelsOf, type RowFields } from './row-fields.ts'

/** Metrics: `f1` and `rouge_l` as LongBench defines them, the best of the answers, beside `strict` and `lenient`. */
export const narrativeQa = definePublishedTask({
  name: 'narrativeqa',
  description: 'NarrativeQA: questions about whole books and film scripts, of a file of its rows.',
  options: publishedOptions,
  benchmarkOf: (_, __, { path }) => ({
    name: 'narrativeqa',
    deviations: [
      ...publishedDeviations,
      'F1 and ROUGE-L are those of LongBench; the paper gives BLEU, Meteor and another ROUGE-L.',
    ],
    async readRow(fields, row) {
      const question = textOf(row.question) ?? fields.text('question')
      const texts = Array.isArray(row.answers) ? row.answers.map(textOf) : []
      const references = texts.filter((text) => text !== undefined)
      if (references.length === 0 || references.length < texts.length) {
        fields.fail('"answers" must be a list of texts, or of objects with "text"')
      }
      return {
        question: `${question}\nAnswer as briefly as you can, with a single phrase if possible.`,
        query: question,
        text:
          (row.documentFile ?? undefined) === undefined
            ? (textOf(row.document) ?? fields.fail('"document" must be a text, or an object with "text"'))
            : await openStory(resolve(dirname([path].flat()[0]!), fields.text('documentFile')), fields),
        references,
        labels: labelsOf(flatten(row), { id: 'id', storyKind: 'kind', words: 'word_count' }),
      }
    },
    score(sample, answer) {
      const best = (metric: (answer: string, reference: string) => number): number =>
        Math.max(...sample.references.map((reference) => metric(answer ?? '', reference)))
      return { f1: best(tokenF1), rouge_l: best(rougeL), ...scoreAnswer(sample, answer) }
    },
  }),
})

async function openStory(path: string, fields: RowFields): Promise<TextDocument> {
  try {
    return await createFileDocument([path])
  } catch (cause) {
    return fields.fail((cause as Error).message, cause)
  }
}

/** A text with something in it, or that of an object. */
function textOf(value: unknown): string | undefined {
  const text = (value as { text?: unknown } | null | undefined)?.text ?? value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/** Fields of the row, and those of its document's object. */
const flatten = (row: Row): Row => ({
  ...row,
  ...(typeof row.document === 'object' && row.document !== null ? (row.document as Row) : {}),
})

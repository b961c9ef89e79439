/**
 * Reads SQuAD files (Rajpurkar et al., arXiv 1606.05250 and 1806.03822) as RULER does: a paragraph is a document, and
 * unanswerable questions are left out. RULER uses the development set of version 2.0; version 1.1 has the same format. Tested
 * only with synthetic files of the format.
 */
import { z } from 'zod'
import { readJson } from '../rows/read-file.ts'
import { checkCorpus, type QaCorpus, type QaQuestion } from './qa-corpus.ts'
import { createTextStore } from './text-store.ts'

const entry = z.object({
  question: z.string(),
  is_impossible: z.boolean().default(false),
  answers: z.array(z.object({ text: z.string(), answer_start: z.unknown() })),
})
const paragraph = z.object({ context: z.string(), qas: z.array(entry) })
const squad = z.object({ data: z.array(z.object({ paragraphs: z.array(paragraph) })) })

/** @throws TaskError if the file cannot be read, has another format, or has no answerable question */
export async function readSquad(path: string): Promise<QaCorpus> {
  const documents = createTextStore()
  const questions: QaQuestion[] = []
  const { data } = await readJson(
    path,
    squad,
    'Give a file of SQuAD as it is published, such as dev-v2.0.json.',
  )
  for (const { paragraphs } of data) {
    const numbers = paragraphs.map(({ context }) => documents.add(context))
    for (const [i, { context, qas }] of paragraphs.entries()) {
      const document = numbers[i]!
      for (const { question, is_impossible, answers } of qas) {
        const starts = new Map<string, number>()
        for (const { text, answer_start } of is_impossible ? [] : answers) {
          if (text.trim() !== '' && !starts.has(text)) starts.set(text, placeOf(text, answer_start, context))
        }
        if (starts.size === 0) continue
        const places = [...starts].map(([text, start]) => ({ document, start, end: start + text.length }))
        questions.push({
          question,
          references: [...starts.keys()],
          own: [document],
          related: numbers.filter((other) => other !== document),
          evidence: places.every(({ start }) => start >= 0) ? places : [],
          supportingFacts: [],
        })
      }
    }
  }
  return checkCorpus(path, { documents, questions })
}

/** In UTF-16 code units, while the file counts code points. -1 if the answer is not in the context. */
function placeOf(answer: string, start: unknown, context: string): number {
  if (typeof start === 'number' && start >= 0) {
    const at = [...context].slice(0, start).join('').length
    if (context.startsWith(answer, at)) {
      return at
    }
  }
  return context.indexOf(answer)
}

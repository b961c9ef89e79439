/**
 * Reads SQuAD files (Rajpurkar et al., arXiv 1606.05250 and 1806.03822) as RULER does: a paragraph is a document, and
 * unanswerable questions are left out. RULER's is the development set of version 2.0; version 1.1 has the same format.
 * Tried on made-up files of the format only.
 */
import { readFile } from 'node:fs/promises'
import { TaskError } from '@memagent/core'
import { checkCorpus, createFieldReader, type QaCorpus, type QaQuestion } from './qa-corpus.ts'
import { createTextStore } from './text-store.ts'

/** @throws TaskError when the file cannot be read, is of another format, or has no answerable question */
export async function readSquad(path: string): Promise<QaCorpus> {
  const { text, list } = createFieldReader(path, 'SQuAD')
  const documents = createTextStore()
  const questions: QaQuestion[] = []
  for (const article of list(await parseFile(path), 'data')) {
    const paragraphs = list(article, 'paragraphs')
    const numbers = paragraphs.map((paragraph) => documents.add(text(paragraph, 'context')))
    for (const [i, paragraph] of paragraphs.entries()) {
      const document = numbers[i]!
      const context = text(paragraph, 'context')
      for (const entry of list(paragraph, 'qas')) {
        if ((entry as { is_impossible?: unknown } | null)?.is_impossible === true) {
          continue
        }
        const answers = new Map<string, number>()
        for (const answer of list(entry, 'answers')) {
          const reference = text(answer, 'text')
          if (reference.trim() !== '' && !answers.has(reference)) {
            answers.set(
              reference,
              placeOf(reference, (answer as { answer_start?: unknown }).answer_start, context),
            )
          }
        }
        if (answers.size > 0) {
          const places = [...answers].map(([reference, start]) => ({
            document,
            start,
            end: start + reference.length,
          }))
          questions.push({
            question: text(entry, 'question'),
            references: [...answers.keys()],
            own: [document],
            related: numbers.filter((other) => other !== document),
            evidence: places.every(({ start }) => start >= 0) ? places : [],
            supportingFacts: [],
          })
        }
      }
    }
  }
  return checkCorpus(path, { documents, questions })
}

/** In UTF-16 code units; the file counts code points. -1 where the answer is not in the context. */
function placeOf(answer: string, start: unknown, context: string): number {
  if (typeof start === 'number' && start >= 0) {
    const at = [...context].slice(0, start).join('').length
    if (context.startsWith(answer, at)) {
      return at
    }
  }
  return context.indexOf(answer)
}

async function parseFile(path: string): Promise<unknown> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (cause) {
    throw new TaskError({
      code: 'task/unreadable-file',
      message: `cannot read ${path}`,
      hint: 'Give the path of a SQuAD file, such as dev-v2.0.json.',
      cause,
      details: { path },
    })
  }
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new TaskError({
      code: 'task/bad-json',
      message: `${path} is no JSON: ${(cause as Error).message}`,
      cause,
      details: { path },
    })
  }
}

/**
 * Reads HotpotQA files (Yang et al., arXiv 1809.09600) in the distractor setting as RULER does: a paragraph with its title is
 * a document, and a question's ten paragraphs are always included. RULER uses the development set. Accepts JSON as its
 * authors publish it, and Parquet as on Hugging Face (hotpotqa/hotpot_qa). Tested only with synthetic files of these formats.
 */
import { z } from 'zod'
import { scanRows } from '../rows/open-rows.ts'
import { checkFields } from '../rows/row-file.ts'
import { checkCorpus, type DocumentSpan, type QaCorpus, type QaQuestion } from './qa-corpus.ts'
import { createTextStore, type TextStore } from './text-store.ts'

const columns = ['question', 'answer', 'supporting_facts', 'context'] as const
const row = z.object({
  question: z.string(),
  answer: z.string(),
  supporting_facts: z.array(z.tuple([z.string(), z.unknown()])),
  context: z.array(z.tuple([z.string(), z.array(z.string())])),
})

/** For Parquet: pairs a column of titles with another one. JSON rows already have pairs. */
function asPairs(value: unknown, column: string): unknown {
  const { title, [column]: seconds } = (value ?? {}) as Record<string, unknown>
  return Array.isArray(title) && Array.isArray(seconds) ? title.map((one, i) => [one, seconds[i]]) : value
}

interface Paragraph {
  readonly title: string
  readonly sentences: readonly string[]
  readonly document: number
}

/** @throws TaskError when the file cannot be read, is of another format, or has no question with an answer */
export async function readHotpotQa(path: string): Promise<QaCorpus> {
  const documents = createTextStore()
  const questions: QaQuestion[] = []
  for await (const { place, fields } of scanRows(path, columns)) {
    const found = fields()
    const supporting_facts = asPairs(found.supporting_facts, 'sent_id')
    const paired = { ...found, supporting_facts, context: asPairs(found.context, 'sentences') }
    const { question, answer, context, supporting_facts: facts } = checkFields(row, paired, place)
    const paragraphs = context.map(([title, sentences]): Paragraph => {
      return { title, sentences, document: documents.add(documentOf(title, sentences)) }
    })
    if (answer.trim() === '' || paragraphs.length === 0) continue
    const supportingFacts = supportingSpans(facts, paragraphs)
    const evidence = answerSpan(answer, supportingFacts, documents)
    questions.push({
      question,
      references: [answer],
      own: [...new Set(paragraphs.map(({ document }) => document))],
      related: [],
      evidence: evidence === undefined ? [] : [evidence],
      supportingFacts,
    })
  }
  return checkCorpus(path, { documents, questions })
}

const documentOf = (title: string, sentences: readonly string[]): string => `${title}\n${sentences.join('')}`

/** Finds sentences by title and ordinal; some published files name sentences that do not exist. */
const supportingSpans = (
  facts: readonly (readonly [title: string, ordinal: unknown])[],
  paragraphs: readonly Paragraph[],
): DocumentSpan[] =>
  facts.flatMap(([title, ordinal]) => {
    const paragraph = paragraphs.find((candidate) => candidate.title === title)
    const sentence = paragraph?.sentences[Number(ordinal)]
    if (paragraph === undefined || sentence === undefined) return []
    const start = documentOf(title, paragraph.sentences.slice(0, Number(ordinal))).length
    return [{ document: paragraph.document, start, end: start + sentence.length }]
  })

/** The first occurrence of the answer in the supporting sentences; some, such as yes and no, have none. */
function answerSpan(
  answer: string,
  facts: readonly DocumentSpan[],
  documents: TextStore,
): DocumentSpan | undefined {
  if (answer === 'yes' || answer === 'no') {
    return undefined
  }
  for (const { document, start, end } of facts) {
    const at = documents.textOf(document).slice(start, end).indexOf(answer)
    if (at >= 0) {
      return { document, start: start + at, end: start + at + answer.length }
    }
  }
  return undefined
}

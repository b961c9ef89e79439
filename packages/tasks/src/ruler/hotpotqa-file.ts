/**
 * Reads HotpotQA files (Yang et al., arXiv 1809.09600) in the distractor setting as RULER does: a paragraph with its title is
 * a document, and the ten paragraphs of a question are always there. RULER's is the development set. JSON as its authors
 * publish it, and Parquet as it is on Hugging Face (hotpotqa/hotpot_qa). Tried on made-up files of the formats only.
 */
import { isParquet } from '../rows/open-rows.ts'
import { jsonArrayItems } from './json-array-items.ts'
import {
  checkCorpus,
  createFieldReader,
  type DocumentSpan,
  type FieldReader,
  type QaCorpus,
  type QaQuestion,
} from './qa-corpus.ts'
import { createTextStore, type TextStore } from './text-store.ts'

interface Paragraph {
  readonly title: string
  readonly sentences: readonly string[]
  readonly document: number
}

/** @throws TaskError when the file cannot be read, is of another format, or has no question with an answer */
export async function readHotpotQa(path: string): Promise<QaCorpus> {
  const fields = createFieldReader(path, 'HotpotQA')
  const documents = createTextStore()
  const questions: QaQuestion[] = []
  const entries = (await isParquet(path)) ? parquetEntries(path, fields) : jsonArrayItems(path)
  for await (const entry of entries) {
    const paragraphs = fields.list(entry, 'context').map((paragraph): Paragraph => {
      const title = fields.text(paragraph, '0')
      const sentences = fields.list(paragraph, '1').map((_, i, all) => fields.text(all, String(i)))
      return { title, sentences, document: documents.add(documentOf(title, sentences)) }
    })
    const answer = fields.text(entry, 'answer')
    if (answer.trim() !== '' && paragraphs.length > 0) {
      const supportingFacts = supportingSpans(fields, entry, paragraphs)
      const evidence = answerSpan(answer, supportingFacts, documents)
      questions.push({
        question: fields.text(entry, 'question'),
        references: [answer],
        own: [...new Set(paragraphs.map(({ document }) => document))],
        related: [],
        evidence: evidence === undefined ? [] : [evidence],
        supportingFacts,
      })
    }
  }
  return checkCorpus(path, { documents, questions })
}

/** Rows with a column of titles beside one of sentences, as entries with pairs. */
async function* parquetEntries(path: string, fields: FieldReader): AsyncGenerator<unknown> {
  const { openParquetRows } = await import('../rows/parquet-rows.ts')
  const columns = ['question', 'answer', 'supporting_facts', 'context']
  for await (const row of (await openParquetRows(path)).scan(columns)) {
    const pairs = (column: string, second: string) => {
      const seconds = fields.list(row[column], second)
      return fields.list(row[column], 'title').map((title, i) => [title, seconds[i]])
    }
    yield {
      ...row,
      context: pairs('context', 'sentences'),
      supporting_facts: pairs('supporting_facts', 'sent_id'),
    }
  }
}

const documentOf = (title: string, sentences: readonly string[]): string => `${title}\n${sentences.join('')}`

/** Sentences named by title and ordinal; some of the published files name sentences that are not there. */
function supportingSpans(
  fields: FieldReader,
  entry: unknown,
  paragraphs: readonly Paragraph[],
): DocumentSpan[] {
  return fields.list(entry, 'supporting_facts').flatMap((fact) => {
    const title = fields.text(fact, '0')
    const ordinal = Number((fact as readonly unknown[])[1])
    const paragraph = paragraphs.find((candidate) => candidate.title === title)
    const sentence = paragraph?.sentences[ordinal]
    if (paragraph === undefined || sentence === undefined) {
      return []
    }
    const start = documentOf(title, paragraph.sentences.slice(0, ordinal)).length
    return [{ document: paragraph.document, start, end: start + sentence.length }]
  })
}

/** The first place of the answer in the supporting sentences; yes and no, among others, have none. */
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

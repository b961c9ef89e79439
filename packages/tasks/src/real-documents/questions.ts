/** Questions about given texts, one JSON object per line. The position of evidence is found here, not written by hand. */

import { type ByteRange, TaskError } from '@memagent/core'
import { z } from 'zod'
import { scanRows } from '../rows/open-rows.ts'
import { badRow, checkEveryRow, checkFields, text, texts } from '../rows/row-file.ts'
import { normalizeAnswer } from '../verifiers/normalize.ts'

export interface RealText {
  /** Path of its file below `texts/`: `licences/gpl-3.0.txt`. */
  readonly path: string
  /** The folder it is in: `licences`. */
  readonly kind: string
  readonly text: string
}

export interface RealQuestion {
  readonly id: string
  readonly text: RealText
  readonly question: string
  /** Each is right by itself; empty if the text does not answer. */
  readonly answers: readonly string[]
  /** Position of the first answer in the text, in UTF-8 bytes; undefined when the text does not answer. */
  readonly place: ByteRange | undefined
  /** Positions of the quotes that the answer rests on, in the order of reasoning. */
  readonly quotes: readonly ByteRange[]
}

const answer = z
  .string()
  .refine((value) => normalizeAnswer(value) !== '')
  .meta({ takes: 'a text with letters or digits' })

const row = z
  .strictObject({
    id: text,
    document: z.string(),
    question: text,
    answers: z.array(answer).min(1).optional(),
    evidence: texts.optional(),
    unanswerable: z.boolean().default(false),
  })
  .superRefine((fields, context) => {
    for (const path of ['answers', 'evidence'] as const) {
      if ((fields[path] === undefined) === fields.unanswerable) continue
      const message = fields.unanswerable
        ? 'what the text does not answer has neither answers nor evidence'
        : 'it takes a list of texts, unless the text does not answer'
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })

/**
 * Rows of `{id, document, question, answers, evidence}` or `{id, document, question, unanswerable: true}`. `evidence` is one
 * or more exact quotes that occur once in the text, the answer's own last; one of them contains the first of the `answers`.
 * @throws TaskError that names the wrong rows and what is wrong with each
 */
export async function readQuestions(path: string, texts: readonly RealText[]): Promise<RealQuestion[]> {
  const known = new Map(texts.map((text) => [text.path, text]))
  const ids = new Set<string>()
  const asked = new Set<string>()
  const questions = await checkEveryRow(
    path,
    scanRows(path),
    { code: 'task/bad-questions', hint },
    (found) => {
      const question = questionOf(checkFields(row, found.fields(), found.place), known, found.place)
      if (ids.size === ids.add(question.id).size) {
        throw badRow(found.place, `the id ${JSON.stringify(question.id)} was already used`)
      }
      if (asked.size === asked.add(`${question.text.path}\0${normalizeAnswer(question.question)}`).size) {
        throw badRow(found.place, 'the question was already asked')
      }
      return question
    },
  )
  if (questions.length > 0) return questions
  throw new TaskError({ code: 'task/bad-questions', message: `${path}: there are no questions`, hint })
}

const hint =
  'Each line is a JSON object: {"id": "...", "document": "kind/file", "question": "...", "answers": ["..."], "evidence": ["..."]}'

function questionOf(
  { id, document, question, answers = [], evidence = [] }: z.output<typeof row>,
  known: ReadonlyMap<string, RealText>,
  place: string,
): RealQuestion {
  const text = known.get(document)
  if (text === undefined) throw badRow(place, `there is no document ${JSON.stringify(document)}`)
  const quotes = evidence.map((quote) => findOnce(text.text, quote, place))
  const found = answers[0] === undefined ? undefined : findAnswer(text.text, answers[0], quotes)
  if (answers[0] !== undefined && found === undefined) {
    throw badRow(place, `${JSON.stringify(answers[0])}, the first answer, is not in the evidence`)
  }
  return {
    id,
    text,
    question,
    answers,
    place: found && inBytes(text.text, found),
    quotes: quotes.map((quote) => inBytes(text.text, quote)),
  }
}

/** A part of a text, in UTF-16 code units. */
interface Span {
  readonly start: number
  readonly end: number
}

function findOnce(text: string, quote: string, place: string): Span {
  const start = text.indexOf(quote)
  if (start < 0) throw badRow(place, `the document does not have ${shown(quote)}`)
  const again = text.indexOf(quote, start + 1)
  if (again < 0) return { start, end: start + quote.length }
  throw badRow(place, `the document has ${shown(quote)} twice, at the characters ${start} and ${again}`)
}

/** The answer as whole words, ignoring case and line breaks, in the last quote that contains it. */
function findAnswer(text: string, answer: string, quotes: readonly Span[]): Span | undefined {
  const words = answer.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'iu')
  for (const { start, end } of quotes.toReversed()) {
    const found = pattern.exec(text.slice(start, end))
    if (found !== null) {
      return { start: start + found.index, end: start + found.index + found[0].length }
    }
  }
  return undefined
}

function inBytes(text: string, { start, end }: Span): ByteRange {
  const startByte = Buffer.byteLength(text.slice(0, start))
  return { startByte, endByte: startByte + Buffer.byteLength(text.slice(start, end)) }
}

const shown = (quote: string): string =>
  JSON.stringify(quote.length > 60 ? `${quote.slice(0, 57)}...` : quote)

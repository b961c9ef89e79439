/** Questions about given texts, one JSON object a line. Where evidence stands is found here, not written down by people. */

import type { ByteRange } from '@memagent/core'
import { TaskError } from '@memagent/core'
import { normalizeAnswer } from '../verifiers/normalize.ts'

export interface RealText {
  /** Of its file below `texts/`: `licences/gpl-3.0.txt`. */
  readonly path: string
  /** The folder it is in: `licences`. */
  readonly kind: string
  readonly text: string
}

export interface RealQuestion {
  readonly id: string
  readonly text: RealText
  readonly question: string
  /** Any of them is right; empty where the text does not answer. */
  readonly answers: readonly string[]
  /** Where the first answer stands in the text, in UTF-8 bytes; undefined where the text does not answer. */
  readonly place: ByteRange | undefined
  /** Where the quotes stand that the answer rests on, in the order of reasoning. */
  readonly quotes: readonly ByteRange[]
}

/**
 * Lines of `{id, document, question, answers, evidence}` or `{id, document, question, unanswerable: true}`: `evidence` is
 * one or more exact quotes that the text has once, the answer's own last, and the first of the `answers` is in one of them.
 * @param path of the file, for errors
 * @throws TaskError that names the wrong lines, and what is wrong with each
 */
export function parseQuestions(jsonl: string, texts: readonly RealText[], path: string): RealQuestion[] {
  const known = new Map(texts.map((text) => [text.path, text]))
  const questions = new Map<string, RealQuestion>()
  const asked = new Set<string>()
  const problems: string[] = []
  for (const [i, line] of jsonl.split('\n').entries()) {
    if (line.trim() === '') {
      continue
    }
    try {
      const question = parseQuestion(line, known)
      check(!questions.has(question.id), `the id ${JSON.stringify(question.id)} was already used`)
      const wording = `${question.text.path}\0${normalizeAnswer(question.question)}`
      check(!asked.has(wording), 'the question was already asked')
      asked.add(wording)
      questions.set(question.id, question)
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error
      }
      problems.push(`line ${i + 1}: ${error.message}`)
    }
  }
  if (questions.size === 0 && problems.length === 0) {
    problems.push('there are no questions')
  }
  if (problems.length > 0) {
    const more = problems.length - shownProblems
    throw new TaskError({
      code: 'task/bad-questions',
      message: `${path}: ${problems.slice(0, shownProblems).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
      hint: 'Each line is a JSON object: {"id": "...", "document": "kind/file", "question": "...", "answers": ["..."], "evidence": ["..."]}',
      details: { path, problems },
    })
  }
  return [...questions.values()]
}

const shownProblems = 5

/** What is wrong with a line; becomes a TaskError with the line's number. */
class Problem extends Error {}

function check(isRight: boolean, problem: string): asserts isRight {
  if (!isRight) {
    throw new Problem(problem)
  }
}

const fields = ['id', 'document', 'question', 'answers', 'evidence', 'unanswerable']

function parseQuestion(line: string, known: ReadonlyMap<string, RealText>): RealQuestion {
  const row = parseObject(line)
  const unknown = Object.keys(row).find((field) => !fields.includes(field))
  check(unknown === undefined, `there is no field ${JSON.stringify(unknown)}`)
  const { document, unanswerable = false } = row
  const [id, question] = [textField(row, 'id'), textField(row, 'question')]
  const text = known.get(String(document))
  check(text !== undefined, `there is no document ${JSON.stringify(document)}`)
  check(typeof unanswerable === 'boolean', '"unanswerable" must be true or false')
  if (unanswerable) {
    const isBare = row.answers === undefined && row.evidence === undefined
    check(isBare, 'what the text does not answer has neither "answers" nor "evidence"')
    return { id, text, question, answers: [], place: undefined, quotes: [] }
  }
  const answers = textsField(row, 'answers')
  check(
    answers.every((answer) => normalizeAnswer(answer) !== ''),
    'every answer needs letters or digits',
  )
  const quotes = textsField(row, 'evidence').map((quote) => findOnce(text.text, quote))
  const place = findAnswer(text.text, answers[0]!, quotes)
  check(place !== undefined, `${JSON.stringify(answers[0])}, the first answer, is not in the evidence`)
  return {
    id,
    text,
    question,
    answers,
    place: inBytes(text.text, place),
    quotes: quotes.map((quote) => inBytes(text.text, quote)),
  }
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  let row: unknown
  try {
    row = JSON.parse(line)
  } catch (error) {
    throw new Problem(`it is not JSON: ${(error as Error).message}`)
  }
  check(typeof row === 'object' && row !== null && !Array.isArray(row), 'a JSON object is wanted')
  return row as Readonly<Record<string, unknown>>
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function textField(row: Readonly<Record<string, unknown>>, field: string): string {
  const value = row[field]
  check(isText(value), `"${field}" must be a string with something in it`)
  return value
}

function textsField(row: Readonly<Record<string, unknown>>, field: string): readonly string[] {
  const value = row[field]
  check(
    Array.isArray(value) && value.length > 0 && value.every(isText),
    `"${field}" must be a list of one or more strings`,
  )
  return value
}

/** A part of a text, in UTF-16 code units. */
interface Span {
  readonly start: number
  readonly end: number
}

function findOnce(text: string, quote: string): Span {
  const start = text.indexOf(quote)
  check(start >= 0, `the document does not have ${shown(quote)}`)
  const again = text.indexOf(quote, start + 1)
  check(again < 0, `the document has ${shown(quote)} twice, at the characters ${start} and ${again}`)
  return { start, end: start + quote.length }
}

/** The answer as whole words, in any case and on any number of lines: in the last quote that has it. */
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

/** Prints how several questions ended: for people, as one JSON document, as JSON lines, or as CSV. */
import { answerText, hideAddresses, totalUsage, type VerifiedStatement } from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import { cacheText } from '../commands/cache-option.ts'
import { printRemarks } from '../commands/open-text.ts'
import { exitCodeFor, printWarnings, type Result } from '../commands/print-result.ts'
import { sourcesFields, tellSources, unsupportedLines } from '../commands/sources-option.ts'
import { exitCodes } from '../failures.ts'
import { type OutputFlags, printable, printJson, type Terminal } from '../terminal.ts'
import { quotePlace } from '../view/place-text.ts'
import type { QuestionList } from './question-list.ts'
import type { AnswerFormat } from './questions-option.ts'
import { errorFields, type QuestionEnd } from './run-questions.ts'

/** A question as it was asked, and how it ended. */
export interface AnsweredQuestion {
  readonly id: string
  readonly text: string
  readonly end: QuestionEnd
  /** What `--verify` found. */
  readonly rechecked: readonly VerifiedStatement[] | undefined
}

/** @param ends one per question that was read @param rechecked what `--verify` found for each of them */
export const answeredQuestions = (
  { asked, readAs }: QuestionList,
  ends: readonly QuestionEnd[],
  rechecked: readonly AnsweredQuestion['rechecked'][] = [],
): readonly AnsweredQuestion[] =>
  asked.map(({ id, text }, i) => {
    const at = readAs[i]!
    return { id, text, end: ends[at]!, rechecked: rechecked[at] }
  })

export interface Answers {
  readonly questions: readonly AnsweredQuestion[]
  /** One per question that was read. */
  readonly ends: readonly QuestionEnd[]
  readonly reading: Result['reading']
  /** Undefined for stored answers. */
  readonly remarks?: readonly SourceRemark[]
}

interface PrintFlags extends OutputFlags {
  readonly format?: AnswerFormat
}

export async function printAnswers(answers: Answers, flags: PrintFlags, terminal: Terminal): Promise<void> {
  const { questions, ends, remarks = [] } = answers
  const { stdout, stderr } = terminal
  if (flags.json) printJson(stdout, wholeFields(answers))
  else if (flags.events) {
    // Everything else was printed as it happened.
    for (const { id, rechecked = [] } of questions) {
      for (const line of unsupportedLines(rechecked)) stderr.write(`${printable(id)}. ${line}\n`)
    }
  } else if (flags.format === 'jsonl') for (const question of questions) printJson(stdout, fieldsOf(question))
  else if (flags.format === 'csv') {
    const { csv } = await import('@memagent/bench')
    stdout.write(csv(questions.map(csvRow)))
  } else for (const [i, question] of questions.entries()) printForPeople(question, i, terminal)
  printRemarks(remarks, stderr)
  const cached = cacheText(usageOf(ends))
  if (cached !== undefined) {
    const left = ends.some(({ type }) => type === 'question-failed')
      ? ' Failed questions are not counted.'
      : ''
    stderr.write(`note: ${cached}${left}\n`)
  }
}

const usageOf = (ends: readonly QuestionEnd[]) =>
  totalUsage(ends.flatMap((end) => (end.type === 'answer' ? [end.usage] : [])))

function wholeFields({ questions, ends, reading, remarks }: Answers) {
  return {
    results: questions.map(fieldsOf),
    usage: usageOf(ends),
    remarks,
    ...reading,
  }
}

function fieldsOf({ id, text, end, rechecked }: AnsweredQuestion) {
  const head = { id, question: text }
  if (end.type === 'question-failed') {
    return { ...head, outcome: 'failed', error: errorFields(end.error), warnings: end.warnings }
  }
  const { answer, warnings, memory, steps, usage, seconds, unread } = end
  return {
    ...head,
    outcome: answer.outcome,
    answer: answer.text,
    warnings,
    memory,
    steps,
    usage,
    seconds,
    unread,
    ...sourcesFields(end, rechecked),
  }
}

/** `csv` puts each value on one line, and defuses formulas. */
function csvRow({ id, text, end, rechecked = [] }: AnsweredQuestion) {
  const isFailed = end.type === 'question-failed'
  const warnings = end.warnings.filter(({ touchesAnswer }) => isFailed || touchesAnswer)
  const statements = isFailed ? [] : (end.provenance?.answer ?? [])
  const sources = new Set(statements.flatMap((statement) => statement.sources.map(quotePlace)))
  return {
    id,
    question: text,
    outcome: isFailed ? 'failed' : end.answer.outcome,
    answer: isFailed ? '' : end.answer.text,
    sources: [...sources].join('; '),
    warnings: [...warnings.map(({ message }) => message), ...unsupportedLines(rechecked)].join(' '),
    error: isFailed ? hideAddresses(`${end.error.message} (${end.error.code})`) : '',
  }
}

function printForPeople(
  { id, text, end, rechecked }: AnsweredQuestion,
  index: number,
  terminal: Terminal,
): void {
  const { stdout } = terminal
  stdout.write(`${index === 0 ? '' : '\n'}${printable(id)}. ${printable(text)}\n`)
  if (end.type === 'question-failed') {
    // Printed with the other answers, so that it is not taken for a question without an answer.
    stdout.write(`failed: ${printable(hideAddresses(end.error.message))} (${end.error.code})\n`)
    return
  }
  stdout.write(`${printable(answerText(end.answer, end.unread !== undefined))}\n`)
  // The sources follow their answer on standard output.
  tellSources(end, rechecked, { ...terminal, stderr: stdout })
  printWarnings(end, stdout)
}

/** The code of the worst outcome: failed, then unsure, then not found. */
export function exitCodeOfAll(questions: readonly AnsweredQuestion[]): number {
  const codes = questions.map(({ end, rechecked }) =>
    end.type === 'answer' ? exitCodeFor(end, rechecked) : exitCodes.failed,
  )
  const order = [exitCodes.failed, exitCodes.unsure, exitCodes.notFound]
  return order.find((code) => codes.includes(code)) ?? exitCodes.ok
}

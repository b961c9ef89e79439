/** A run for a terminal: what was asked, its steps, and how it ended. Texts of documents and models are made safe for it. */
import { answerText, type ReadingUsage, type TracedStatement } from '@memagent/core'
import type { StoredRun } from '@memagent/store'
import type { ShownStep } from '@memagent/web'
import { askedQuestions, goingOnText } from '../run-store/run-settings.ts'
import { printable, printableLines } from '../terminal.ts'
import type { Colors } from './colors.ts'
import { memoryDifference } from './memory-difference.ts'
import { quotePlace, rangesText } from './place-text.ts'
import { clock, count } from './progress.ts'
import { stateText, timeText } from './run-summary.ts'
import { shortened, sourcesText, unfoundLines } from './sources.ts'

export interface StepView {
  readonly colors: Colors
  /** Show all unchanged lines, even of a long memory. @default false */
  readonly isWhole?: boolean
}

function titleOf(run: StoredRun): string {
  const { question, questions } = run
  if (question !== undefined) return `Question: ${printable(question)}`
  if (!questions) return 'Notes'
  const asked = askedQuestions(run).length
  return asked === 1 ? 'A list with one question' : `${asked} questions side by side`
}

export const headText = (run: StoredRun): string =>
  [
    titleOf(run),
    `Text: ${printable(run.document)}`,
    `Run ${run.id}, begun ${timeText(run.createdMs)}, ${stateText(run)}, ${count(run.steps)} ${run.steps === 1 ? 'step' : 'steps'}, ${printable(run.model)}, ${printable(run.workflow)}`,
    '',
  ]
    .map((line) => `${line}\n`)
    .join('')

/** @param steps the first and the last of several steps in which nothing happened */
export function unchangedText(steps: readonly ShownStep[]): string {
  const [first, last] = [steps[0], steps.at(-1)]
  if (!first || !last) return ''
  if (first === last)
    return `Step ${count(first.index + 1)}: ${rangesText(first.ranges)}\n  nothing changed\n`
  return `Steps ${count(first.index + 1)} to ${count(last.index + 1)}: nothing changed\n`
}

export function stepText(
  { index, ranges, memories, warnings, statements = [] }: ShownStep,
  view: StepView,
): string {
  const { colors, isWhole = false } = view
  const changes = memories
    .filter(({ changed }) => changed)
    .map(({ previous, memory, slot }) => {
      const of = slot === undefined ? '' : `  memory ${slot + 1}:\n`
      return of + memoryDifference(previous, memory, { colors, isWhole })
    })
  const isKept = memories.some(({ origin }) => origin === 'kept')
  const last = memories.at(-1)?.memory ?? ''
  const stayed = isWhole && last !== '' ? memoryDifference(last, last, { colors, isWhole }) : ''
  return [
    `Step ${count(index + 1)}: ${rangesText(ranges)}\n`,
    ...changes,
    changes.length > 0
      ? ''
      : `  ${isKept ? 'the memory was kept: the reply was unusable' : 'nothing changed'}\n${stayed}`,
    ...statements.map((statement) => statementText(statement, colors)),
    ...warnings.map(({ message }) => `  warning: ${printable(message)}\n`),
  ].join('')
}

/** Says where a statement was read. */
function statementText(statement: TracedStatement, { cyan }: Colors): string {
  const { verdict, sources } = statement
  if (verdict === 'not-found')
    return unfoundLines(statement)
      .map((line) => `  ${line}\n`)
      .join('')
  const which = verdict === 'derived' ? 'follows from' : 'from'
  return sources
    .map((source) => {
      const place = cyan(`${which} ${quotePlace(source)}:`)
      return `  ${place} "${shortened(source.quote)}"\n`
    })
    .join('')
}

/** @param store what to add to a command so that it finds the run */
export function endText(run: StoredRun, store: string): string {
  const { result, failure, state } = run
  if (!result) {
    if (state === 'running') return '\nIt is being read now.\n'
    const why = failure ? `: ${printable(failure.message)}` : '.'
    return `\nIt stopped here${why}\n${goingOnText(run, store)}\n`
  }
  // With several questions, each has its own end.
  if (result.type === 'answers') return ''
  const usage = `${usageText(result.usage)}, ${clock(result.seconds)}`
  const warnings = result.warnings.map(({ message, count: times }) => {
    const which = times === 1 ? '' : ` (the first of ${times})`
    return `warning: ${printable(message)}${which}\n`
  })
  const end =
    result.type === 'notes'
      ? `Notes:\n${printableLines(result.memory)}\n`
      : `Answer (${result.answer.outcome}): ${printable(answerText(result.answer, result.unread !== undefined))}\n`
  const sources = result.provenance ? sourcesText(result.provenance) : ''
  return `\n${end}${sources}${warnings.join('')}${usage}\n`
}

export function usageText(usage: ReadingUsage): string {
  const { calls, promptTokens, completionTokens, cachedPromptTokens, unreportedCalls = 0, fromCache } = usage
  const cached = cachedPromptTokens ? ` (${count(cachedPromptTokens)} from the server's cache)` : ''
  const answered = fromCache ? `; ${count(fromCache.calls)} more answered from the cache` : ''
  const known = `${count(promptTokens)} prompt tokens${cached}, ${count(completionTokens)} generated`
  const rest = `the server did not report the tokens${unreportedCalls < calls ? ` of ${count(unreportedCalls)} of them` : ''}`
  const tokens = [calls === 0 || unreportedCalls < calls ? [known] : [], unreportedCalls > 0 ? [rest] : []]
  return `${count(calls)} ${calls === 1 ? 'call' : 'calls'}, ${tokens.flat().join('; ')}${answered}`
}

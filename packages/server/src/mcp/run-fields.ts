/** What clients are told about a run. */
import {
  type AnswerEvent,
  answerText,
  positionText,
  type ReadingWarning,
  type SourceQuote,
  type TracedStatement,
} from '@memagent/core'
import type { StoredRun } from '@memagent/store'
import { goesOn, settingsOf } from '../runs/run-settings.ts'
import type { Fields } from './reply.ts'

/** How a run ended, or how far it is. @param goOn how a client continues a stopped run */
export function runFields(run: StoredRun, goOn: Fields): Fields {
  const { id, question, steps, failure, result } = run
  const isStopped = run.state === 'unfinished' && !goesOn(run)
  const state = isStopped ? 'unfinished' : run.state === 'finished' ? 'finished' : 'reading'
  // Remarks say what was not read: without them, "not in the text" would seem to cover all of it.
  const head = { run: id, state, question, chunks: steps, remarks: settingsOf(run)?.remarks }
  if (state === 'reading') return { ...head, next: `Call get_result with run ${id}.` }
  if (state === 'unfinished') return { ...head, stopped: failure?.message, hint: failure?.hint, ...goOn }
  if (result?.type === 'answer') return { ...head, ...answerFields(result) }
  if (result?.type === 'notes') {
    const { memory, warnings, usage } = result
    return { ...head, memory, warnings: messagesOf(warnings), calls: usage.calls }
  }
  if (result?.type !== 'answers') return head
  const answers = result.answers.map((answer, i) => ({
    question: run.questions?.[i],
    ...answerFields(answer),
  }))
  return { ...head, answers }
}

export function answerFields({ answer, unread, warnings, memory, usage, provenance }: AnswerEvent): Fields {
  return {
    answer: answerText(answer, unread !== undefined),
    outcome: answer.outcome,
    warnings: messagesOf(warnings),
    memory,
    unread,
    calls: usage.calls,
    sources: provenance?.answer && statements(provenance.answer),
  }
}

/** Warnings about the work that do not affect the answer. */
const ofTheWork: ReadonlySet<string> = new Set([
  ...['consolidation-failed', 'merge-failed', 'memories-forgotten', 'answer-asked-again', 'window-tight'],
])

const messagesOf = (warnings: readonly ReadingWarning[]): readonly string[] =>
  warnings
    .filter(({ code, touchesAnswer }) => touchesAnswer || !ofTheWork.has(code))
    .map(({ message, count }) => (count > 1 ? `${message} (the first of ${count} such warnings)` : message))

/** Where the answer and the memory come from. */
export function evidenceFields(run: StoredRun): Fields {
  const { result } = run
  const head = { run: run.id, state: run.state, question: run.question }
  if (result?.type === 'answers') {
    const answers = result.answers.map(({ provenance }, i) => ({
      question: run.questions?.[i],
      ...provenanceFields(provenance),
    }))
    return { ...head, answers }
  }
  return { ...head, ...provenanceFields(result?.provenance) }
}

const provenanceFields = (provenance: AnswerEvent['provenance']): Fields =>
  provenance
    ? {
        answer: provenance.answer && statements(provenance.answer),
        memory: statements(provenance.memory),
      }
    : { evidence: 'none is kept: the run is not finished, or sources were not looked for' }

const statements = (all: readonly TracedStatement[]) =>
  all.map(({ text, heading, verdict, sources, nearest }) => ({
    statement: text,
    heading,
    verdict,
    passages: sources.map(passage),
    nearestPassages: nearest?.map(passage),
  }))

const passage = ({ file, position, context, quote }: SourceQuote) => ({
  file,
  place: position && positionText(position),
  context,
  quote,
})

/** A run as clients see it: without paths, settings and owner. */
import { type AnswerEvent, answerText, type NotesEvent, positionText, type SourceQuote } from '@memagent/core'
import type { RunFailure, RunResult, RunSummary, StoredRun } from '@memagent/store'
import type { Run, RunResultBody } from '@memagent/web'
import { damagedRun } from './run-errors.ts'
import { goesOn, readsPaths, settingsOf } from './run-settings.ts'

/** Progress of a run that this server reads. */
export interface Progress {
  readonly state: 'waiting' | 'running'
  readonly steps: number
  readonly bytes?: number | undefined
  readonly sizeBytes?: number | undefined
  readonly chunksPerSecond?: number | undefined
  readonly secondsLeft?: number | undefined
  readonly remarks?: readonly string[] | undefined
}

/** @param obstacle why this server cannot continue the run, if it cannot */
export function runView(
  run: RunSummary & Partial<StoredRun>,
  progress?: Progress,
  obstacle?: RunFailure,
): Run {
  const { id, question, questions, document, model, workflow, createdMs, updatedMs, steps, outcome } = run
  const { checkpoint, result } = run
  const isToGoOn = goesOn(run) && !readsPaths(run)
  const isPromised = isToGoOn && obstacle === undefined
  const failure = isToGoOn ? obstacle : run.isDamaged ? damagedRun(id) : run.failure
  const files = readsPaths(run) ? undefined : settingsOf(run)?.files
  const bytes = checkpoint && checkpoint.usage.bytes / (questions?.length ?? 1)
  return defined({
    id,
    state: progress?.state ?? (isPromised ? 'waiting' : run.state),
    question,
    questions: questions && [...questions],
    document,
    files: files?.map(({ id, filename }) => ({ id, name: filename })),
    model,
    workflow,
    createdMs,
    updatedMs,
    steps: progress?.steps ?? steps,
    bytes: progress?.bytes ?? (bytes === undefined ? undefined : Math.round(bytes)),
    sizeBytes: progress?.sizeBytes,
    chunksPerSecond: progress?.chunksPerSecond,
    secondsLeft: progress?.secondsLeft,
    outcome,
    failure: progress || !failure ? undefined : failureOf(failure),
    result: result && resultView(result, questions ?? []),
    remarks: progress?.remarks ? [...progress.remarks] : settingsOf(run)?.remarks,
  })
}

export const failureOf = ({ code, message, hint }: RunFailure) => ({
  code,
  message,
  hint,
})

function resultView(result: RunResult, questions: readonly string[]): Run['result'] {
  if (result.type !== 'answers') return oneResultView(result)
  return {
    answers: result.answers.map((answer, i) => ({ question: questions[i] ?? '', ...oneResultView(answer) })),
  }
}

export function oneResultView(result: AnswerEvent | NotesEvent): RunResultBody {
  const { memory, warnings, usage, seconds, unread, provenance } = result
  const sources = provenance && (provenance.answer ?? provenance.memory).flatMap((one) => one.sources)
  return defined({
    answer: result.type === 'answer' ? answerText(result.answer, unread !== undefined) : undefined,
    outcome: result.type === 'answer' ? result.answer.outcome : ('notes' as const),
    memory,
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    sources: sources?.map(sourceView),
    usage: { ...usage },
    seconds,
    unread: unread && { ...unread },
  })
}

const sourceView = ({ quote, context, file, startByte, endByte, position, step }: SourceQuote) =>
  defined({
    quote,
    context,
    file,
    startByte,
    endByte,
    place: position && positionText(position),
    position: position && { ...position },
    step,
  })

/** Drops undefined fields. */
const defined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

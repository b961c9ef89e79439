/** Reads a text for several questions with one view, and says how each ended. */
import {
  hideAddresses,
  type MemAgentError,
  type Question,
  type QuestionEvent,
  type ReadingEvent,
  type ReadingWarning,
  readQuestions,
  WarningLog,
} from '@memagent/core'
import { interruptible, type ReadingRun } from '../commands/run-reading.ts'
import type { Terminal } from '../terminal.ts'
import { QuestionsProgress } from '../view/questions-progress.ts'

export type QuestionAnswer = Extract<ReadingEvent, { type: 'answer' }>

export interface QuestionFailure {
  readonly type: 'question-failed'
  readonly error: MemAgentError
  /** Warnings before the failure. */
  readonly warnings: readonly ReadingWarning[]
}

export type QuestionEnd = QuestionAnswer | QuestionFailure

/** @returns one end for each question, in their order @throws Interruption after Ctrl-C; what `readQuestions` throws */
export async function runQuestions(
  run: Omit<ReadingRun, 'question'>,
  questions: readonly Question[],
  terminal: Terminal,
): Promise<readonly QuestionEnd[]> {
  const progress = run.view && new QuestionsProgress(run.view, questions.length)
  const logs = questions.map(() => new WarningLog())
  const ends: QuestionEnd[] = []
  const all = { ...run, question: undefined }
  const read = (shared: Parameters<Parameters<typeof interruptible>[1]>[0]) =>
    readQuestions({ ...shared, questions })
  const onWait = (wait: ReadingEvent & { readonly type: 'wait' }) => {
    run.onEvent?.(wait)
    run.view?.handle(wait)
  }
  for await (const event of interruptible<QuestionEvent>(all, read, onWait, terminal)) {
    const { question } = event
    run.onEvent?.(printed(event))
    progress?.handle(event)
    if (event.type === 'warning') {
      logs[question]!.add(event)
      run.warnings?.add(event)
    } else if (event.type === 'answer') ends[question] = event
    else if (event.type === 'question-failed') {
      ends[question] = { type: event.type, error: event.error, warnings: logs[question]!.warnings }
    }
  }
  run.view?.end()
  return ends
}

const printed = (event: QuestionEvent) =>
  event.type === 'question-failed' ? { ...event, error: errorFields(event.error) } : event

/** For JSON; messages may name addresses with secrets. */
export const errorFields = ({ code, message, hint }: MemAgentError) => ({
  code,
  message: hideAddresses(message),
  ...(hint !== undefined && { hint: hideAddresses(hint) }),
})

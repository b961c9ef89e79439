/** Several questions about one text. Types only. */
import type { MemAgentError } from '../errors.ts'
import type { ReadingEvent } from '../reading/events.ts'
import type { ReadingOptions } from '../reading/options.ts'
import type { Json } from '../workflows/workflow.ts'

export interface Question {
  readonly text: string
  /** For messages: `line 7 of questions.txt`. */
  readonly place?: string | undefined
}

export interface QuestionsOptions<State extends Json = Json>
  extends Omit<
    ReadingOptions<State>,
    'question' | 'start' | 'answers' | 'renewsAnswer' | 'replays' | 'together'
  > {
  readonly questions: readonly Question[]
  /** Concurrent calls, over all questions. @default 8 */
  readonly concurrency?: number | undefined
}

export type QuestionEvent = (ReadingEvent | QuestionFailed) & {
  /** Number of the question in the list, from 0. */
  readonly question: number
}

/** The end of a question that could not be answered. It says nothing about the text. */
export interface QuestionFailed {
  readonly type: 'question-failed'
  readonly error: MemAgentError
}

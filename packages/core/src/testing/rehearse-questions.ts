/** Reads several questions about one text with a scripted model, and records how each ended. */
import { createTextDocument } from '../documents/text-document.ts'
import { readQuestions } from '../questions/read-questions.ts'
import type { CheckpointStore } from '../reading/checkpoint.ts'
import type { ReadingEvent } from '../reading/events.ts'
import type { ReadingOptions } from '../reading/options.ts'
import type { Conversation, Workflow } from '../workflows/workflow.ts'
import { contractText, outcomeOf, Recorder, type Responder } from './rehearsal.ts'

export interface QuestionsRehearsal
  extends Pick<ReadingOptions, 'limits' | 'signal' | 'ahead' | 'concurrency'> {
  readonly workflow: Workflow
  readonly respond: Responder
  readonly questions: readonly string[]
  readonly text?: string
  readonly checkpoints?: CheckpointStore
  /** This call (from 0) fails. */
  readonly failAtCall?: number
  /** Aborts after this many chunks, over all questions. */
  readonly abortAtChunk?: number
}

export interface RehearsedQuestion {
  /** Without durations. */
  readonly events: readonly object[]
  /** The last event, without duration; undefined if the reading has not ended. */
  readonly end: object | undefined
  /** Of the error, if the question failed. */
  readonly failure: string | undefined
}

export async function rehearseQuestions(rehearsal: QuestionsRehearsal): Promise<{
  readonly questions: readonly RehearsedQuestion[]
  readonly conversations: readonly Conversation[]
  readonly opened: number
}> {
  const { workflow, respond, questions, text = contractText(7), failAtCall, abortAtChunk } = rehearsal
  const recorder = new Recorder(respond, failAtCall)
  const controller = new AbortController()
  const document = createTextDocument(text)
  const told = questions.map((): ReadingEvent[] => [])
  const failures = questions.map((): string | undefined => undefined)
  let [opened, chunks] = [0, 0]
  for await (const event of readQuestions({
    ...rehearsal,
    questions: questions.map((question) => ({ text: question })),
    document: {
      ...document,
      open(signal) {
        opened++
        return document.open(signal)
      },
    },
    allowEmpty: true,
    model: recorder.model,
    workflow: recorder.watch(workflow),
    signal: rehearsal.signal ?? controller.signal,
  })) {
    const { question, ...own } = event
    if (own.type === 'question-failed') failures[question] = own.error.code
    else told[question]!.push(own)
    if (event.type === 'chunk-end' && ++chunks === abortAtChunk) controller.abort(new Error('stopped'))
  }
  return {
    questions: told.map((events, i) => {
      const last = events.at(-1)
      const end = last?.type === 'answer' ? outcomeOf(last) : undefined
      return { events: events.map(outcomeOf), end, failure: failures[i] }
    }),
    conversations: recorder.conversations,
    opened,
  }
}

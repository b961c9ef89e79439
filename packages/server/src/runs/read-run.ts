/** Reads a run of the server, keeping its steps and its end. */
import {
  type AnswerEvent,
  type CheckpointStore,
  MemAgentError,
  type QuestionEvent,
  type ReadingEvent,
  type ReadingOptions,
  readDocument,
  readQuestions,
} from '@memagent/core'
import type { RunResult, RunWriter } from '@memagent/store'

export interface RunReading extends Omit<ReadingOptions, 'question' | 'checkpoints'> {
  readonly question: string | undefined
  readonly questions: readonly string[] | undefined
  readonly writer: RunWriter
  readonly onEvent: (event: ReadingEvent | QuestionEvent) => void
  /** Called when a step is kept, with the number of steps. */
  readonly onSaved: (steps: number) => void
}

/** @throws what `readDocument` and `readQuestions` throw; the error of a failed question once the others have ended */
export async function readRun({
  question,
  questions,
  writer,
  onEvent,
  onSaved,
  ...options
}: RunReading): Promise<RunResult> {
  const shared = { ...options, provenance: true, checkpoints: telling(writer, onSaved) }
  if (questions) return readAll(readQuestions({ ...shared, questions: asked(questions) }), questions, onEvent)
  for await (const event of readDocument({ ...shared, question })) {
    onEvent(event)
    if (event.type === 'answer' || event.type === 'notes') return event
  }
  throw endedWithout()
}

const asked = (questions: readonly string[]) => questions.map((text) => ({ text }))

async function readAll(
  events: AsyncIterable<QuestionEvent>,
  questions: readonly string[],
  onEvent: RunReading['onEvent'],
): Promise<RunResult> {
  const answers: (AnswerEvent | undefined)[] = questions.map(() => undefined)
  const failed: MemAgentError[] = []
  for await (const event of events) {
    onEvent(event)
    if (event.type === 'question-failed') failed.push(event.error)
    if (event.type !== 'answer') continue
    const { question, ...answer } = event
    answers[question] = answer
  }
  const [first] = failed
  if (first) throw questionsFailed(failed.length, questions.length, first)
  if (answers.includes(undefined)) throw endedWithout()
  return { type: 'answers', answers: answers as readonly AnswerEvent[] }
}

/** The same store, reporting every step that it has kept. */
const telling = (writer: RunWriter, onSaved: (steps: number) => void): CheckpointStore => ({
  get name() {
    return writer.name
  },
  isWrittenFirst: writer.isWrittenFirst,
  keepsEvents: writer.keepsEvents,
  load: (identity) => writer.load(identity),
  async save(checkpoint) {
    await writer.save(checkpoint)
    onSaved(checkpoint.steps)
  },
  append: (entries) => writer.append(entries),
  readLog: () => writer.readLog(),
})

const questionsFailed = (failed: number, all: number, cause: MemAgentError) =>
  new MemAgentError({
    code: 'questions/failed',
    message: `${failed} of ${all} questions failed: nothing is known of their answers. The first: ${cause.message}`,
    cause,
  })

const endedWithout = () =>
  new MemAgentError({ code: 'workflow/no-answer', message: 'The reading ended without a result.' })

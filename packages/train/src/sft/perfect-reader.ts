/**
 * Readings of a perfect reader: a workflow reads a sample's document as in inference, but each response is written from the
 * sample's notes. Lessons show whatever the workflow shows a model.
 */
import { type ChatModel, type Json, type ModelProfile, readDocument, type Tokenizer } from '@memagent/core'
import type { NotedLines, Sample } from '@memagent/tasks'
import { PerfectCourse, type TaughtConversation } from './perfect-course.ts'
import { perfectNotes } from './perfect-notes.ts'
import { areIndependent, perfectRun } from './perfect-passes.ts'
import { isSame, type ResponseWriter } from './response-writers.ts'

/**
 * Every conversation of one reading.
 * @returns undefined if the notes cannot be made: a statement spans two chunks, a memory exceeds its budget, or notes depend
 *   on one another although chunks are read at the same time
 */
export async function perfectReading(
  sample: Sample,
  writer: ResponseWriter,
  profile: ModelProfile,
  tokenizer: Tokenizer,
  notFound: string,
): Promise<readonly TaughtConversation[] | undefined> {
  const { workflow } = writer
  if (workflow.run && !areIndependent(sample.notes ?? [])) return undefined
  const course = new PerfectCourse(sample)
  const answer = () => boxed(sample, course.lines, notFound)
  const taught: typeof workflow = {
    ...workflow,
    read(state, chunk, context) {
      const before = course.lines
      course.notesIn(chunk)
      const response = writer.update(before, course.lines, state)
      const kind = isSame(before, course.lines) ? 'kept' : 'changed'
      const section = course.sectionIn(chunk, context)
      return workflow.read(
        state,
        chunk,
        course.responding(context, () => ({ response, kind, section })),
      )
    },
    ...(workflow.run && { run: perfectRun(writer, course) }),
    answer(state, question, context) {
      return workflow.answer(
        state,
        question,
        course.responding(context, () => ({ response: answer(), kind: 'answer' })),
      )
    },
    ...(writer.readsAlone && perfectNotes(sample, writer, course, answer)),
  }
  const reading = readDocument<Json>({
    question: sample.question,
    document: sample.document,
    model: silent(profile, tokenizer),
    workflow: taught,
    acceptsSilence: true,
    allowEmpty: true,
  })
  let isQuiet = true
  for await (const event of reading) if (event.type === 'warning') isQuiet = false
  return isQuiet && course.isRight ? course.conversations : undefined
}

/** Gives several answers in the order they were noted. */
function boxed({ references, match }: Sample, lines: NotedLines, notFound: string): string {
  const noted = [...lines.values()]
  const order = (text: string) => (noted.includes(text) ? noted.indexOf(text) : noted.length)
  const wanted = match === 'all' ? references.toSorted((a, b) => order(a) - order(b)) : references.slice(0, 1)
  return `\\boxed{ ${wanted.length > 0 ? wanted.join('; ') : notFound}}`
}

const silent = (profile: ModelProfile, tokenizer: Tokenizer): ChatModel => ({
  name: 'perfect reader',
  profile,
  tokenizer,
  generate: () => Promise.reject(new Error('A perfect reader asks no model.')),
})

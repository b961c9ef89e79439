/**
 * What a perfect reader writes if all chunks are read against one memory: each chunk reports its own news, and a merge puts
 * them together. Chunks do not know each other, so only notes are taught that do not depend on one another, and that a reader
 * of the chunk alone can make.
 */
import type { Chunk, Json, ReadingContext, Workflow } from '@memagent/core'
import { applyNotes, type Note, type NotedLines } from '@memagent/tasks'
import type { PerfectCourse, Respond } from './perfect-course.ts'
import type { ResponseWriter } from './response-writers.ts'

/** Whether each note is a line of its own that no other note changes or drops. */
export const areIndependent = (notes: readonly Note[]): boolean =>
  new Set(notes.map(({ line }) => line)).size === notes.length &&
  notes.every(({ text }) => text !== undefined)

/**
 * The workflow's order of reading, with the responses of a perfect reader. Reports that do not fit one merge are no lesson:
 * a merge of several may only be half as long as they are.
 */
export function perfectRun(
  writer: ResponseWriter,
  course: PerfectCourse,
): NonNullable<Workflow<Json>['run']> {
  const nothing: NotedLines = new Map()
  /** Chunks by ordinal. */
  const chunks = new Map<number, { readonly chunk: Chunk; readonly alone: readonly Note[] }>()
  const observed = async function* (opened: AsyncIterable<Chunk>) {
    for await (const chunk of opened) {
      if (!chunks.has(chunk.ordinal)) {
        course.notesIn(chunk)
        chunks.set(chunk.ordinal, { chunk, alone: course.notesOfAlone(chunk) })
      }
      yield chunk
    }
  }
  const respondIn =
    (context: ReadingContext): Respond =>
    ({ tag }) => {
      if (tag.kind !== 'report') return { response: ` ${writer.shown(course.lines)}`, kind: 'changed' }
      const { chunk, alone } = chunks.get(tag.step)!
      // After the first pass the memory holds everything.
      const notes = tag.pass === 0 ? alone : []
      const lines = applyNotes(nothing, notes)
      return {
        response: writer.update(nothing, lines),
        kind: lines.size > 0 ? 'changed' : 'kept',
        section: course.sectionIn(chunk, context, notes),
      }
    }
  return async function* (state, openChunks, context) {
    yield* writer.workflow.run!(
      state,
      (from) => observed(openChunks(from)),
      course.responding(context, respondIn(context)),
    )
    course.isRight &&= course.isToldAlone
  }
}

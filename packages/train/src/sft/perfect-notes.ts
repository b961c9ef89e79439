/**
 * What a perfect reader writes if each chunk is read by itself, as the method map-reduce does with a model that knows only its
 * own prompts: a note is an update of an empty memory, a merge is one with the notes as its section, and the answer is written
 * from the notes.
 */
import { type Json, overwrite, type Workflow } from '@memagent/core'
import { applyNotes, type NotedLines, type Sample } from '@memagent/tasks'
import type { PerfectCourse } from './perfect-course.ts'
import type { ResponseWriter } from './response-writers.ts'

const nothing: NotedLines = new Map()

/** Separates notes, as in map-reduce. */
const between = '; '

/** @param answer gives the response to the last conversation */
export function perfectNotes(
  sample: Sample,
  writer: ResponseWriter,
  course: PerfectCourse,
  answer: () => string,
): Pick<Workflow<Json>, 'read' | 'answer'> {
  /** The notes of all chunks; map-reduce leaves out duplicates. */
  const notes = new Set<string>()
  const empty = overwrite.init(sample.question)
  return {
    async read(state, chunk, context) {
      course.notesIn(chunk)
      const alone = course.notesOfAlone(chunk)
      const lines = applyNotes(nothing, alone)
      if (lines.size > 0) notes.add(writer.shown(lines))
      const { text, statements } = course.sectionIn(chunk, context, alone)
      await overwrite.read(
        empty,
        chunk,
        course.responding(context, () => ({
          response: writer.update(nothing, lines),
          kind: lines.size > 0 ? 'changed' : 'kept',
          section: { text, statements },
        })),
      )
      return { state }
    },
    async answer(_, question, context) {
      const together = [...notes].join(between)
      course.isRight &&= saysAll(course.lines, together) && course.isToldAlone
      if (notes.size > 1) {
        const merged = { response: ` ${writer.shown(course.lines)}`, kind: 'changed' } as const
        const section = { ordinal: 0, text: together, ranges: [], tokens: 0 }
        await overwrite.read(
          empty,
          section,
          course.responding(context, () => merged),
        )
      }
      return overwrite.answer(
        overwrite.withMemory!(empty, together),
        question,
        course.responding(context, () => ({ response: answer(), kind: 'answer' })),
      )
    },
  }
}

/** Whether the memory of a whole reading follows from the notes: they contain it, or are numbers that add up to it. */
function saysAll(lines: NotedLines, together: string): boolean {
  const noted = together.split(between)
  const isThere = (text: string) => text.split(between).every((part) => noted.includes(part))
  const sum = noted.reduce((sum, text) => sum + Number(text), 0)
  return [...lines.values()].every((text) => isThere(text) || text === `${sum}`)
}

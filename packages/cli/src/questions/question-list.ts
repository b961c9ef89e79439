/** Questions as they were asked for, and as they are read: the same text twice is read once. */
import type { Question } from '@memagent/core'
import type { AskedQuestion } from './question-file.ts'

export interface QuestionList {
  /** All of them, in their order. */
  readonly asked: readonly AskedQuestion[]
  /** Each text once. */
  readonly read: readonly Question[]
  /** For each question asked, its index among those read. */
  readonly readAs: readonly number[]
}

/** @param name of the file, for messages */
export function questionList(asked: readonly AskedQuestion[], name: string): QuestionList {
  const places = new Map<string, number>()
  const read: Question[] = []
  const readAs = asked.map(({ text, line }) => {
    const before = places.get(text)
    if (before !== undefined) return before
    places.set(text, read.length)
    return read.push({ text, place: `line ${line} of ${name}` }) - 1
  })
  return { asked, read, readAs }
}

/** A failure signature: something that can be seen in a recorded run whose answer is wrong. Types only. */
import type { TracedRecord } from '../record.ts'
import type { FactCourse } from './fact.ts'

/** What a signature is judged by. */
export interface Failure {
  readonly record: TracedRecord
  /** The answer given; empty when the method said that the text does not answer. */
  readonly answer: string
  /** A wanted fact that the answer lacks; undefined when it lacks none, or none was wanted. */
  readonly fact: FactCourse | undefined
  /** Whether the method keeps a memory; otherwise only the prompts' content is known. */
  readonly hasMemory: boolean
  /** Token budget of the memory; undefined when the record has none. */
  readonly memoryBudget: number | undefined
}

export interface Signature {
  /** Stable, for programs. */
  readonly name: string
  /** A few words, for tables. */
  readonly title: string
  /** The definition in one sentence, for reports. */
  readonly definition: string
  isIn(failure: Failure): boolean
}

/** A failure signature: a pattern visible in a recorded run whose answer is wrong. Types only. */
import type { TracedRecord } from '../record.ts'
import type { FactCourse } from './fact.ts'

/** What a signature examines. */
export interface Failure {
  readonly record: TracedRecord
  /** Empty if the method answered that the text does not say. */
  readonly answer: string
  /** A wanted fact missing from the answer; undefined if none is missing or none was wanted. */
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

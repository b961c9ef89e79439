/** A task is a generator and a verifier: the same ones in training and in evaluation. Types only. */
import type { ByteRange, TextDocument } from '@memagent/core'

export interface SampleRequest {
  /** The same index gives the same question at every length. */
  readonly index: number
  readonly seed: number
  readonly lengthTokens: number
  /** Tokens of a text by the tokenizer of the model under test. */
  readonly countTokens: (text: string) => number
}

/** What a perfect reader does to one line of its memory when it has read a statement. */
export interface Note {
  /** Byte range of the statement. */
  readonly statement: ByteRange
  /** Which line: any name that is its own. A line that was not there is added. */
  readonly line: string
  /** What it says from now on; undefined drops it. */
  readonly text: string | undefined
}

export interface Sample {
  readonly id: string
  readonly question: string
  /** What a search for passages looks for: the question without instructions about the form of the answer. @default the question */
  readonly query?: string | undefined
  /** A stream that can be reopened and gives the same bytes each time. */
  readonly document: TextDocument
  /** Notes that the reader has before it begins. @default none */
  readonly memory?: string | undefined
  /** Empty when neither the document nor the notes answer. */
  readonly references: readonly string[]
  /** `any`: one reference is enough; `all`: every one is wanted. */
  readonly match: 'any' | 'all'
  /** Byte ranges of the references in the document, in their order; empty where a task does not know them. */
  readonly evidence: readonly ByteRange[]
  /** Byte ranges of the whole statements that the answer rests on, in the order of reasoning, where one is not enough. */
  readonly supportingFacts?: readonly ByteRange[]
  /** What a perfect reader notes, in the order of the document: for lessons. @default unknown */
  readonly notes?: readonly Note[] | undefined
  /** What it notes of these bytes alone, without having read the rest: for lessons of methods that read each chunk by itself. @default unknown */
  notesIn?(part: ByteRange): readonly Note[]
  /** Byte ranges of everything that was planted, decoys too: for lessons. @default unknown */
  readonly statements?: readonly ByteRange[] | undefined
  /** For grouping in reports: kind, template, depth, heldOut, ... */
  readonly labels: Readonly<Record<string, string | number | boolean>>
}

export interface Task {
  readonly name: string
  /**
   * For tasks of a published benchmark: where this one departs from it (other haystack, other word lists, ...). Results with
   * deviations do not carry the benchmark's name. @default none
   */
  readonly deviations?: readonly string[] | undefined
  /** How many different questions it has: later indices ask them again. @default without end */
  readonly questions?: number | undefined
  /** Its documents are as long as they are, and the length asked for is but a name. @default false */
  readonly keepsLength?: boolean | undefined
  sample(request: SampleRequest): Promise<Sample>
  /**
   * Named metrics, each 0..1.
   * @param answer undefined when the model said that the text does not answer
   * @param response the whole final response that the answer was taken from, for published metrics that are computed on it.
   * @default the answer
   */
  score(sample: Sample, answer: string | undefined, response?: string): Readonly<Record<string, number>>
}

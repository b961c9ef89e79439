/** A task generates samples and verifies answers, the same way in training and in evaluation. Types only. */
import type { ByteRange, TextDocument } from '@memagent/core'

export interface SampleRequest {
  /** The same index gives the same question at every length. */
  readonly index: number
  readonly seed: number
  readonly lengthTokens: number
  /** Counts tokens with the tokenizer of the model under test. */
  readonly countTokens: (text: string) => number
}

/** A perfect reader's change to one line of its memory after reading a statement. */
export interface Note {
  /** Byte range of the statement. */
  readonly statement: ByteRange
  /** A unique name of the line; an unknown one adds a line. */
  readonly line: string
  /** The line's new text; undefined removes the line. */
  readonly text: string | undefined
}

export interface Sample {
  readonly id: string
  readonly question: string
  /** What to search passages for: the question without instructions about the form of the answer. @default the question */
  readonly query?: string | undefined
  /** Can be reopened, and gives the same bytes each time. */
  readonly document: TextDocument
  /** Notes that the reader has at the start. @default none */
  readonly memory?: string | undefined
  /** Empty if neither the document nor the notes contain an answer. */
  readonly references: readonly string[]
  /** `any`: one reference is enough; `all`: every one is wanted. */
  readonly match: 'any' | 'all'
  /** Byte ranges of the references in the document, in the same order; empty if the task does not know them. */
  readonly evidence: readonly ByteRange[]
  /** Byte ranges of the whole statements that the answer rests on, in the order of reasoning, if one is not enough. */
  readonly supportingFacts?: readonly ByteRange[]
  /** What a perfect reader notes, in document order; for lessons. @default unknown */
  readonly notes?: readonly Note[] | undefined
  /** What it notes from these bytes alone; for lessons of methods that read each chunk separately. @default unknown */
  notesIn?(part: ByteRange): readonly Note[]
  /** Byte ranges of everything planted, including decoys; for lessons. @default unknown */
  readonly statements?: readonly ByteRange[] | undefined
  /** For grouping in reports: kind, template, depth, heldOut, ... */
  readonly labels: Readonly<Record<string, string | number | boolean>>
}

export interface Task {
  readonly name: string
  /**
   * For tasks of a published benchmark: how this one deviates from it (other haystack, other word lists, ...). Results with
   * deviations do not carry the benchmark's name. @default none
   */
  readonly deviations?: readonly string[] | undefined
  /** Number of distinct questions; later indices repeat them. @default without end */
  readonly questions?: number | undefined
  /** Its documents keep their own lengths, and the requested length is only a name. @default false */
  readonly keepsLength?: boolean | undefined
  /** Documents may be longer than the requested length, as it only says how far shorter ones are padded. @default false */
  readonly keepsLonger?: boolean | undefined
  sample(request: SampleRequest): Promise<Sample>
  /**
   * Named metrics, each 0..1.
   * @param answer undefined when the model said that the text does not answer
   * @param response the whole final response that the answer was taken from, for published metrics that are computed on it.
   * @default the answer
   */
  score(sample: Sample, answer: string | undefined, response?: string): Readonly<Record<string, number>>
}

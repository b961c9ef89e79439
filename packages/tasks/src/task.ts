/** A task is a generator and a verifier: the same ones in training and in evaluation. Types only. */
import type { Document } from '@memagent/core'

export interface SampleRequest {
  /** The same index gives the same question at every length. */
  readonly index: number
  readonly seed: number
  readonly lengthTokens: number
  /** Tokens of a text by the tokenizer of the model under test. */
  readonly countTokens: (text: string) => number
}

export interface Sample {
  readonly id: string
  readonly question: string
  /** A stream that can be opened again and gives the same bytes each time. */
  readonly document: Document
  /** Empty when the document does not hold the answer. */
  readonly references: readonly string[]
  /** `any`: one reference suffices; `all`: every one is wanted. */
  readonly match: 'any' | 'all'
  /** Byte ranges of the evidence in the document, in order of the references. */
  readonly evidence: readonly { readonly startByte: number; readonly endByte: number }[]
  /** What a report may group by: kind, template, depth, heldOut, ... */
  readonly labels: Readonly<Record<string, string | number | boolean>>
}

export interface Task {
  readonly name: string
  sample(request: SampleRequest): Promise<Sample>
  /** Named metrics, each 0..1. `answer` undefined: the model said that the text does not answer. */
  score(sample: Sample, answer: string | undefined): Readonly<Record<string, number>>
}

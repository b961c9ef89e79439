/** The common form of files with questions about documents. */
import { TaskError } from '@memagent/core'
import type { TextStore } from './text-store.ts'

/** A part of a document of the corpus, in UTF-16 code units. */
export interface DocumentSpan {
  readonly document: number
  readonly start: number
  readonly end: number
}

export interface QaQuestion {
  readonly question: string
  /** Each is right by itself; no duplicates. */
  readonly references: readonly string[]
  /** Documents always included: those with the answer and those that the file gives with them. */
  readonly own: readonly number[]
  /** Documents that fill up the text before any others. */
  readonly related: readonly number[]
  /** Positions of the references, in order; empty unless all are known. */
  readonly evidence: readonly DocumentSpan[]
  /** Sentences that the answer rests on; empty when the file does not give them. */
  readonly supportingFacts: readonly DocumentSpan[]
}

export interface QaCorpus {
  readonly documents: TextStore
  readonly questions: readonly QaQuestion[]
}

/** @throws TaskError when there are no questions */
export function checkCorpus(path: string, corpus: QaCorpus): QaCorpus {
  if (corpus.questions.length === 0) {
    throw new TaskError({
      code: 'task/no-questions',
      message: `there are no questions with answers in ${path}`,
      details: { path },
    })
  }
  return corpus
}

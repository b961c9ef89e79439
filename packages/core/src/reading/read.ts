/** The one-call form of a reading. */
import type { TextDocument } from '../documents/document.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { WorkflowError } from '../errors.ts'
import type { Answer, Json } from '../workflows/workflow.ts'
import type { ReadingUsage } from './events.ts'
import type { ReadingOptions } from './options.ts'
import { readDocument } from './reader.ts'
import type { ReadingWarning } from './warning-log.ts'

export interface ReadResult {
  /** Empty when the memory does not answer. */
  readonly answer: string
  readonly outcome: Answer['outcome']
  readonly warnings: readonly ReadingWarning[]
  /** The last memory. */
  readonly memory: string
  /** Chunks read. */
  readonly steps: number
  readonly usage: ReadingUsage
  readonly seconds: number
}

/** Reads a document (or a text) and answers; for progress events use `readDocument`. @throws as `readDocument` */
export async function read<State extends Json>(
  options: Omit<ReadingOptions<State>, 'document'> & { readonly document: TextDocument | string },
): Promise<ReadResult> {
  const document =
    typeof options.document === 'string' ? createTextDocument(options.document) : options.document
  for await (const event of readDocument<State>({ ...options, document })) {
    if (event.type === 'answer') {
      const { answer, warnings, memory, steps, usage, seconds } = event
      return { answer: answer.text, outcome: answer.outcome, warnings, memory, steps, usage, seconds }
    }
  }
  throw new WorkflowError({ code: 'workflow/no-answer', message: 'The reading ended without an answer.' })
}

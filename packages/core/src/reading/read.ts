/** The one-call form of a reading. */
import type { TextDocument } from '../documents/document.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { WorkflowError } from '../errors.ts'
import type { Answer, Json } from '../workflows/workflow.ts'
import type { ReadingTotals } from './events.ts'
import type { ReadingOptions } from './options.ts'
import { readDocument } from './reader.ts'

export interface ReadResult extends ReadingTotals {
  /** Empty when the memory does not answer. */
  readonly answer: string
  readonly outcome: Answer['outcome']
  readonly memory: string
}

export interface NotesResult extends ReadingTotals {
  /** The last memory; empty if nothing was worth noting. */
  readonly notes: string
  /** The workflow's state, which its `answer` takes. */
  readonly state: Json
}

type ReadOptions<State extends Json> = Omit<ReadingOptions<State>, 'document'> & {
  readonly document: TextDocument | string
}

/**
 * Reads a document (or a text) and answers the question, or ends with notes if there is none or `answers` is false. For progress
 * events use `readDocument`. @throws as `readDocument`
 */
export async function read<State extends Json>(
  options: ReadOptions<State> & { readonly question: string; readonly answers?: true | undefined },
): Promise<ReadResult>
export async function read<State extends Json>(
  options: ReadOptions<State> & ({ readonly question?: undefined } | { readonly answers: false }),
): Promise<NotesResult>
/** For a question that may be undefined or left unanswered: the result may be either. */
export async function read<State extends Json>(options: ReadOptions<State>): Promise<ReadResult | NotesResult>
export async function read<State extends Json>(
  options: ReadOptions<State>,
): Promise<ReadResult | NotesResult> {
  const document =
    typeof options.document === 'string' ? createTextDocument(options.document) : options.document
  for await (const event of readDocument<State>({ ...options, document })) {
    if (event.type === 'answer') {
      const { type: _, answer, ...reading } = event
      return { answer: answer.text, outcome: answer.outcome, ...reading }
    }
    if (event.type === 'notes') {
      const { type: _, memory, ...reading } = event
      return { notes: memory, ...reading }
    }
  }
  throw new WorkflowError({ code: 'workflow/no-answer', message: 'The reading ended without an answer.' })
}

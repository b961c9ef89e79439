/** Prompts of a workflow, as functions of already neutralised texts. The paper's are the default (`paper-prompts.ts`). */
import type { Message } from '../chat/message.ts'

export interface Prompts {
  readonly name: string
  /** The memory before anything was read. */
  readonly emptyMemory: string
  /** Prompt that rewrites the memory after one chunk. No question: general notes. */
  update(parts: {
    readonly question: string | undefined
    readonly memory: string
    readonly section: string
  }): Message[]
  /** Prompt that answers from the memory alone. */
  answer(parts: { readonly question: string; readonly memory: string }): Message[]
  /** How a response that repeats this memory would read. @default the memory itself */
  draft?(memory: string): string
  /** Markers that structure these prompts; text from documents, memories and questions must not contain them. */
  readonly markers: readonly string[]
}

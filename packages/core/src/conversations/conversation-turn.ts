/** A conversation as a client gives it, whatever the protocol. Types only. */
import type { ChatModel } from '../chat/chat.ts'
import type { ModelProfile } from '../chat/profile.ts'
import type { TextDocument } from '../documents/document.ts'
import type { Workflow } from '../workflows/workflow.ts'

/** Text, or an attached file, which is opened more than once. */
export type ConversationPart = string | TextDocument

export interface ConversationTurn {
  readonly role: 'system' | 'user' | 'assistant'
  /** Who speaks, of several in one role. */
  readonly name?: string | undefined
  /** In order; a plain text is one part. */
  readonly parts: readonly ConversationPart[]
}

export interface ConversationRequest {
  readonly turns: readonly ConversationTurn[]
  /** Stated by the client, so that all turns are text to read. */
  readonly question?: string | undefined
  /** Most tokens of the answer; it gets fewer where the window has no room for them. @default the model's */
  readonly maxTokens?: number | undefined
}

/** What conversations are answered with. */
export interface ConversationReader {
  readonly model: ChatModel
  readonly profile: ModelProfile
  /** How texts are read that do not fit the window. */
  readonly workflow: Workflow
}

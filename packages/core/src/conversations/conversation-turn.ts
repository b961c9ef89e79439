/** A conversation from a client, whatever the protocol. */
import type { ChatModel } from '../chat/chat.ts'
import type { ModelProfile } from '../chat/profile.ts'
import type { TextDocument } from '../documents/document.ts'
import type { Workflow } from '../workflows/workflow.ts'

/** Text, or an attached file, which is opened more than once. */
export type ConversationPart = string | TextDocument

export interface ConversationTurn {
  readonly role: 'system' | 'user' | 'assistant'
  /** The speaker, if several share a role. */
  readonly name?: string | undefined
  /** It was given beside the messages, and is not counted among them. @default false */
  readonly isBeside?: boolean | undefined
  /** In order; a plain text is one part. Empty, as for a message of thinking alone: it is counted, and otherwise as if it were not there. */
  readonly parts: readonly ConversationPart[]
}

export interface ConversationRequest {
  readonly turns: readonly ConversationTurn[]
  /** Given by the client separately, so all turns are text to read. */
  readonly question?: string | undefined
  /** The most tokens of the answer, or fewer if the window has no room for them. @default the model's */
  readonly maxTokens?: number | undefined
}

/** Whether there is anything in it. */
export const saysAnything = ({ parts }: Pick<ConversationTurn, 'parts'>): boolean => parts.length > 0

/** What answers conversations. */
export interface ConversationReader {
  readonly model: ChatModel
  readonly profile: ModelProfile
  /** How texts that do not fit the window are read. */
  readonly workflow: Workflow
}

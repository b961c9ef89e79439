/** A conversation as every protocol of the gateway gives it. Types only. */

/** Parts of text, in order; a plain text is one part. */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly string[]
}

export interface ConversationRequest {
  readonly turns: readonly Turn[]
  /** Stated by the client, so that all turns are text to read. */
  readonly question?: string | undefined
  /** Most tokens of the answer. @default the model's */
  readonly maxTokens?: number | undefined
}

export const textOf = ({ parts }: Pick<Turn, 'parts'>): string => parts.join('\n')

/** A message of a conversation with a chat model. Types only. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

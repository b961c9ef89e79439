/** A model as clients see it. Types only. */
import type { ConversationReader } from '@memagent/core'

export interface ServedModel extends ConversationReader {
  /** What clients call it. */
  readonly id: string
}

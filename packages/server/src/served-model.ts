/** A model as clients see it. Types only. */
import type { ConversationReader, ReadingOptions } from '@memagent/core'

export interface ServedModel extends ConversationReader {
  /** What clients call it. */
  readonly id: string
  /** How runs are read with it. What a request says comes first. */
  readonly reading?: ModelReading | undefined
}

export interface ModelReading extends Pick<ReadingOptions, 'sampling' | 'limits' | 'concurrency' | 'ahead'> {
  /** Replies of all runs of the store are used again. @default false */
  readonly usesCache?: boolean | undefined
}

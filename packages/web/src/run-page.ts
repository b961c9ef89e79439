/**
 * What a page about a run shows, as one JSON document. Repeated values are indices into lists, and memories are stored as
 * changes, so that a run of thousands of steps stays small. Types only.
 */
import type { ReadingEvent, Verdict } from '@memagent/core'
import type { RunSummary } from '@memagent/store'
import type { TextChange } from './text-change.ts'

export interface RunPage {
  readonly version: 1
  /** When it was made: a run that was not finished may have gone on since. Milliseconds since 1970. */
  readonly madeMs: number
  readonly run: Omit<RunSummary, 'settings'>
  /** Names of the sources. */
  readonly files: readonly string[]
  readonly passages: readonly Passage[]
  /** Distinct messages of warnings. */
  readonly warnings: readonly string[]
  /** The memory that the reading began with. */
  readonly start: string
  readonly steps: readonly PageStep[]
  /** Of the last memory. Undefined: sources were not looked for. */
  readonly statements?: readonly PageStatement[] | undefined
  /** Undefined: the reading has not ended. */
  readonly result?: PageResult | undefined
}

/** A chunk, and what became of the memory. */
export interface PageStep {
  readonly ranges: readonly PageRange[]
  /** Undefined: the memory stayed. */
  readonly change?: TextChange | undefined
  /** Of several memories, the one that was written; from 0. */
  readonly slot?: number | undefined
  /** A reply was unusable, and the memory was kept. */
  readonly isKept?: true | undefined
  readonly warnings?: readonly number[] | undefined
  /** What was written or changed here. */
  readonly statements?: readonly PageStatement[] | undefined
}

export interface PageRange {
  readonly file: number
  readonly startByte: number
  /** Exclusive. */
  readonly endByte: number
  /** Positions of its first and its last part, if the format has them: `page 3, line 12`. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface PageStatement {
  readonly text: string
  readonly heading?: string | undefined
  readonly verdict: Verdict
  /** Index of the step that wrote it; undefined: earlier, or unknown. */
  readonly step?: number | undefined
  /** Passages that say it; if none does, the nearest ones. */
  readonly passages: readonly number[]
}

export interface Passage {
  readonly quote: string
  readonly context?: string | undefined
  readonly file: number
  readonly startByte: number
  readonly endByte: number
  /** `page 3, line 12` */
  readonly position?: string | undefined
  /** The index of the step in which it was read; undefined: unknown. */
  readonly step?: number | undefined
}

type End<Type extends 'answer' | 'notes'> = Extract<ReadingEvent, { type: Type }>

export interface PageResult
  extends Pick<End<'answer'>, 'warnings' | 'usage' | 'seconds' | 'unread' | 'memory'> {
  /** Undefined: general notes, which are the memory. */
  readonly answer?: Pick<End<'answer'>['answer'], 'text' | 'outcome' | 'isUnusable'> | undefined
  /** Of the answer. Undefined: sources were not looked for, or there is no answer. */
  readonly statements?: readonly PageStatement[] | undefined
}

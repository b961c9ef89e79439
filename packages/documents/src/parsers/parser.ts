/** Shared by parsers of files that must be parsed whole. They run in their own thread; see `whole/thread.ts`. */
import type { Position } from '@memagent/core'

/**
 * Text in file order, with the position of its first character, which holds until a later text gives another. A warning is a
 * clause for people about a part that could not be read.
 */
export type Parsed = { readonly text: string; readonly position?: Position } | { readonly warning: string }

/** @throws ParseFailure, or whatever a library throws on a broken file */
export type Parser = (file: Uint8Array, limits: ParserLimits) => AsyncIterable<Parsed>

export interface ParserLimits {
  /** Unpacked size of all parts of one file. */
  readonly unpackedBytes: number
  /** Unpacked bytes per packed byte, for each part and for the whole file. */
  readonly ratio: number
  /** Number of parts in a file. */
  readonly entries: number
}

export type FailureKind = 'broken' | 'encrypted' | 'no-text' | 'over-limit'

/** Why a file cannot be read. */
export class ParseFailure extends Error {
  readonly kind: FailureKind

  /** @param message a clause for people */
  constructor(kind: FailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export const broken = (why: string) => new ParseFailure('broken', why)
export const encrypted = () => new ParseFailure('encrypted', 'it is encrypted')

/** The warning of a part that is left out. */
export const unread = (part: string): Parsed => ({ warning: `a part of it, ${part}, is not read` })

/** Messages between a parser thread and its owner. It parses one file at a time, and sends a part when asked for it. */
import type { FailureKind, Parsed, ParserLimits } from '../parsers/parser.ts'
import type { ParserName } from '../parsers/registry.ts'

export type ToThread =
  | {
      readonly type: 'parse'
      readonly parser: ParserName
      readonly file: Uint8Array
      readonly limits: ParserLimits
    }
  | { readonly type: 'next' }

export type FromThread =
  | { readonly type: 'parsed'; readonly parts: readonly Parsed[] }
  /** With the number of heap bytes still in use. */
  | { readonly type: 'done'; readonly heldBytes: number }
  | { readonly type: 'failed'; readonly kind: FailureKind; readonly message: string }

/** What the thread and its owner say to each other. One file is parsed at a time, and a part is sent when asked for. */
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
  /** With bytes of the heap that are still in use. */
  | { readonly type: 'done'; readonly heldBytes: number }
  | { readonly type: 'failed'; readonly kind: FailureKind; readonly message: string }

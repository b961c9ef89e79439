/** A loader turns the bytes of one kind of file into text with positions. Types only; the list is in `registry.ts`. */
import type { DecodingOptions, Position } from '@memagent/core'
import type { Limits } from './limits.ts'

export interface Loader {
  /** Kebab-case: `html`. */
  readonly name: string
  /**
   * Raise it when the same file gives another text or other positions: a run that was begun with another version does
   * not resume.
   */
  readonly version: number
  /** Of its code, where that is somebody's own and changes without a new version. */
  readonly fingerprint?: string | undefined
  /** `id`s of core's kinds of content, such as `pdf`: found by the first bytes, whatever the file is called. */
  readonly kinds?: readonly string[] | undefined
  /** Whether a text is of this format. Loaders are asked in the order of the registry; the first that claims it reads it. */
  claims?(start: TextStart): boolean
  /**
   * Its text is that of the file, byte for byte, where the file is in UTF-8. Of others, lines are known only where their
   * positions tell one.
   * @default false
   */
  readonly isVerbatim?: boolean | undefined
  /** It yields entries, which other loaders read. @default false */
  readonly isContainer?: boolean | undefined
  /**
   * The content, in order and as a stream; nothing is held that need not be.
   * @param start what the source begins with, for what a text says about itself
   * @throws DocumentError, made by the functions of `failures.ts`
   */
  load(source: ByteSource, context: LoadContext, start: TextStart): AsyncIterable<LoadedText | Entry>
}

/** Text in order. What separates parts (line breaks, blank lines, tabs) is in the text. */
export interface LoadedText {
  readonly text: string
  /**
   * Where it begins; holds until a text says another, and `line` grows with every line break. So a loader yields anew
   * where the position changes.
   */
  readonly position?: Position | undefined
}

/** A file inside another: of an archive, or attached to a mail. It must be read, or passed over, before the next one. */
export interface Entry {
  readonly entry: ByteSource
}

/** The first characters of a source that is text. */
export interface TextStart {
  /** The file's own name in lower case, without folders. */
  readonly fileName: string
  readonly text: string
}

export interface ByteSource {
  /** For people: a path, `standard input`, and inside a container both: `a.zip/b.txt`. */
  readonly name: string
  /** Its own name, where `name` does not end with it: what a compressed file contains. */
  readonly fileName?: string | undefined
  /** Bytes may come slowly: nothing waits for more of them than it needs. */
  readonly isLive?: boolean | undefined
  /** Where it lies on disk, for random access; undefined for entries, pipes and standard input. */
  readonly path?: string | undefined
  readonly sizeBytes?: number | undefined
  /** The bytes, once. A piece is overwritten when the next one is asked for, or the stream ends: copy what is kept. */
  stream(): AsyncIterable<Uint8Array>
}

export interface LoadContext extends DecodingOptions {
  readonly limits: Limits
  readonly onRemark?: ((remark: SourceRemark) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** What a person should know of a source that is read, in part or whole, or was skipped. */
export interface SourceRemark {
  readonly code: 'source-encoding' | 'source-part-unread' | 'source-skipped'
  readonly source: string
  readonly message: string
}

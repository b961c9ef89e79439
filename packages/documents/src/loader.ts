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
  /** Of its code, if users write it and change it without a new version. */
  readonly fingerprint?: string | undefined
  /** `id`s of core's kinds of content, such as `pdf`: found by the first bytes, whatever the file is called. */
  readonly kinds?: readonly string[] | undefined
  /** Whether a text is in this format. Loaders are asked in registry order; the first that claims it reads it. */
  claims?(start: TextStart): boolean
  /**
   * The text of a UTF-8 file is that file byte for byte. For other loaders, lines are known only if positions give them.
   * @default false
   */
  readonly isVerbatim?: boolean | undefined
  /** It yields entries, which other loaders read. @default false */
  readonly isContainer?: boolean | undefined
  /**
   * The content in order, as a stream; holds no more than it must.
   * @param start the beginning of the source, which may describe it
   * @throws DocumentError, made by the functions of `failures.ts`
   */
  load(source: ByteSource, context: LoadContext, start: TextStart): AsyncIterable<LoadedText | Entry>
}

/** Texts in order. They include what separates parts (line breaks, blank lines, tabs). */
export interface LoadedText {
  readonly text: string
  /**
   * Where the text begins. Holds until another text gives a position; `line` grows with every line break. So a loader yields
   * anew wherever the position changes.
   */
  readonly position?: Position | undefined
}

/** A file inside another: in an archive, or attached to a mail. It must be read or skipped before the next one. */
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
  /** For people: a path, `standard input`, or both inside a container: `a.zip/b.txt`. */
  readonly name: string
  /** Its own name if `name` does not end with it: the content of a compressed file. */
  readonly fileName?: string | undefined
  /** Bytes may arrive slowly: never wait for more of them than needed. */
  readonly isLive?: boolean | undefined
  /** Its path on disk, for random access; undefined for entries, pipes and standard input. */
  readonly path?: string | undefined
  readonly sizeBytes?: number | undefined
  /** The bytes, once. A piece is overwritten when the next one is requested or the stream ends: copy what you keep. */
  stream(): AsyncIterable<Uint8Array>
}

export interface LoadContext extends DecodingOptions {
  readonly limits: Limits
  readonly onRemark?: ((remark: SourceRemark) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** What people should know about a source that was read, partly read, or skipped. Hidden entries were not meant to be read. */
export interface SourceRemark {
  readonly code:
    | 'source-encoding'
    | 'source-entries-hidden'
    | 'source-part-unread'
    | 'source-repeated'
    | 'source-skipped'
  readonly source: string
  readonly message: string
}

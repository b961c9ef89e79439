/** Errors for sources that cannot be read; each names the source and what to do. */
import { DocumentError, type FoundKind, MemAgentError, messageOf, notText } from '@memagent/core'
import type { LoadContext } from './loader.ts'

/** @param kind with its article: `a PDF` */
export const broken = (source: string, kind: string, cause: unknown): DocumentError =>
  new DocumentError({
    code: 'document/broken',
    message: `${source} is ${kind}, but a broken one: ${reasonOf(cause)}.`,
    hint: 'Open it with the program that made it and save it again.',
    details: { source },
    cause,
  })

export const changedMeanwhile = (source: string): DocumentError =>
  new DocumentError({
    code: 'document/changed',
    message: `${source} was cut or written anew while it was read.`,
    hint: 'Start over, with a copy that stays as it is. A log that only grows can be read as it is.',
    details: { source },
  })

/** Content that no loader reads. */
export function unknownKind(source: string, kind: FoundKind): DocumentError {
  const { code, hint, details } = notText(source, kind)
  return new DocumentError({
    code,
    message: `${source} is ${kind.name}, which cannot be read.`,
    hint,
    details,
  })
}

/** A text, where a program gives loaders without the one that reads any text. */
export const notClaimed = (source: string): DocumentError =>
  new DocumentError({
    code: 'document/unclaimed',
    message: `${source} is a text, which none of the given loaders claims.`,
    hint: 'Add those of @memagent/documents: loaders: [mine, ...loaders].',
    details: { source },
  })

export const encrypted = (source: string, kind: string): DocumentError =>
  new DocumentError({
    code: 'document/encrypted',
    message: `${source} is ${kind} that needs a password.`,
    hint: 'Save a copy without the password first.',
    details: { source },
  })

/** @param why a clause: `its page is a picture` */
export const withoutText = (source: string, why: string, hint: string): DocumentError =>
  new DocumentError({
    code: 'document/no-text',
    message: `There is no text in ${source}: ${why}.`,
    hint,
    details: { source },
  })

/** Whose limit was passed: that of a source, of a parser, which may have taken minutes, or of all that a file unpacks to. */
export type LimitOf = 'source' | 'parser' | 'file'

/** Something grew past a limit. @param what a clause: `it unpacks to more than 64 GiB` */
export const overLimit = (source: string, what: string, limitOf: LimitOf = 'source'): DocumentError =>
  new DocumentError({
    code: 'document/over-limit',
    message: `${source} is not read: ${what}.`,
    hint: 'If it is genuine, unpack or convert it yourself and give the result.',
    details: { source, limitOf },
  })

/** A fault of a user's own loader. */
export const loaderFailed = (loader: string, source: string, cause: unknown): DocumentError =>
  new DocumentError({
    code: 'document/loader-failed',
    message: `${source} cannot be read, since the loader ${loader} failed: ${messageOf(cause)}.`,
    hint: 'The fault is in the loader, or the file is broken.',
    details: { source, loader },
    cause,
  })

/** Returns errors of memagent as they are, and throws if aborted. Any other error of a parser means a broken file. */
export function brokenUnlessKnown(
  error: unknown,
  source: string,
  kind: string,
  { signal }: LoadContext,
): unknown {
  signal?.throwIfAborted()
  return MemAgentError.isInstance(error) ? error : broken(source, kind, error)
}

/** The first sentence of a parser's message, to end ours with. */
function reasonOf(cause: unknown): string {
  const message = messageOf(cause)
  const [first = ''] = message.split(/\n|\.\s/)
  return first.replace(/\.$/, '').slice(0, 200)
}

/** Turns a parser's failure into the error that people see. */
import type { DocumentError } from '@memagent/core'
import { broken, encrypted, overLimit, withoutText } from '../failures.ts'
import type { FailureKind } from '../parsers/parser.ts'

const errors: Readonly<
  Record<FailureKind, (source: string, kind: string, message: string) => DocumentError>
> = {
  broken: (source, kind, message) => broken(source, kind, message),
  encrypted: (source, kind) => encrypted(source, kind),
  'over-limit': (source, _, message) => overLimit(source, message, 'parser'),
  'no-text': (source, _, message) =>
    withoutText(source, message, 'Recognize its text first: ocrmypdf -f FILE recognized.pdf'),
}

/** @param kind with its article: `a PDF` */
export const failureError = (
  source: string,
  kind: string,
  failure: { readonly kind: FailureKind; readonly message: string },
): DocumentError => errors[failure.kind](source, kind, failure.message)

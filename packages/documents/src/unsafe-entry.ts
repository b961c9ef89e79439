/** Archive entries that are hostile or mistakes: they are refused, even though nothing is unpacked to disk. */
import { DocumentError } from '@memagent/core'
import type { ByteSource } from './loader.ts'

/** What is wrong with an entry's name, or undefined. */
export function unsafeName(name: string): string | undefined {
  if (/^(?:[A-Za-z]:)?[/\\]/.test(name)) return 'its path is absolute'
  return name.split(/[/\\]/).includes('..') ? 'its path leads out of the archive' : undefined
}

/** Hidden as in a folder; `__MACOSX` holds what a Mac stores about its files. */
export const isHidden = (name: string): boolean =>
  name
    .split('/')
    .some((part) => part === '__MACOSX' || (part.startsWith('.') && part !== '.' && part !== '..'))

export const unsafeEntry = (archive: string, entry: string, why: string): DocumentError =>
  new DocumentError({
    code: 'document/unsafe-entry',
    message: `The entry ${entry} of ${archive} is not read: ${why}.`,
    hint: 'Unpack the archive yourself and give the files, or pass over such entries with --skip-unreadable.',
    details: { source: archive, entry },
  })

/** Replaces the entry: reading it fails. */
export const refused = (name: string, error: DocumentError): ByteSource => ({
  name,
  // biome-ignore lint/correctness/useYield: there is nothing to yield.
  async *stream() {
    throw error
  },
})

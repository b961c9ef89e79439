/** Archive entries that are hostile, mistakes or in another form: they are refused, even though nothing is unpacked to disk. */
import { DocumentError } from '@memagent/core'
import type { ByteSource, LoadContext } from './loader.ts'

/** What is wrong with an entry's name, or undefined. */
export function unsafeName(name: string): string | undefined {
  if (/^(?:[A-Za-z]:)?[/\\]/.test(name)) return 'its path is absolute'
  return name.split(/[/\\]/).includes('..') ? 'its path leads out of the archive' : undefined
}

/** What a Mac stores about files and folders. */
const ofMac = /(?:^|\/)(?:__MACOSX(?:\/|$)|\._|\.DS_Store$)/

/** Leaves out hidden entries, as in a folder, and those that a Mac adds. */
export class HiddenEntries {
  #first = ''
  #count = 0

  /** Whether the entry is left out. */
  leavesOut(name: string): boolean {
    if (ofMac.test(name)) return true
    const isHidden = name.split('/').some((part) => /^\.(?!\.?$)/.test(part))
    // A folder is no text.
    if (isHidden && !name.endsWith('/') && ++this.#count === 1) this.#first = name
    return isHidden
  }

  /** Says how many entries were left out, except those of a Mac. */
  tell(source: string, { onRemark }: LoadContext): void {
    if (this.#count === 0) return
    const what = this.#count === 1 ? 'A hidden entry is' : `${this.#count} hidden entries are`
    const message = `${what} left out of ${source}, as of a folder: ${this.#first}${this.#count === 1 ? '' : ', ...'}`
    onRemark?.({ code: 'source-entries-hidden', source, message })
  }
}

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

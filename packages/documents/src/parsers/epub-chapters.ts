/** Finds the parts of an EPUB that are its text, in reading order. */
import { broken, encrypted } from './parser.ts'
import { attribute } from './xml.ts'
import { resolvePart, type ZipPackage } from './zip-package.ts'

const pages = /^(?:application\/xhtml\+xml|text\/html)$/

interface Item {
  readonly part: string
  readonly type: string
  /** The table of contents only repeats the titles of the chapters. */
  readonly isContents: boolean
}

/**
 * @returns the parts, and clauses about those that cannot be read
 * @throws ParseFailure for a book that is broken or copy-protected
 */
export async function chaptersOf(
  book: ZipPackage,
): Promise<{ readonly chapters: readonly string[]; readonly missing: readonly string[] }> {
  const main = await mainPart(book)
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const items = new Map<string, Item>()
  const missing = new Set<string>()
  // A chapter that is listed twice is read once, as the format says.
  const chapters = new Set<string>()
  for await (const event of book.xml(main)) {
    if (event.kind !== 'open') continue
    if (event.name === 'item') {
      const { id, href, 'media-type': type = '', properties = '' } = event.attributes
      if (id === undefined || href === undefined) continue
      items.set(id, {
        part: resolvePart(folder, decoded(href)),
        type,
        isContents: /\bnav\b/.test(properties),
      })
    } else if (event.name === 'itemref') {
      const id = attribute(event, 'idref') ?? ''
      const item = items.get(id)
      if (item?.isContents) continue
      if (item && !pages.test(item.type)) {
        missing.add(`the chapter ${item.part} is ${item.type}, which is not read`)
      } else if (item && book.has(item.part)) chapters.add(item.part)
      else missing.add(`the chapter ${item?.part ?? id} is missing`)
    }
  }
  if (chapters.size === 0) {
    throw broken(missing.size > 0 ? 'it has none of its chapters' : 'it names no chapters')
  }
  const closed = await encryptedParts(book)
  if ([...chapters].some((part) => closed.has(part))) throw encrypted()
  return { chapters: [...chapters], missing: [...missing] }
}

async function mainPart(book: ZipPackage): Promise<string> {
  for await (const event of book.xml('META-INF/container.xml')) {
    const path = event.kind === 'open' && event.name === 'rootfile' && attribute(event, 'full-path')
    if (path) return path
  }
  throw broken('it names no main part')
}

/** Fonts may be encrypted in any book, chapters only in protected ones. */
async function encryptedParts(book: ZipPackage): Promise<ReadonlySet<string>> {
  const parts = new Set<string>()
  for await (const event of book.xmlIfAny('META-INF/encryption.xml')) {
    if (event.kind === 'open' && event.name === 'CipherReference')
      parts.add(decoded(attribute(event, 'URI') ?? ''))
  }
  return parts
}

/** Decodes percent-encoding and removes the fragment. */
function decoded(href: string): string {
  const path = href.replace(/#.*$/s, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

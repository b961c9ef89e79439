/** EPUB: chapter by chapter, as a browser would show them. */
import { htmlText } from '../text/html-text.ts'
import { chaptersOf } from './epub-chapters.ts'
import type { Parsed, ParserLimits } from './parser.ts'
import { decodedXml } from './xml.ts'
import { ZipPackage } from './zip-package.ts'

/** If no body begins within so many characters, everything is read. */
const longestHead = 1 << 18

export async function* parseEpub(file: Uint8Array, limits: ParserLimits): AsyncIterable<Parsed> {
  const book = await ZipPackage.open(file, limits)
  const { chapters, missing } = await chaptersOf(book)
  for (const part of chapters) {
    let isFirst = true
    for await (const { text, position } of htmlText(bodyOf(decodedXml(book.read(part))), true)) {
      // Headings of the previous chapter do not carry over.
      const at = position ?? (isFirst ? {} : undefined)
      yield { text, ...(at && { position: at }) }
      isFirst = false
    }
  }
  for (const warning of missing) yield { warning }
}

/** Skips the head: its title is often just the name of the part. */
async function* bodyOf(html: AsyncIterable<string>): AsyncIterable<string> {
  let head: string | undefined = ''
  for await (const piece of html) {
    if (head === undefined) {
      yield piece
      continue
    }
    head += piece
    const body = head.search(/<body[\s>]/i)
    if (body < 0 && head.length < longestHead) continue
    yield head.slice(Math.max(0, body))
    head = undefined
  }
  if (head !== undefined) yield head
}

/** EPUB: its chapters in reading order, with headings. */
import { wholeBytes } from '../byte-source.ts'
import { brokenUnlessKnown } from '../failures.ts'
import type { LoadContext, LoadedText, Loader } from '../loader.ts'
import { chaptersOf } from '../parsers/epub-chapters.ts'
import { ParseFailure } from '../parsers/parser.ts'
import { ZipPackage } from '../parsers/zip-package.ts'
import { decodedText } from '../text/decoded-text.ts'
import { htmlText } from '../text/html-text.ts'
import { failureError } from '../whole/failure-error.ts'

const kind = 'an EPUB book'
/** A longer one has no body, or is none. */
const longestHead = 1 << 18

export const epub: Loader = {
  name: 'epub',
  version: 1,
  kinds: ['epub'],
  async *load(source, context) {
    try {
      const book = await ZipPackage.open(await wholeBytes(source, context), context.limits)
      for (const part of await chaptersOf(book)) yield* chapter(book, source.name, part, context)
    } catch (error) {
      if (error instanceof ParseFailure) throw failureError(source.name, kind, error)
      throw brokenUnlessKnown(error, source.name, kind, context)
    }
  },
}

async function* chapter(
  book: ZipPackage,
  name: string,
  part: string,
  context: LoadContext,
): AsyncIterable<LoadedText> {
  const bytes = { name: `${name}/${part}`, stream: () => book.read(part) }
  let isFirst = true
  for await (const text of htmlText(bodyOf(decodedText(bytes, context, 'utf-8')))) {
    // The headings of the chapter before do not go on.
    yield isFirst ? { position: {}, ...text } : text
    isFirst = false
  }
}

/** Without the head: its title is often the name of the part. */
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

/** The text of HTML, streamed: blocks as lines, headings as positions; no scripts, styles, comments and attributes. */
import { Tokenizer } from 'htmlparser2'
import type { LoadedText } from '../loader.ts'
import { HtmlWriter } from './html-writer.ts'

const unseen = new Set([
  'script',
  'style',
  'template',
  'svg',
  'math',
  'noembed',
  'noframes',
  'iframe',
  'object',
  'select',
])
/** Names of tags that began in an earlier piece. */
const longestName = 1024

/**
 * @param html decoded pieces, in order
 * @param isXml XHTML, where an element that ends with `/>` has no content
 */
export async function* htmlText(
  html: AsyncIterable<string> | Iterable<string>,
  isXml = false,
): AsyncGenerator<LoadedText> {
  const writer = new HtmlWriter()
  const events = new HtmlEvents(writer, isXml)
  for await (const piece of html) {
    events.write(piece)
    yield* writer.take()
  }
  events.end()
  yield* writer.take()
}

/** What the tokenizer reports, as calls of the writer. */
class HtmlEvents {
  readonly #tokenizer: Tokenizer
  readonly #writer: HtmlWriter
  #buffer = ''
  /** Where the buffer begins. */
  #from = 0
  #opened = ''
  /** The element whose content is not shown, and how deep it is inside others of its name. */
  #hiding: string | undefined
  #depth = 0

  readonly #isXml: boolean

  constructor(writer: HtmlWriter, isXml: boolean) {
    this.#writer = writer
    this.#isXml = isXml
    const ignore = () => undefined
    this.#tokenizer = new Tokenizer(
      { decodeEntities: true, recognizeSelfClosing: true },
      {
        onattribdata: ignore,
        onattribentity: ignore,
        onattribend: ignore,
        onattribname: ignore,
        oncomment: ignore,
        ondeclaration: ignore,
        onprocessinginstruction: ignore,
        onend: ignore,
        oncdata: (start, end) => this.#text(this.#slice(start, end)),
        ontext: (start, end) => this.#text(this.#slice(start, end)),
        ontextentity: (code) => this.#text(String.fromCodePoint(code)),
        onopentagname: (start, end) => this.#open(this.#slice(start, end).toLowerCase()),
        onopentagend: ignore,
        onselfclosingtag: () => this.#selfClosed(),
        onclosetag: (start, end) => this.#close(this.#slice(start, end).toLowerCase()),
      },
    )
  }

  write(piece: string): void {
    const kept = this.#buffer.slice(-longestName)
    this.#from += this.#buffer.length - kept.length
    this.#buffer = kept + piece
    this.#tokenizer.write(piece)
  }

  end(): void {
    this.#tokenizer.end()
    this.#writer.end()
  }

  #slice(start: number, end: number): string {
    return this.#buffer.slice(Math.max(0, start - this.#from), Math.max(0, end - this.#from))
  }

  #text(text: string): void {
    if (this.#hiding === undefined) this.#writer.text(text)
  }

  #open(name: string): void {
    this.#opened = name
    if (this.#hiding === name) this.#depth++
    if (this.#hiding !== undefined) return
    if (unseen.has(name)) {
      this.#hiding = name
      this.#depth = 1
    } else this.#writer.open(name)
  }

  #selfClosed(): void {
    // In HTML, code may follow that has an end of its own.
    const isClosed = this.#hiding === this.#opened && !['script', 'style'].includes(this.#opened)
    if (this.#isXml || isClosed) this.#close(this.#opened)
  }

  #close(name: string): void {
    if (this.#hiding === undefined) this.#writer.close(name)
    else if (this.#hiding === name && --this.#depth === 0) this.#hiding = undefined
  }
}

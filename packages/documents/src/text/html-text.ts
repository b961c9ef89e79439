/**
 * The text of HTML, streamed: blocks as lines, headings as positions; without scripts, styles, comments and attributes
 * other than descriptions of pictures.
 */
import { Tokenizer } from 'htmlparser2'
import type { LoadedText } from '../loader.ts'
import { HtmlRows } from './html-rows.ts'
import type { HtmlAttributes } from './html-writer.ts'

/** Attributes that the text depends on, by element. */
const telling: Readonly<Record<string, readonly string[]>> = {
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan'],
  ol: ['start', 'type', 'style', 'reversed'],
  li: ['value'],
  span: ['style'],
  img: ['alt', 'aria-hidden'],
  mfrac: ['linethickness'],
  mfenced: ['open', 'close'],
}
const unseen = new Set([
  'script',
  'style',
  'template',
  'svg',
  // Repeats a formula as its author typed it.
  'annotation',
  'annotation-xml',
  'noembed',
  'noframes',
  'iframe',
  'object',
  'select',
])
/** Formula elements, which may end with `/>` even in HTML. */
const ofFormulas = new Set(
  'math mi mn mo ms mtext mspace mrow mstyle merror mpadded mphantom mfrac msup msub msubsup munder mover munderover mmultiscripts none mprescripts mtable mtr mlabeledtr mtd msqrt mroot mfenced menclose maction semantics maligngroup malignmark mglyph'.split(
    ' ',
  ),
)
/** In HTML they end a drawing that was not closed. */
const endsOfDrawing = new Set('p div h1 h2 h3 h4 h5 h6 table ul ol dl li blockquote pre hr body'.split(' '))
/** Characters kept for tag names that began in an earlier piece. */
const longestName = 1024
/** Characters kept of an attribute's value. */
const longestValue = 4096
/** The tokenizer reports a CDATA section as a whole. */
const longestCdata = 1 << 24

/**
 * @param html decoded pieces, in order
 * @param isXml XHTML, where an element that ends with `/>` has no content
 */
export async function* htmlText(
  html: AsyncIterable<string> | Iterable<string>,
  isXml = false,
): AsyncGenerator<LoadedText> {
  const writer = new HtmlRows()
  const events = new HtmlEvents(writer, isXml)
  for await (const piece of html) {
    events.write(piece)
    yield* writer.take()
  }
  events.end()
  yield* writer.take()
}

/** Turns what the tokenizer reports into calls of the writer. */
class HtmlEvents {
  readonly #tokenizer: Tokenizer
  readonly #writer: HtmlRows
  #buffer = ''
  /** Offset of the buffer in the whole text. */
  #from = 0
  #opened = ''
  /** Attributes that matter, of an element whose tag is being read. */
  #telling: readonly string[] | undefined
  #attributes: HtmlAttributes = {}
  #attribute = ''
  /** The element whose content is hidden, and how deeply elements of its name are nested. */
  #hiding: string | undefined
  #depth = 0
  /** The hidden drawing contains HTML text. */
  #isForeign = false
  readonly #isXml: boolean

  constructor(writer: HtmlRows, isXml: boolean) {
    this.#writer = writer
    this.#isXml = isXml
    const ignore = () => undefined
    this.#tokenizer = new Tokenizer(
      { decodeEntities: true, recognizeSelfClosing: true },
      {
        onattribdata: (start, end) => this.#value(this.#slice(start, end)),
        onattribentity: (code) => this.#value(String.fromCodePoint(code)),
        onattribend: ignore,
        onattribname: (start, end) => this.#begin(this.#slice(start, end).toLowerCase()),
        oncomment: ignore,
        ondeclaration: ignore,
        onprocessinginstruction: ignore,
        onend: ignore,
        oncdata: (start, end, behind) => this.#text(this.#slice(start, end - behind)),
        ontext: (start, end) => this.#text(this.#slice(start, end)),
        ontextentity: (code) => this.#text(String.fromCodePoint(code)),
        onopentagname: (start, end) => this.#open(this.#name(start, end)),
        onopentagend: () => this.#opens(),
        onselfclosingtag: () => this.#selfClosed(),
        onclosetag: (start, end) => this.#close(this.#name(start, end)),
      },
    )
  }

  write(piece: string): void {
    const cdata = this.#buffer.lastIndexOf('<![CDATA[')
    const isOpen = cdata >= 0 && !this.#buffer.includes(']]>', cdata)
    const kept = isOpen ? this.#buffer.slice(cdata).slice(-longestCdata) : this.#buffer.slice(-longestName)
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

  #name(start: number, end: number): string {
    const name = this.#slice(start, end).toLowerCase()
    return this.#isXml ? name.replace(/^(?:m|mml|math):/, '') : name
  }

  #text(text: string): void {
    if (this.#hiding === undefined) this.#writer.text(text)
  }

  #open(name: string): void {
    this.#opened = name
    if (name === 'foreignobject') this.#isForeign = true
    const endsDrawing = this.#hiding === 'svg' && !this.#isForeign && !this.#isXml && endsOfDrawing.has(name)
    if (endsDrawing) this.#hiding = undefined
    if (this.#hiding === name) this.#depth++
    if (this.#hiding !== undefined) return
    if (unseen.has(name)) {
      this.#hiding = name
      this.#depth = 1
      this.#isForeign = false
    } else {
      this.#telling = Object.hasOwn(telling, name) ? telling[name] : undefined
      if (this.#telling === undefined) this.#writer.open(name)
    }
  }

  #begin(attribute: string): void {
    this.#attribute = this.#telling?.includes(attribute) ? attribute : ''
    if (this.#attribute !== '') this.#attributes = { ...this.#attributes, [attribute]: '' }
  }

  #value(part: string): void {
    const name = this.#attribute
    if (name === '') return
    const value = (this.#attributes[name] + part).slice(0, longestValue)
    this.#attributes = { ...this.#attributes, [name]: value }
  }

  /** Opens the element once its attributes are known. */
  #opens(): void {
    if (this.#telling === undefined) return
    this.#writer.open(this.#opened, this.#attributes)
    this.#telling = undefined
    this.#attributes = {}
  }

  #selfClosed(): void {
    this.#opens()
    // In HTML, a script or style may go on, with an end tag of its own.
    const isClosed = this.#hiding === this.#opened && !['script', 'style'].includes(this.#opened)
    if (this.#isXml || isClosed || ofFormulas.has(this.#opened)) this.#close(this.#opened)
  }

  #close(name: string): void {
    if (this.#hiding === undefined) this.#writer.close(name)
    else if (this.#hiding === name && --this.#depth === 0) this.#hiding = undefined
  }
}

/** The text of HTML, streamed: blocks as lines, headings as positions; no scripts, styles, comments and attributes. */
import { Tokenizer } from 'htmlparser2'
import type { LoadedText } from '../loader.ts'
import { HeadingPath } from './heading-path.ts'

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
/** With a blank line around them. */
const paragraphs = new Set(
  'p h1 h2 h3 h4 h5 h6 table ul ol dl pre blockquote section article figure form header footer main aside nav'.split(
    ' ',
  ),
)
const lines = new Set(
  'div li tr dt dd hr title address caption figcaption fieldset legend option summary details body thead tbody tfoot center'.split(
    ' ',
  ),
)
const cells = new Set(['td', 'th'])
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
  const writer = new TextWriter()
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
  readonly #writer: TextWriter
  #buffer = ''
  /** Where the buffer begins. */
  #from = 0
  #opened = ''
  /** The element whose content is not shown, and how deep it is inside others of its name. */
  #hiding: string | undefined
  #depth = 0

  readonly #isXml: boolean

  constructor(writer: TextWriter, isXml: boolean) {
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

/** A longer one is text that somebody forgot to close. */
const longestHeading = 1000

/** Text with white space as a browser would show it. */
class TextWriter {
  #done: LoadedText[] = []
  #text = ''
  #position: LoadedText['position']
  readonly #path = new HeadingPath()
  /** Level and text of an open heading. */
  #heading: { readonly level: number; text: string } | undefined
  /** Line breaks or a space that are due before the next word. */
  #due: '' | ' ' | '\t' | '\n' | '\n\n' = ''
  #isEmpty = true
  #preformatted = 0

  text(shown: string): void {
    // A soft hyphen shows only where a browser breaks the line, and would keep the word from being found.
    const text = shown.replaceAll('\u00ad', '')
    if (this.#preformatted > 0) {
      this.#write(text)
      return
    }
    const words = text.replace(/[ \t\n\r\f]+/g, ' ')
    const inner = words.replace(/^ | $/g, '')
    if (words.startsWith(' ')) this.#due ||= ' '
    if (inner !== '') this.#write(inner)
    if (words.endsWith(' ')) this.#due ||= ' '
  }

  open(name: string): void {
    if (name === 'br') this.#breakLine()
    else if (paragraphs.has(name)) this.#due = '\n\n'
    else if (lines.has(name)) this.#atLeastLine()
    else if (cells.has(name) && this.#due !== '\n' && this.#due !== '\n\n') this.#due = '\t'
    if (name === 'li') this.#write('- ')
    if (name === 'pre') this.#preformatted++
    const level = levelOf(name)
    if (level !== undefined) {
      this.#endHeading()
      this.#cut()
      this.#heading = { level, text: '' }
    }
  }

  close(name: string): void {
    if (levelOf(name) !== undefined) this.#endHeading()
    if (name === 'pre' && this.#preformatted > 0) this.#preformatted--
    if (paragraphs.has(name)) this.#due = '\n\n'
    else if (lines.has(name)) this.#atLeastLine()
  }

  end(): void {
    this.#endHeading()
    if (!this.#isEmpty) this.#text += '\n'
  }

  /** Text that is finished; of an open heading, none. */
  *take(): Iterable<LoadedText> {
    if (this.#heading === undefined) this.#cut()
    yield* this.#done
    this.#done = []
  }

  #atLeastLine(): void {
    if (this.#due !== '\n\n') this.#due = '\n'
  }

  #breakLine(): void {
    if (this.#due === '\n' || this.#due === '\n\n') this.#due = '\n\n'
    else this.#due = '\n'
  }

  #write(text: string): void {
    // What is due before a heading belongs to the text before it.
    const due = this.#isEmpty ? '' : this.#due
    if (this.#heading && this.#heading.text === '' && this.#text === '') this.#closeBefore(due)
    else this.#text += due
    this.#text += text
    this.#due = ''
    this.#isEmpty = false
    if (this.#heading) {
      this.#heading.text += due.trim() === '' && due !== '' ? ` ${text}` : text
      if (this.#heading.text.length > longestHeading) this.#heading = undefined
    }
  }

  #closeBefore(due: string): void {
    if (due === '') return
    this.#done.push({ text: due, ...(this.#position && { position: this.#position }) })
    this.#position = undefined
  }

  #endHeading(): void {
    const heading = this.#heading
    this.#heading = undefined
    if (heading === undefined || heading.text.trim() === '') return
    this.#position = { headings: this.#path.enter(heading.level, heading.text) }
    this.#cut()
  }

  #cut(): void {
    if (this.#text === '') return
    this.#done.push({ text: this.#text, ...(this.#position && { position: this.#position }) })
    this.#text = ''
    this.#position = undefined
  }
}

const levelOf = (name: string): number | undefined => (/^h[1-6]$/.test(name) ? Number(name[1]) : undefined)

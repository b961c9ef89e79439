/** Writes the text of HTML as a browser would show it: opened and closed elements become lines, tabs and headings. */
import type { LoadedText } from '../loader.ts'
import { Formula, wouldFuse } from './formula.ts'
import { HeadingPath } from './heading-path.ts'
import { HtmlLists } from './html-lists.ts'
import { HtmlPictures } from './html-pictures.ts'
import { raisedBehind } from './raised.ts'
import { HtmlRuby } from './ruby.ts'
import { StruckElements, strike } from './struck-elements.ts'
import { TableColumns } from './table-columns.ts'

/** Elements with a blank line around them. */
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
export const isCell = (name: string): boolean => name === 'td' || name === 'th'
/** None of them can be inside a formula. */
export const isBlock = (name: string): boolean => paragraphs.has(name) || lines.has(name) || isCell(name)
/** A longer heading was not closed. */
const longestHeading = 1000

/** The attributes that the text depends on, by name. */
export type HtmlAttributes = Readonly<Record<string, string>>

export class HtmlWriter {
  #done: LoadedText[] = []
  #text = ''
  #position: LoadedText['position']
  readonly #path = new HeadingPath()
  /** Level and text of an open heading. */
  #heading: { readonly level: number; text: string } | undefined
  /** Line breaks or a space due before the next word. */
  #due: '' | ' ' | '\n' | '\n\n' = ''
  /** Tabs due after them: empty cells keep their column. */
  #tabs = 0
  readonly #columns = new TableColumns()
  /** Columns before the current cell, while no cell of its row has text. */
  #emptyColumns: number | undefined
  #isEmpty = true
  #preformatted = 0
  /** The last character written. */
  #last = ''
  /** A superscript has begun, but none of it is written yet. */
  #isRaised = false
  readonly #lists = new HtmlLists()
  #formula: Formula | undefined
  /** A formula was written last. */
  #isBehindFormula = false
  readonly #ruby = new HtmlRuby()
  readonly #struck = new StruckElements()
  readonly #pictures = new HtmlPictures()
  /** Text was written behind the mark of struck text, and no other mark. */
  #isMarked = false
  /** Breaks become spaces, since a table row is one line. */
  isInLine = false

  text(shown: string): void {
    // A soft hyphen shows only where a line breaks, and would keep the word from being found.
    const text = shown.replaceAll('\u00ad', '')
    if (this.#formula) {
      this.#formula.text(text)
      if (this.#formula.isTooLong) this.#endFormula()
      return
    }
    if (this.#ruby.takes(text)) return
    if (this.#preformatted > 0 && !this.isInLine) {
      this.#write(text)
      return
    }
    const words = text.replace(/[ \t\n\r\f]+/g, ' ')
    const inner = words.replace(/^ | $/g, '')
    if (words.startsWith(' ')) this.#space()
    if (inner !== '') this.#write(inner)
    if (words.endsWith(' ')) this.#space()
  }

  open(name: string, attributes: HtmlAttributes = {}): void {
    if (isBlock(name)) this.#endFormula()
    if (isBlock(name) || name === 'ruby') this.#endRuby()
    this.#ruby.open(name)
    this.#pictures.open(name)
    this.#struck.open(name, isBlock(name), attributes.style)
    if (this.#formula) {
      this.#formula.open(name, (attribute) => attributes[attribute])
      return
    }
    if (name === 'math') this.#formula = new Formula('mathml')
    if (name === 'table') this.#columns.openTable()
    if (name === 'tr') this.#columns.row()
    if (name === 'br') this.#breakLine()
    else if (paragraphs.has(name)) this.#paragraph()
    else if (lines.has(name)) this.#atLeastLine()
    else if (isCell(name)) this.#cell(attributes)
    if (name === 'tr') this.#emptyColumns = 0
    if (name === 'ol') this.#lists.open(attributes)
    if (name === 'ul') this.#lists.open()
    if (name === 'li') this.#write(this.#lists.item(attributes.value))
    if (name === 'pre') this.#preformatted++
    if (name === 'sup') this.#isRaised = true
    if (name === 'img') this.text(spaced(this.#pictures.text(attributes)))
    const level = levelOf(name)
    if (level !== undefined) {
      this.#endHeading()
      this.#cut()
      this.#heading = { level, text: '' }
    }
  }

  close(name: string): void {
    if (isBlock(name) || name === 'math') this.#endFormula()
    this.#formula?.close(name)
    if (isBlock(name) || name === 'ruby') this.#endRuby()
    this.#ruby.close(name)
    this.#pictures.close(name)
    if (levelOf(name) !== undefined) this.#endHeading()
    if (name === 'pre' && this.#preformatted > 0) this.#preformatted--
    if (name === 'sup') this.#isRaised = false
    this.#struck.close(name, isBlock(name))
    if (!this.#struck.isOpen) this.#endMark()
    if (name === 'table') this.#columns.closeTable()
    if (name === 'ol' || name === 'ul') this.#lists.close()
    if (name === 'tr' || name === 'table') this.#emptyColumns = undefined
    if (paragraphs.has(name)) this.#paragraph()
    else if (lines.has(name)) this.#atLeastLine()
  }

  end(): void {
    this.#endFormula()
    this.#endRuby()
    this.#endHeading()
    this.#endMark()
    if (!this.#isEmpty) this.#text += '\n'
  }

  /** The finished text; excludes an open heading. */
  *take(): Iterable<LoadedText> {
    if (this.#heading === undefined) this.#cut()
    yield* this.#done
    this.#done = []
  }

  #paragraph(): void {
    this.#break('\n\n')
  }

  #atLeastLine(): void {
    this.#break('\n')
  }

  #break(lines: '\n' | '\n\n'): void {
    if (this.isInLine) this.#space()
    else {
      this.#endMark()
      if (this.#due !== '\n\n') this.#due = lines
      this.#tabs = this.#emptyColumns ? this.#tabs : 0
    }
  }

  #breakLine(): void {
    if (this.#due.startsWith('\n')) this.#paragraph()
    else this.#atLeastLine()
  }

  #space(): void {
    this.#due ||= ' '
  }

  #cell({ colspan, rowspan }: HtmlAttributes): void {
    this.#endMark()
    const count = (value = '') => Math.max(1, Number.parseInt(value, 10) || 1)
    const columns = this.#columns.cell(count(colspan), count(rowspan))
    if (this.#emptyColumns !== undefined) {
      this.#emptyColumns += columns
      this.#tabs = this.#emptyColumns
      // After a cell of several lines, the next one begins on its own line.
    } else if (!this.#due.startsWith('\n')) this.#tabs += columns
  }

  #endRuby(): void {
    const annotation = this.#ruby.end()
    if (annotation !== '') this.#write(annotation)
  }

  /** Every line and cell has marks of its own: read alone, it must not look valid. */
  #endMark(): void {
    if (!this.#isMarked) return
    this.#text += strike
    this.#last = '~'
    if (this.#heading) this.#heading.text += strike
    this.#isMarked = false
  }

  #endFormula(): void {
    const text = this.#formula?.end() ?? ''
    this.#formula = undefined
    if (text === '') return
    if (wouldFuse(this.#last, text)) this.#space()
    this.#write(text)
    this.#isBehindFormula = true
  }

  #write(shown: string): void {
    this.#pictures.written(shown)
    if (this.#isBehindFormula && !this.#isRaised && wouldFuse(this.#last, shown)) this.#space()
    this.#isBehindFormula = false
    const written = this.#isRaised && this.#due === '' ? raisedBehind(this.#last, shown) : shown
    const text = this.#struck.isOpen && !this.#isMarked ? strike + written : written
    this.#isMarked = this.#struck.isOpen
    this.#isRaised = false
    this.#last = text.at(-1) ?? this.#last
    // What is due before a heading belongs to the text before it.
    const breaks = this.#isEmpty || (this.#due === ' ' && this.#tabs > 0) ? '' : this.#due
    const due = breaks + '\t'.repeat(this.#tabs)
    if (this.#heading && this.#heading.text === '' && this.#text === '') this.#closeBefore(due)
    else this.#text += due
    this.#text += text
    this.#due = ''
    this.#tabs = 0
    this.#emptyColumns = undefined
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
    if (this.#heading) this.#endMark()
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

const spaced = (text: string): string => (text === '' ? '' : ` ${text} `)

export const levelOf = (name: string): number | undefined =>
  /^h[1-6]$/.test(name) ? Number(name[1]) : undefined

/** RTF: paragraphs under their headings, rows of tables, footnotes, in the encodings of its fonts. */
import type { Position } from '@memagent/core'
import { HeadingPath } from '../text/heading-path.ts'
import { raisedBehind } from '../text/raised.ts'
import { strike } from '../text/struck-elements.ts'
import { marginLines } from './margin-lines.ts'
import { broken, type Parsed } from './parser.ts'
import { encodingOfCharset, encodingOfCodePage } from './rtf-encodings.ts'
import { type RtfToken, rtfTokens } from './rtf-tokens.ts'

/** Groups that are not text of the document. Any other group that begins with `\*` is skipped too, except those below. */
const skippedGroups = new Set(
  (
    'colortbl info pict objdata objclass objname filetbl revtbl rsidtbl listtable listoverridetable generator ' +
    'ftnsep aftnsep nonshppict bkmkstart bkmkend sp shprslt fldinst xe rxe tc tcn'
  ).split(' '),
)
const marginGroups = /^(?:header|footer)[lrf]?$/
const optionalGroups = new Set(['shpinst', 'shptxt', 'ud', 'footnote', 'annotation'])
const signs: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  column: '\n',
  emspace: '\u2003',
  enspace: '\u2002',
  qmspace: '\u2005',
  emdash: '\u2014',
  endash: '\u2013',
  bullet: '\u2022',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201c',
  rdblquote: '\u201d',
  nestcell: ' ',
  '~': '\u00a0',
  _: '\u2011',
}

/** Signs that repeat a `\\u` for older programs; a tab or a line break is no such repetition. */
const fallbackSigns = new Set(
  Object.keys(signs).filter((name) => !['tab', 'line', 'column', 'nestcell'].includes(name)),
)

type Destination = 'text' | 'note' | 'margin' | 'fonts' | 'styles' | 'skipped'

/** State that a group inherits, and restores when it ends. */
interface Group {
  readonly destination: Destination
  readonly isOptional: boolean
  readonly font: number
  readonly isDeleted: boolean
  readonly isRaised: boolean
  readonly isStruck: boolean
  /** Characters after a `\u` that repeat it in bytes. */
  readonly fallback: number
  readonly isInTable: boolean
}

export async function* parseRtf(file: Uint8Array): AsyncIterable<Parsed> {
  const reader = new RtfReader()
  for (const token of rtfTokens(file)) {
    reader.take(token)
    if (reader.lines.length > 0) yield* reader.lines.splice(0)
  }
  yield* reader.end()
  yield* marginLines(reader.margins)
}

class RtfReader {
  readonly lines: Parsed[] = []
  #group: Group = {
    ...{ destination: 'skipped', isOptional: false, font: -1 },
    ...{ isDeleted: false, isRaised: false, isStruck: false, fallback: 1, isInTable: false },
  }
  readonly #outer: Group[] = []
  #encoding = 'windows-1252'
  readonly #fonts = new Map<number, string | undefined>()
  #defaultFont = -1
  readonly #levels = new Map<number, number>()
  #bytes: number[] = []
  /** Text of the paragraph, and of the note inside it. */
  #text = ''
  #note = ''
  /** The last text was a superscript; it was struck out. */
  #wasRaised = false
  #wasStruck = false
  #styleName = ''
  #style = 0
  #font = 0
  #cells: string[] = []
  /** Text of headers and footers. */
  #margin = ''
  readonly margins: Parsed[] = []
  #notes: string[] = []
  #noteCount = 0
  #marker = ''
  #level: number | undefined
  readonly #headings = new HeadingPath()
  #position: Position | undefined
  #skip = 0

  take(token: RtfToken): void {
    if (token.kind === 'byte') {
      if (this.#skip > 0) this.#skip--
      else this.#bytes.push(token.byte)
      return
    }
    this.#decode()
    if (token.kind === 'open') {
      this.#outer.push(this.#group)
      if (this.#outer.length === 1) this.#group = { ...this.#group, destination: 'text' }
      this.#skip = 0
    } else if (token.kind === 'close') this.#close()
    else if (this.#skip > 0 && fallbackSigns.has(token.name)) this.#skip--
    else this.#word(token.name, token.value)
  }

  end(): readonly Parsed[] {
    this.#decode()
    if (this.#outer.length > 0) throw broken('it ends in the middle of the text')
    if (this.#cells.length > 0) this.#row()
    this.#paragraph()
    return this.lines
  }

  #close(): void {
    const { destination } = this.#group
    this.#group = this.#outer.pop() ?? this.#group
    this.#skip = 0
    if (destination === 'note' && this.#group.destination !== 'note') {
      this.#notes.push(`[${this.#marker}] ${this.#note.replaceAll(/\s+/g, ' ').trim()}`)
      this.#note = ''
    }
    if (destination === 'margin' && this.#group.destination !== 'margin') this.#endMargin()
    if (destination === 'styles') this.#nameStyle()
  }

  #word(name: string, value: number | undefined): void {
    const group = this.#group
    const set = (changed: Partial<Group>) => {
      this.#group = { ...group, ...changed }
    }
    if (name === '*') set({ isOptional: true })
    else if (skippedGroups.has(name) || (group.isOptional && !optionalGroups.has(name))) {
      set({ destination: 'skipped', isOptional: false })
    } else if ((name === 'footnote' || name === 'annotation') && group.destination === 'text')
      this.#openNote(name)
    else if (marginGroups.test(name) && group.destination === 'text') set({ destination: 'margin' })
    // The same text twice: in bytes, and then in Unicode.
    else if (name === 'upr') set({ destination: 'skipped' })
    else if (name === 'ud') set({ isOptional: false, destination: this.#outer.at(-2)?.destination ?? 'text' })
    else if (optionalGroups.has(name)) set({ isOptional: false })
    else if (name === 'fonttbl') set({ destination: 'fonts' })
    else if (name === 'stylesheet') set({ destination: 'styles' })
    else if (name === 'ansicpg') this.#encoding = encodingOfCodePage(value ?? 1252)
    else if (name === 'mac') this.#encoding = 'macintosh'
    else if (name === 'deff') this.#defaultFont = value ?? 0
    else if (name === 'f' && group.destination === 'fonts') this.#font = value ?? 0
    else if (name === 'f') set({ font: value ?? 0 })
    else if (name === 'fcharset') this.#fonts.set(this.#font, encodingOfCharset(value ?? 0))
    else if (name === 'deleted') set({ isDeleted: value !== 0 })
    else if (name === 'super') set({ isRaised: value !== 0 })
    else if (name === 'strike' || name === 'striked') set({ isStruck: value !== 0 })
    else if (name === 'sub' || name === 'nosupersub') set({ isRaised: false })
    else if (name === 'plain') set({ isDeleted: false, isRaised: false, isStruck: false, font: -1 })
    else if (name === 'uc') set({ fallback: Math.min(9, value ?? 1) })
    else if (name === 'u') {
      this.#add(String.fromCharCode((value ?? 0xfffd) & 0xffff))
      this.#skip = group.fallback
    } else if (group.destination === 'styles') {
      if (name === 's') this.#style = value ?? 0
    } else this.#layout(name, value)
  }

  #layout(name: string, value: number | undefined): void {
    const { destination } = this.#group
    if (destination === 'note' && name === 'par') this.#add(' ')
    else if (destination === 'margin' && (name === 'par' || name === 'row')) this.#add('\n')
    else if (destination === 'margin' && name === 'cell') this.#add('\t')
    else if (signs[name] !== undefined) this.#add(signs[name])
    else if (destination !== 'text') return
    else if (name === 'pard') {
      this.#group = { ...this.#group, isInTable: false }
      this.#level = undefined
    } else if (name === 'intbl') this.#group = { ...this.#group, isInTable: true }
    else if (name === 's') this.#level = this.#levels.get(value ?? 0)
    else if (name === 'outlinelevel' && value !== undefined && value < 9) this.#level = value + 1
    else if (name === 'par' || name === 'sect' || name === 'page') this.#paragraph()
    else if (name === 'cell') {
      this.#cells.push(this.#text.replaceAll(/\s+/g, ' ').trim())
      this.#text = ''
    } else if (name === 'row') this.#row()
  }

  #row(): void {
    this.#line(this.#cells.join('\t').trimEnd())
    this.#cells = []
  }

  #endMargin(): void {
    for (const line of this.#margin.split('\n')) {
      if (line.trim() !== '') this.margins.push({ text: `${line.trim()}\n` })
    }
    this.#margin = ''
  }

  #openNote(name: string): void {
    this.#marker = name === 'footnote' ? String(++this.#noteCount) : 'comment'
    this.#text += `[${this.#marker}]`
    this.#group = { ...this.#group, destination: 'note', isOptional: false }
  }

  #nameStyle(): void {
    const [, level] = /^\s*heading ([1-9])\b/i.exec(this.#styleName) ?? []
    if (level) this.#levels.set(this.#style, Number(level))
    this.#styleName = ''
    this.#style = 0
  }

  #decode(): void {
    if (this.#bytes.length === 0) return
    const { font } = this.#group
    // In a UTF-8 file, the default font may still name an older encoding.
    const named = font < 0 && this.#encoding !== 'utf-8' ? this.#defaultFont : font
    const encoding = this.#fonts.get(named) ?? this.#encoding
    const text = new TextDecoder(encoding).decode(new Uint8Array(this.#bytes))
    this.#bytes = []
    this.#add(text)
  }

  #add(text: string): void {
    const { destination, isDeleted, isRaised } = this.#group
    if (isDeleted) return
    const isStruck = this.#group.isStruck && (this.#wasStruck || text.trim() !== '')
    const behind = (before: string) => {
      const goesOn = isStruck && this.#wasStruck && before.endsWith(strike)
      const shown = isRaised && !this.#wasRaised ? raisedBehind(before, text) : text
      if (goesOn) return before.slice(0, -strike.length) + shown + strike
      return before + (isStruck && shown.trim() !== '' ? strike + shown + strike : shown)
    }
    if (destination === 'text') this.#text = behind(this.#text)
    else if (destination === 'note') this.#note = behind(this.#note)
    else if (destination === 'margin') this.#margin = behind(this.#margin)
    else if (destination === 'styles') this.#styleName += text
    this.#wasRaised = isRaised
    this.#wasStruck = isStruck
  }

  #paragraph(): void {
    if (this.#group.isInTable || this.#cells.length > 0) {
      this.#text += ' '
      return
    }
    const text = this.#text.trim()
    this.#text = ''
    if (this.#level === undefined || text === '') {
      this.#line(text)
      return
    }
    this.#position = { headings: this.#headings.enter(this.#level, text) }
    this.#line(text)
  }

  #line(text: string): void {
    const position = this.#position && { position: this.#position }
    if (text !== '') this.lines.push({ text: `${text}\n`, ...position })
    for (const note of this.#notes.splice(0)) this.lines.push({ text: `${note}\n`, ...position })
  }
}

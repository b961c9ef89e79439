/** DOCX: the text as it reads with tracked changes accepted; headings, tables, notes, comments, headers and footers. */
import { Blocks } from './blocks.ts'
import { chartText } from './charts.ts'
import { chunkText } from './docx-chunks.ts'
import { type DocxNumbering, numberingOf } from './docx-numbering.ts'
import { signOf } from './docx-signs.ts'
import { type DocxStyles, outlineLevel, type Strikes, stylesOf } from './docx-styles.ts'
import { marginLines } from './margin-lines.ts'
import type { Parsed } from './parser.ts'
import { drawnParts } from './pptx.ts'
import { attribute, isOn, relationId, wholeNumber, without, type XmlEvent } from './xml.ts'
import { formulasAsRuns } from './xml-formulas.ts'
import { rubyBehind } from './xml-ruby.ts'
import type { Relation, ZipPackage } from './zip-package.ts'

/** Elements that are not text of the document, or that repeat it. */
const skipped = new Set(
  'del moveFrom pPrChange rPrChange trPrChange tcPrChange instrText Fallback'.split(' '),
)
const noteKinds = ['footnotes', 'endnotes', 'comments'] as const
type NoteKind = (typeof noteKinds)[number]
const references: Readonly<Record<string, NoteKind>> = {
  footnoteReference: 'footnotes',
  endnoteReference: 'endnotes',
  commentReference: 'comments',
}

const noteNames: Readonly<Record<string, string>> = {
  endnoteReference: 'endnote',
  commentReference: 'comment',
}

interface Context {
  readonly zip: ZipPackage
  /** Relations of the part being read, by id. */
  readonly relations: ReadonlyMap<string, Relation>
  readonly styles: DocxStyles
  readonly numbering: DocxNumbering
  readonly notes: ReadonlyMap<string, string>
}

export async function* docxText(zip: ZipPackage, main: string): AsyncIterable<Parsed> {
  const byId = await zip.relations(main)
  const relations = [...byId.values()]
  const partOf = (type: string) => relations.find((relation) => relation.type === type)?.target
  const context = {
    zip,
    relations: byId,
    styles: await stylesOf(zip, partOf('styles')),
    numbering: await numberingOf(zip, partOf('numbering')),
    notes: new Map<string, string>(),
  }
  for (const kind of noteKinds) {
    const part = partOf(kind)
    if (part === undefined || !zip.has(part)) continue
    for await (const { id, text } of notesOf(zip.xml(part), context)) context.notes.set(`${kind} ${id}`, text)
  }
  yield* readBody(zip.xml(main), context)
  const margins = relations.filter(({ type, target }) => /^(header|footer)$/.test(type) && zip.has(target))
  yield* marginLines(bodiesOf(margins, context))
}

async function* bodiesOf(parts: readonly Relation[], context: Context): AsyncIterable<Parsed> {
  const { zip } = context
  for (const { target } of parts) {
    yield* readBody(zip.xml(target), { ...context, relations: await zip.relations(target) })
  }
}

/** The lines of a part with paragraphs. */
async function* readBody(
  events: AsyncIterable<XmlEvent> | Iterable<XmlEvent>,
  { zip, relations, styles, numbering, notes }: Context,
): AsyncIterable<Parsed> {
  const blocks = new Blocks()
  const paragraphs: Paragraph[] = []
  const counters = numbering.counters()
  /** Columns that the open cells take. */
  const spans: number[] = []
  let [isText, isRaised] = [false, false]
  let run: Strikes & { style?: string | undefined } = {}
  let footnotes = 0
  /** Of several pictures, each with its own description; alone, a picture repeats that of its drawing. */
  let isGroup = false
  for await (const event of formulasAsRuns(without(skipped, markingDeleted(rubyBehind(events))))) {
    const { kind } = event
    if (kind === 'text') {
      if (isText) blocks.text(event.text, isRaised, styles.isStruck(run.style, run))
      continue
    }
    const { name } = event
    const paragraph = paragraphs.at(-1)
    if (kind === 'close') {
      if (name === 't') isText = false
      else if (name === 'pPr' && paragraph) {
        const list = styles.listOf(paragraph.style)
        const id = paragraph.list ?? list.id
        const level = paragraph.listLevel ?? (paragraph.list === undefined ? list.level : undefined) ?? 0
        if (id !== undefined && !paragraph.goesOn) blocks.number(counters.next({ id, level }))
      } else if (name === 'p') {
        paragraphs.pop()
        if (paragraph?.goesOn) blocks.goOn()
        else blocks.close((paragraph?.level ?? styles.levelOf(paragraph?.style)) || undefined)
      } else if (name === 'tr') blocks.close()
      else if (name === 'tc') blocks.closeCell(spans.pop())
      if (blocks.inside === undefined) yield* blocks.take()
      continue
    }
    const value = attribute(event, 'val')
    const sign = signOf(event)
    if (name === 'p') {
      paragraphs.push({})
      blocks.open('paragraph')
    } else if (name === 'r') [isRaised, run] = [false, {}]
    else if (name === 'vertAlign') isRaised = value === 'superscript'
    else if (name === 'rStyle') run.style = value
    else if (name === 'strike' || name === 'dstrike') run[name] = isOn(value)
    else if (name === 'deletedMark' && paragraph) paragraph.goesOn = true
    else if (name === 'tr') blocks.open('row')
    else if (name === 'gridBefore' && wholeNumber(value, 0) > 0) {
      blocks.open('cell')
      blocks.closeCell(wholeNumber(value, 0))
    } else if (name === 'tc') {
      spans.push(1)
      blocks.open('cell')
    } else if (name === 'gridSpan' && spans.length > 0) spans[spans.length - 1] = wholeNumber(value, 1)
    else if (name === 't') isText = true
    else if (name === 'wgp' || name === 'wpc') isGroup = true
    else if (name === 'docPr' || (name === 'cNvPr' && isGroup)) {
      if (name === 'docPr') isGroup = false
      blocks.picture(attribute(event, 'descr'))
    } else if (sign !== undefined) blocks.text(sign)
    else if (name === 'pStyle' && paragraph) paragraph.style = value
    else if (name === 'outlineLvl' && paragraph) paragraph.level = outlineLevel(value)
    else if (name === 'numId' && paragraph) paragraph.list = value ?? '0'
    else if (name === 'ilvl' && paragraph) paragraph.listLevel = wholeNumber(value, 0)
    else if (name === 'relIds') {
      yield* drawnParts(zip, [relations.get(attribute(event, 'dm') ?? '')], blocks)
    } else if (name === 'chart') {
      const { type, target } = relations.get(relationId(event) ?? '') ?? {}
      if (type === 'chart') yield* chartText(zip, target, blocks)
    } else if (name === 'altChunk') {
      let text = ''
      for await (const part of chunkText(zip, relations.get(relationId(event) ?? '')?.target ?? '')) {
        if ('text' in part) text += part.text
        else yield part
      }
      for (const line of text.split('\n')) {
        blocks.open('paragraph')
        blocks.text(line)
        blocks.close()
      }
    } else if (references[name]) {
      const text = notes.get(`${references[name]} ${attribute(event, 'id')}`)
      if (text === undefined) continue
      const marker = name === 'footnoteReference' ? String(++footnotes) : noteNames[name]!
      blocks.text(`[${marker}]`)
      blocks.note(marker, text)
    }
  }
  blocks.moveTo({})
  yield* blocks.take()
}

interface Paragraph {
  style?: string | undefined
  level?: number | undefined
  list?: string
  listLevel?: number
  /** Its paragraph mark was deleted, which joins it with the next paragraph. */
  goesOn?: boolean
}

/** Renames deleted paragraph marks: other deleted elements contain deleted text. */
async function* markingDeleted(
  events: AsyncIterable<XmlEvent> | Iterable<XmlEvent>,
): AsyncIterable<XmlEvent> {
  let isInProperties = false
  for await (const event of events) {
    if (event.kind !== 'text' && event.name === 'pPr') isInProperties = event.kind === 'open'
    if (isInProperties && event.kind !== 'text' && /^(del|moveFrom)$/.test(event.name)) {
      yield { ...event, name: 'deletedMark' }
    } else yield event
  }
}

/** The texts of footnotes, endnotes or comments. */
async function* notesOf(
  events: AsyncIterable<XmlEvent>,
  context: Context,
): AsyncIterable<{ readonly id: string; readonly text: string }> {
  const rest = events[Symbol.asyncIterator]()
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    const event = next.value
    const id = event.kind === 'open' && isNote(event) ? attribute(event, 'id') : undefined
    if (event.kind !== 'open' || id === undefined) continue
    const author = attribute(event, 'author')
    let text = author ? `${author}: ` : ''
    for await (const line of readBody(untilNoteEnds(rest), context)) if ('text' in line) text += line.text
    yield { id, text: text.replaceAll(/\s+/g, ' ').trim() }
  }
}

const isNote = (event: XmlEvent) => event.kind !== 'text' && /^(footnote|endnote|comment)$/.test(event.name)

async function* untilNoteEnds(events: AsyncIterator<XmlEvent>): AsyncIterable<XmlEvent> {
  for (let next = await events.next(); !next.done && !isNote(next.value); next = await events.next()) {
    yield next.value
  }
}

/** PPTX: the text of each slide, its tables, charts and diagrams, then its notes. */
import { Blocks } from './blocks.ts'
import { chartText } from './charts.ts'
import type { Parsed } from './parser.ts'
import { attribute, relationId, without, type XmlEvent } from './xml.ts'
import { formulasAsRuns } from './xml-formulas.ts'
import type { Relation, ZipPackage } from './zip-package.ts'

const skipped = new Set(['Fallback'])
/** Parts of a slide with text of their own, in text order. */
const partsOfSlide = ['diagramData', 'notesSlide', 'comments']
/** Placeholders for numbers, dates and the like, which the program fills in. */
const filledIn = new Set(['sldNum', 'dt', 'hdr', 'ftr'])

export async function* pptxText(zip: ZipPackage, main: string): AsyncIterable<Parsed> {
  const relations = await zip.relations(main)
  const blocks = new Blocks()
  let slide = 0
  for await (const event of zip.xml(main)) {
    // Sections list the slides again, without a relation.
    const id = event.kind === 'open' && event.name === 'sldId' ? relationId(event) : undefined
    if (id === undefined) continue
    const part = relations.get(id)?.target
    slide++
    if (part === undefined || !zip.has(part)) {
      yield { warning: `slide ${slide} is missing` }
      continue
    }
    blocks.moveTo({ slide })
    yield* drawnText(zip.xml(part), blocks)
    const others = [...(await zip.relations(part)).values()]
    for (const { type, target } of others) {
      if (type === 'chart') yield* chartText(zip, target, blocks)
    }
    yield* blocks.take()
    for (const type of partsOfSlide) {
      yield* drawnParts(
        zip,
        others.filter((other) => other.type === type),
        blocks,
      )
    }
  }
}

/** The text of parts with drawings, diagrams and the like; missing parts are skipped. */
export async function* drawnParts(
  zip: ZipPackage,
  parts: readonly (Relation | undefined)[],
  blocks: Blocks,
): AsyncIterable<Parsed> {
  for (const part of parts) yield* drawnText(zip.xmlIfAny(part?.target), blocks)
}

/** The paragraphs and tables of a slide or drawing. */
async function* drawnText(
  events: AsyncIterable<XmlEvent> | Iterable<XmlEvent>,
  blocks: Blocks,
): AsyncIterable<Parsed> {
  let [isText, isRaised, isStruck, isFilledIn] = [false, false, false, false]
  for await (const event of formulasAsRuns(without(skipped, events))) {
    if (event.kind === 'text') {
      if (isText && !isFilledIn) blocks.text(event.text, isRaised, isStruck)
      continue
    }
    const { name } = event
    const isOpen = event.kind === 'open'
    // The text of a comment has no paragraphs.
    if (name === 'p' || (name === 'text' && isOpen) || (name === 'text' && blocks.inside === 'paragraph')) {
      if (isOpen) blocks.open('paragraph')
      else blocks.close()
      if (name === 'text') isText = isOpen
    } else if (name === 't') isText = isOpen
    else if (name === 'tr' || name === 'tc') {
      if (isOpen) blocks.open(name === 'tr' ? 'row' : 'cell')
      else blocks.close()
    } else if (name === 'br' && isOpen) blocks.text('\n')
    else if (name === 'r') [isRaised, isStruck] = [false, false]
    else if (name === 'rPr' && isOpen) {
      isRaised = Number(attribute(event, 'baseline')) > 0
      isStruck = /^(?:sng|dbl)Strike$/.test(attribute(event, 'strike') ?? '')
    } else if (name === 'sp') isFilledIn = false
    else if (name === 'cNvPr' && isOpen) blocks.picture(attribute(event, 'descr'))
    else if (name === 'ph' && isOpen) isFilledIn = filledIn.has(attribute(event, 'type') ?? '')
    if (blocks.inside === undefined) yield* blocks.take()
  }
}

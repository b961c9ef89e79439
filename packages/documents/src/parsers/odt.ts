/** ODT and ODP: paragraphs under their headings, tables, notes and comments; slides with their notes. */
import { Blocks } from './blocks.ts'
import type { Parsed } from './parser.ts'
import { attribute, wholeNumber, type XmlEvent } from './xml.ts'

/** Names of styles. */
export interface MarkedStyles {
  /** For superscripts. */
  readonly raised: Set<string>
  /** For text that is struck out. */
  readonly struck: Set<string>
}

export const noStyles = (): MarkedStyles => ({ raised: new Set(), struck: new Set() })

export async function* odtText(
  content: AsyncIterable<XmlEvent>,
  styles: MarkedStyles = noStyles(),
): AsyncIterable<Parsed> {
  const blocks = new Blocks()
  let slide = 0
  let notes = 0
  /** Of each open paragraph and span: whether it is a superscript, and struck, or inside such a one. */
  const marks: { readonly isRaised: boolean; readonly isStruck: boolean }[] = []
  /** Columns that the open cells stand for. */
  const columns: number[] = []
  /** Of a picture or shape, while it is read. */
  let description: string | undefined
  for await (const event of content) {
    if (event.kind === 'text') {
      if (description !== undefined) description += event.text
      else blocks.text(event.text, marks.at(-1)?.isRaised, marks.at(-1)?.isStruck)
      continue
    }
    const { name } = event
    const isOpen = event.kind === 'open'
    if (name === 'p' || name === 'h') {
      if (isOpen) {
        const level = name === 'h' ? wholeNumber(attribute(event, 'outline-level'), 1) : undefined
        blocks.open('paragraph', { level })
        marks.push({ isRaised: false, isStruck: styles.struck.has(attribute(event, 'style-name') ?? '') })
      } else {
        blocks.close()
        marks.pop()
      }
    } else if (name === 'table-row') {
      if (isOpen) blocks.open('row')
      else blocks.close()
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      if (isOpen) {
        columns.push(wholeNumber(attribute(event, 'number-columns-repeated'), 1))
        blocks.open('cell')
      } else blocks.closeCell(columns.pop())
    } else if (name === 'note' || name === 'annotation') {
      if (!isOpen) {
        blocks.close()
        continue
      }
      const marker = name === 'note' ? String(++notes) : 'comment'
      blocks.text(`[${marker}]`)
      blocks.open('note', { marker })
    } else if (name === 'span') {
      const style = attribute(event, 'style-name') ?? ''
      const { isRaised = false, isStruck = false } = marks.at(-1) ?? {}
      if (isOpen)
        marks.push({
          isRaised: isRaised || styles.raised.has(style),
          isStruck: isStruck || styles.struck.has(style),
        })
      else marks.pop()
    } else if (name === 'desc') {
      if (!isOpen) blocks.picture(description)
      description = isOpen ? '' : undefined
    } else if (name === 'page' && isOpen) blocks.moveTo({ slide: ++slide })
    else if (name === 'list-item' && isOpen) blocks.startItem()
    if (blocks.inside === undefined) yield* blocks.take()
  }
}

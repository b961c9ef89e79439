/** ODT and ODP: paragraphs under their headings, tables, notes and comments; slides with their notes. */
import { Blocks } from './blocks.ts'
import type { Parsed } from './parser.ts'
import { attribute, wholeNumber, type XmlEvent } from './xml.ts'

/** @param raisedStyles names of styles for superscripts */
export async function* odtText(
  content: AsyncIterable<XmlEvent>,
  raisedStyles: ReadonlySet<string> = new Set(),
): AsyncIterable<Parsed> {
  const blocks = new Blocks()
  let slide = 0
  let notes = 0
  /** Of each open span: whether it is a superscript or inside one. */
  const raised: boolean[] = []
  /** Columns that the open cells stand for. */
  const columns: number[] = []
  for await (const event of content) {
    if (event.kind === 'text') {
      blocks.text(event.text, raised.at(-1))
      continue
    }
    const { name } = event
    const isOpen = event.kind === 'open'
    if (name === 'p' || name === 'h') {
      if (isOpen) {
        const level = name === 'h' ? wholeNumber(attribute(event, 'outline-level'), 1) : undefined
        blocks.open('paragraph', { level })
      } else blocks.close()
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
      if (isOpen) raised.push(raised.at(-1) || raisedStyles.has(attribute(event, 'style-name') ?? ''))
      else raised.pop()
    } else if (name === 'page' && isOpen) blocks.moveTo({ slide: ++slide })
    else if (name === 'list-item' && isOpen) blocks.startItem()
    if (blocks.inside === undefined) yield* blocks.take()
  }
}

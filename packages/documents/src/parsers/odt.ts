/** ODT and ODP: paragraphs under their headings, tables, notes and comments; slides with their notes. */
import { Blocks } from './blocks.ts'
import type { Parsed } from './parser.ts'
import { attribute, wholeNumber, type XmlEvent } from './xml.ts'

/** @param raisedStyles of superscripts */
export async function* odtText(
  content: AsyncIterable<XmlEvent>,
  raisedStyles: ReadonlySet<string> = new Set(),
): AsyncIterable<Parsed> {
  const blocks = new Blocks()
  let slide = 0
  let notes = 0
  let isRaised = false
  for await (const event of content) {
    if (event.kind === 'text') {
      blocks.text(event.text, isRaised)
      continue
    }
    const { name } = event
    const isOpen = event.kind === 'open'
    if (name === 'p' || name === 'h') {
      if (isOpen) {
        const level = name === 'h' ? wholeNumber(attribute(event, 'outline-level'), 1) : undefined
        blocks.open('paragraph', { level })
      } else blocks.close()
    } else if (['table-row', 'table-cell', 'covered-table-cell'].includes(name)) {
      if (isOpen) blocks.open(name === 'table-row' ? 'row' : 'cell')
      else blocks.close()
    } else if (name === 'note' || name === 'annotation') {
      if (!isOpen) {
        blocks.close()
        continue
      }
      const marker = name === 'note' ? String(++notes) : 'comment'
      blocks.text(`[${marker}]`)
      blocks.open('note', { marker })
    } else if (name === 'span') isRaised = isOpen && raisedStyles.has(attribute(event, 'style-name') ?? '')
    else if (name === 'page' && isOpen) blocks.moveTo({ slide: ++slide })
    else if (name === 'list-item' && isOpen) blocks.startItem()
    if (blocks.inside === undefined) yield* blocks.take()
  }
}

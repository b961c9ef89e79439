import { annotated } from '../text/ruby.ts'
import { runOf, type XmlEvent } from './xml.ts'

/** Puts annotations beside words, such as the reading of Japanese characters, behind these words, as the text of a run. */
export async function* rubyBehind(
  events: AsyncIterable<XmlEvent> | Iterable<XmlEvent>,
): AsyncIterable<XmlEvent> {
  let annotation = ''
  let depth = 0
  for await (const event of events) {
    if (depth > 0) {
      if (event.kind === 'text') annotation += event.text
      else depth += event.kind === 'open' ? 1 : -1
      continue
    }
    // Of DOCX and ODT.
    if (event.kind === 'open' && (event.name === 'rt' || event.name === 'ruby-text')) {
      depth = 1
      continue
    }
    if (event.kind === 'close' && event.name === 'ruby') {
      const text = annotated(annotation)
      annotation = ''
      if (text !== '') yield* runOf(text)
    }
    yield event
  }
}

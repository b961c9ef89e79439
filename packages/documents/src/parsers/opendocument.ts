/** OpenDocument: what texts, presentations and workbooks share. */
import { odsText } from './ods.ts'
import { odtText } from './odt.ts'
import { encrypted, type Parsed, type ParserLimits } from './parser.ts'
import { attribute, wholeNumber, without, type XmlEvent } from './xml.ts'
import { ZipPackage } from './zip-package.ts'

const skipped = new Set(['tracked-changes', 'forms', 'event-listeners', 'desc', 'page-number'])
const spacesLimit = 100

export async function* parseOpenDocument(file: Uint8Array, limits: ParserLimits): AsyncIterable<Parsed> {
  const zip = await ZipPackage.open(file, limits)
  if (await isEncrypted(zip)) throw encrypted()
  const content = bodyOf(zip.xml('content.xml'))
  const { value: first } = await content.next()
  yield* first?.kind === 'open' && first.name === 'spreadsheet' ? odsText(content) : odtText(content)
}

/** The body from its first element on, without deleted text, with white space as it shows. @throws ParseFailure */
async function* bodyOf(events: AsyncIterable<XmlEvent>): AsyncGenerator<XmlEvent, undefined> {
  let isBody = false
  for await (const event of without(skipped, events)) {
    if (event.kind !== 'text' && event.name === 'body') isBody = event.kind === 'open'
    else if (!isBody) continue
    else if (event.kind === 'text') yield { kind: 'text', text: event.text.replaceAll(/[ \t\r\n]+/g, ' ') }
    else yield event
    const space = spaceOf(event)
    if (isBody && space !== '') yield { kind: 'text', text: space }
  }
}

async function isEncrypted(zip: ZipPackage): Promise<boolean> {
  const manifest = 'META-INF/manifest.xml'
  if (!zip.has(manifest)) return false
  for await (const event of zip.xml(manifest)) {
    if (event.kind === 'open' && event.name === 'encryption-data') return true
  }
  return false
}

/** White space that has elements of its own. */
function spaceOf(event: XmlEvent): string {
  if (event.kind !== 'open') return ''
  if (event.name === 's') return ' '.repeat(Math.min(spacesLimit, wholeNumber(attribute(event, 'c'), 1)))
  return event.name === 'tab' ? '\t' : event.name === 'line-break' ? '\n' : ''
}

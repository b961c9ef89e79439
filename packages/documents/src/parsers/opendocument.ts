/** OpenDocument: what texts, presentations and workbooks share. */
import { marginLines } from './margin-lines.ts'
import { odsText } from './ods.ts'
import { type MarkedStyles, noStyles, odtText } from './odt.ts'
import { encrypted, type Parsed, type ParserLimits, unread } from './parser.ts'
import { attribute, wholeNumber, without, type XmlEvent } from './xml.ts'
import { objectsAsText } from './xml-formulas.ts'
import { rubyBehind } from './xml-ruby.ts'
import { ZipPackage } from './zip-package.ts'

const skipped = new Set(['tracked-changes', 'forms', 'event-listeners', 'page-number'])
const spacesLimit = 100
const margins = new Set(
  ['header', 'footer'].flatMap((name) => ['', '-left', '-first'].map((place) => name + place)),
)

export async function* parseOpenDocument(file: Uint8Array, limits: ParserLimits): AsyncIterable<Parsed> {
  const zip = await ZipPackage.open(file, limits)
  if (await isEncrypted(zip)) throw encrypted()
  const styles = noStyles()
  const content = bodyOf(zip.xml('content.xml'), styles)
  const { value: first } = await content.next()
  const kind = first?.kind === 'open' ? first.name : ''
  if (kind === 'spreadsheet') {
    yield* odsText(without(new Set(['desc']), content), styles.struck)
    return
  }
  const broken: string[] = []
  yield* odtText(rubyBehind(objectsAsText(zip, content, broken)), styles)
  for (const part of broken) yield unread(part)
  // Headers and footers of a presentation are placeholders that each slide fills in.
  if (kind !== 'text') return
  yield* marginLines(odtText(within(margins, shown(without(skipped, zip.xmlIfAny('styles.xml'))))))
}

/** Only what is inside elements of these names. */
async function* within(names: ReadonlySet<string>, events: AsyncIterable<XmlEvent>): AsyncIterable<XmlEvent> {
  let depth = 0
  for await (const event of events) {
    const isNamed = event.kind !== 'text' && names.has(event.name)
    if (isNamed) depth += event.kind === 'open' ? 1 : -1
    else if (depth > 0) yield event
  }
}

/** The body from its first element, without deleted text. @param styles collects those that mark text @throws ParseFailure */
async function* bodyOf(
  events: AsyncIterable<XmlEvent>,
  styles: MarkedStyles,
): AsyncGenerator<XmlEvent, undefined> {
  let isBody = false
  let style: string | undefined
  for await (const event of shown(without(skipped, events))) {
    if (event.kind !== 'text' && event.name === 'body') isBody = event.kind === 'open'
    else if (isBody) yield event
    else if (event.kind === 'open' && event.name === 'style') style = attribute(event, 'name')
    else if (style !== undefined && event.kind === 'open') {
      if (/^(?:super|[1-9])/.test(attribute(event, 'text-position') ?? '')) styles.raised.add(style)
      if (isStruck(event)) styles.struck.add(style)
    }
  }
}

/** Shows white space as the program does. */
async function* shown(events: AsyncIterable<XmlEvent>): AsyncIterable<XmlEvent> {
  for await (const event of events) {
    if (event.kind === 'text') yield { kind: 'text', text: event.text.replaceAll(/[ \t\r\n]+/g, ' ') }
    else yield event
    const space = spaceOf(event)
    if (space !== '') yield { kind: 'text', text: space }
  }
}

const isStruck = (properties: XmlEvent): boolean =>
  ['text-line-through-style', 'text-line-through-type'].some(
    (name) => (attribute(properties, name) ?? 'none') !== 'none',
  )

async function isEncrypted(zip: ZipPackage): Promise<boolean> {
  for await (const event of zip.xmlIfAny('META-INF/manifest.xml')) {
    if (event.kind === 'open' && event.name === 'encryption-data') return true
  }
  return false
}

/** White space that has its own elements. */
function spaceOf(event: XmlEvent): string {
  if (event.kind !== 'open') return ''
  if (event.name === 's') return ' '.repeat(Math.min(spacesLimit, wholeNumber(attribute(event, 'c'), 1)))
  return event.name === 'tab' ? '\t' : event.name === 'line-break' ? '\n' : ''
}

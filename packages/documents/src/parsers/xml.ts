/** XML as events, part by part. Entities that a file declares are never expanded: using one is an error. */
import { SaxesParser } from 'saxes'
import { broken } from './parser.ts'

/** Element names come without their prefix, which every producer may choose; attribute names keep it. */
export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string }

/** @throws ParseFailure when it is not well-formed */
export async function* xmlEvents(bytes: AsyncIterable<Uint8Array>): AsyncIterable<XmlEvent> {
  let events: XmlEvent[] = []
  const parser = new SaxesParser({ xmlns: false, position: false })
  const names = new Map<string, string>()
  const local = (name: string) => {
    const known = names.get(name)
    if (known !== undefined) return known
    const short = name.slice(name.indexOf(':') + 1)
    if (names.size < 10_000) names.set(name, short)
    return short
  }
  parser.on('opentag', ({ name, attributes }) =>
    events.push({ kind: 'open', name: local(name), attributes: attributes as Record<string, string> }),
  )
  parser.on('closetag', ({ name }) => events.push({ kind: 'close', name: local(name) }))
  parser.on('text', (text) => events.push({ kind: 'text', text }))
  parser.on('cdata', (text) => events.push({ kind: 'text', text }))
  parser.on('error', ({ message }) => {
    throw broken(`XML: ${message}`)
  })
  for await (const text of decodedXml(bytes)) {
    parser.write(text)
    yield* events
    events = []
  }
  parser.close()
  yield* events
}

/** Decodes the declared encoding, or UTF-8; UTF-16 by its byte order mark. @throws ParseFailure for an unknown encoding */
export async function* decodedXml(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const part of bytes) {
    decoder ??= decoderOf(part)
    yield decoder.decode(part, { stream: true })
  }
  yield decoder?.decode() ?? ''
}

function decoderOf(start: Uint8Array): InstanceType<typeof TextDecoder> {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le')
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be')
  const declaration = Buffer.from(start.subarray(0, 200)).toString('latin1')
  const [, label = 'utf-8'] =
    /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration) ?? []
  try {
    // Without a byte order mark, these bytes are not in a 16-bit encoding, whatever they declare.
    return new TextDecoder(/^utf-?16/i.test(label) ? 'utf-8' : label)
  } catch {
    throw broken(`XML in an unknown encoding, ${label}`)
  }
}

/** Leaves out elements with these names and everything inside. */
export async function* without(
  names: ReadonlySet<string>,
  events: AsyncIterable<XmlEvent> | Iterable<XmlEvent>,
): AsyncIterable<XmlEvent> {
  let depth = 0
  for await (const event of events) {
    if (depth === 0 && !(event.kind === 'open' && names.has(event.name))) yield event
    else if (event.kind === 'open') depth++
    else if (event.kind === 'close') depth--
  }
}

/** The text as that of a run of Office. */
export const runOf = (text: string): readonly XmlEvent[] => [
  { kind: 'open', name: 'r', attributes: {} },
  { kind: 'open', name: 't', attributes: {} },
  { kind: 'text', text },
  { kind: 'close', name: 't' },
  { kind: 'close', name: 'r' },
]

/** The value of an attribute by its local name, whatever its prefix. */
export function attribute(event: XmlEvent, name: string): string | undefined {
  if (event.kind !== 'open') return undefined
  const own = event.attributes[name]
  if (own !== undefined) return own
  const suffix = `:${name}`
  for (const key in event.attributes) if (key.endsWith(suffix)) return event.attributes[key]
  return undefined
}

/** The value of `r:id`, beside an `id` with another meaning. */
export function relationId(event: XmlEvent): string | undefined {
  if (event.kind !== 'open') return undefined
  for (const key in event.attributes) if (key.endsWith(':id')) return event.attributes[key]
  return undefined
}

/** Whether a setting of Office is on, which it is without a value, too. */
export const isOn = (value: string | undefined): boolean => !/^(?:0|false|off)$/.test(value ?? '')

/** A count or number in an attribute; `otherwise` if it is missing or not a whole number from 0. */
export function wholeNumber(value: string | undefined, otherwise: number): number {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : otherwise
}

/** Parts of a DOCX in another format, which Word takes over when it opens the document. */
import { encodingOf, isKnown } from '../text/encoding.ts'
import { htmlText } from '../text/html-text.ts'
import type { Parsed } from './parser.ts'
import { parseRtf } from './rtf.ts'
import type { ZipPackage } from './zip-package.ts'

const charset = /charset\s*=\s*["']?\s*([\w-]+)/i

/** The text of a part, or a warning. Its headings are none of the document's. */
export async function* chunkText(zip: ZipPackage, part: string): AsyncIterable<Parsed> {
  const [, ending = ''] = /\.(\w+)$/.exec(part.toLowerCase()) ?? []
  if (!/^(?:x?html?|xht|txt|rtf)$/.test(ending) || !zip.has(part)) {
    yield { warning: `a part of it, ${part}, is not read` }
    return
  }
  const pieces: Uint8Array[] = []
  for await (const piece of zip.read(part)) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  if (ending === 'rtf') yield* parseRtf(bytes)
  else if (ending === 'txt') yield { text: decoded(bytes) }
  else for await (const { text } of htmlText([decoded(bytes)], ending.startsWith('x'))) yield { text }
}

function decoded(bytes: Buffer): string {
  const found = encodingOf(bytes, true)
  const [, declared = ''] = charset.exec(bytes.toString('latin1', 0, 2048)) ?? []
  if (found.is === 'unicode') {
    const mark = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8'
    return new TextDecoder(mark).decode(bytes)
  }
  const label = found.is === 'guessed' && isKnown(declared) ? declared : found.label
  return new TextDecoder(isKnown(label) ? label : 'utf-8').decode(bytes)
}

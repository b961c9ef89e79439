/** Parts of a DOCX in another format, which Word converts when it opens the document. */
import { encodingOf, isKnown, isUnicode } from '../text/encoding.ts'
import { htmlText } from '../text/html-text.ts'
import { type Parsed, ParseFailure, unread } from './parser.ts'
import { parseRtf } from './rtf.ts'
import type { ZipPackage } from './zip-package.ts'

const charset = /charset\s*=\s*["']?\s*([\w-]+)/i

/** The text of a part, or a warning. Its headings do not count as headings of the document. */
export async function* chunkText(zip: ZipPackage, part: string): AsyncIterable<Parsed> {
  const [, ending = ''] = /\.(\w+)$/.exec(part.toLowerCase()) ?? []
  if (!/^(?:x?html?|xht|txt|rtf)$/.test(ending) || !zip.has(part)) {
    yield unread(part)
    return
  }
  const pieces: Uint8Array[] = []
  for await (const piece of zip.read(part)) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  if (ending === 'rtf') yield* rtfText(bytes, part)
  else if (ending === 'txt') yield { text: decoded(bytes) }
  else if (/^\s*MIME-Version:/i.test(bytes.toString('latin1', 0, 100))) yield unread(part)
  else for await (const { text } of htmlText([decoded(bytes)], ending.startsWith('x'))) yield { text }
}

/** A broken part does not keep the rest of the document from being read. */
async function* rtfText(bytes: Buffer, part: string): AsyncIterable<Parsed> {
  try {
    yield* parseRtf(bytes)
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error
    yield unread(part)
  }
}

function decoded(bytes: Buffer): string {
  const found = encodingOf(bytes, true)
  const [, declared = ''] = charset.exec(bytes.toString('latin1', 0, 2048)) ?? []
  if (found.is === 'unicode') {
    const mark = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8'
    return new TextDecoder(mark).decode(bytes)
  }
  const label = found.is === 'guessed' && isKnown(declared) && !isUnicode(declared) ? declared : found.label
  return new TextDecoder(isKnown(label) ? label : 'utf-8').decode(bytes)
}

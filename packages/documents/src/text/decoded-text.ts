/** Decodes text in any encoding into a stream of strings. */
import { binary, PieceDecoder } from '@memagent/core'
import type { ByteSource, LoadContext } from '../loader.ts'
import { type EncodingLabel, encodingOf, isKnown, isMoreThanAscii, isUnicode } from './encoding.ts'

/** Bytes from which the encoding is decided, from the first piece on that is not ASCII. */
const decidingBytes = 65_536

type Decode = (bytes: Uint8Array, isLast: boolean) => Iterable<string>

/**
 * Decodes UTF-8, UTF-16, UTF-32 and the legacy encodings that browsers know, which are guessed, with a remark. Drops the byte
 * order mark, and turns a lone carriage return into a line feed.
 * @param declared what the text says about itself; believed unless the bytes contradict it
 * @throws DocumentError with source and offset for bytes in no encoding
 */
export async function* decodedText(
  source: ByteSource,
  context: LoadContext,
  declared?: EncodingLabel,
): AsyncGenerator<string> {
  // A carriage return, until it is known whether a line feed follows.
  let held = ''
  for await (const text of decoded(source, context, declared)) {
    const known = held + text
    held = known.endsWith('\r') ? '\r' : ''
    const ended = known.slice(0, known.length - held.length)
    if (ended !== '') yield ended.includes('\r') ? ended.replace(/\r(?!\n)/g, '\n') : ended
  }
  if (held !== '') yield '\n'
}

async function* decoded(
  source: ByteSource,
  context: LoadContext,
  declared?: EncodingLabel,
): AsyncGenerator<string> {
  let decode: Decode | undefined
  let held: Uint8Array = new Uint8Array(0)
  let offset = 0
  for await (const bytes of source.stream()) {
    context.signal?.throwIfAborted()
    if (decode) {
      yield* decode(bytes, false)
      continue
    }
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    if (!isMoreThanAscii(held)) {
      // The last byte may begin an escape sequence.
      const end = held.at(-1) === 0x1b ? held.length - 1 : held.length
      yield Buffer.from(held.subarray(0, end)).toString('latin1')
      offset += end
      held = held.subarray(end)
    } else if (source.isLive || held.length >= decidingBytes) {
      decode = decoderOf(source, held, offset, context, declared)
      yield* decode(held, false)
      continue
    }
    held = Uint8Array.from(held)
  }
  context.signal?.throwIfAborted()
  if (decode) yield* decode(new Uint8Array(0), true)
  else yield* decoderOf(source, held, offset, context, declared)(held, true)
}

function decoderOf(
  { name }: ByteSource,
  bytes: Uint8Array,
  offset: number,
  { invalidBytes, onRemark }: LoadContext,
  declared: EncodingLabel | undefined,
): Decode {
  const isStart = offset === 0
  const found = encodingOf(bytes, isStart)
  const isBelieved = declared !== undefined && isKnown(declared) && !isUnicode(declared)
  const label = found.is === 'guessed' && isBelieved ? declared : found.is !== 'unicode' && found.label
  // Asking for replacements implies that it is UTF-8.
  if (!label || (found.is === 'guessed' && invalidBytes === 'replace')) {
    const decoder = new PieceDecoder(name, isStart ? bytes : new Uint8Array(0), invalidBytes, offset)
    return function* (piece, isLast) {
      for (const { text } of decoder.decode(piece, isLast)) yield text
    }
  }
  if (found.is === 'guessed' && label !== declared) {
    onRemark?.({
      code: 'source-encoding',
      source: name,
      message: `${name} is not UTF-8; it is read as ${label}, which is a guess.`,
    })
  }
  if (label.startsWith('utf-32')) return utf32Decoder(label === 'utf-32le')
  const decoder = new TextDecoder(label)
  let from = offset
  return function* (piece, isLast) {
    // The encoding was guessed from the beginning, which had no zero byte.
    const zero = found.is === 'guessed' ? piece.indexOf(0) : -1
    if (zero >= 0) throw binary(name, from + zero)
    from += piece.length
    const text = decoder.decode(piece, { stream: !isLast })
    if (text !== '') yield text
  }
}

/** UTF-32, which the Encoding Standard leaves out. */
function utf32Decoder(isLittle: boolean): Decode {
  let held: Uint8Array = new Uint8Array(0)
  return function* (piece, isLast) {
    const bytes = Buffer.concat([held, piece])
    const end = bytes.length - (bytes.length % 4)
    let text = ''
    for (let i = 0; i < end; i += 4) {
      const code = isLittle ? bytes.readUInt32LE(i) : bytes.readUInt32BE(i)
      text += code > 0x10ffff ? '\ufffd' : code === 0xfeff ? '' : String.fromCodePoint(code)
    }
    held = bytes.subarray(end)
    if (isLast && held.length > 0) text += '\ufffd'
    if (text !== '') yield text
  }
}

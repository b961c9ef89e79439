/** PDFs that unpack to more than anyone has; for tests. */
import { deflateSync } from 'node:zlib'

/** One page whose commands are this many mebibytes of spaces, packed twice. */
export function flateBomb(mebibytes: number): Buffer {
  const packed = deflateSync(deflateSync(Buffer.alloc(mebibytes << 20, ' ')))
  return pdfOf(
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>',
    Buffer.concat([
      Buffer.from(`<</Length ${packed.length}/Filter[/FlateDecode/FlateDecode]>>\nstream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]),
  )
}

/** @param objects numbered by their place, the catalogue first */
export function pdfOf(...objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  for (const [i, object] of objects.entries()) {
    offsets.push(length)
    add(Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]))
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`
  add(Buffer.from(table))
  return Buffer.concat(parts)
}

/** Whether the end of a PDF is there. */

const object = String.raw`\d{1,10}\s{1,9}\d{1,5}\s{1,9}obj\b`
const behind = new RegExp(object)
const table = new RegExp(`^\\s{0,9}(?:xref\\b|${object})`)

/**
 * A PDF ends with the place of its table of objects. If that is missing or wrong, because the file was cut off or changed by a
 * transfer, the library looks for objects itself, and does not say so: what was cut off is lost without a word.
 */
export function hasIntactEnd(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const at = bytes.lastIndexOf('startxref')
  if (at < 0) return false
  const [, digits] = /^startxref\s+(\d{1,15})\s+%%EOF/.exec(bytes.toString('latin1', at, at + 64)) ?? []
  if (digits === undefined) return false
  // Objects behind it were added by a change whose own end is missing.
  if (behind.test(bytes.toString('latin1', at))) return false
  // Offsets count from the header, before which mail and web servers put something now and then.
  const header = Math.max(0, bytes.subarray(0, 1024).indexOf('%PDF-'))
  return [0, header].some((start) => {
    const place = start + Number(digits)
    return table.test(bytes.toString('latin1', place, place + 40))
  })
}

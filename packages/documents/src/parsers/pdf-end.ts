/** Checks whether a PDF has its end. */

const object = String.raw`\d{1,10}\s{1,9}\d{1,5}\s{1,9}obj\b`
const behind = new RegExp(object)
const table = new RegExp(`^\\s{0,9}(?:xref\\b|${object})`)

/**
 * A PDF ends with the offset of its object table. If that is missing or wrong, because the file was cut off or changed in
 * transfer, the library searches for objects itself without saying so, and what was cut off would be lost silently.
 */
export function hasIntactEnd(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const at = bytes.lastIndexOf('startxref')
  if (at < 0) return false
  const [, digits] = /^startxref\s+(\d{1,15})\s+%%EOF/.exec(bytes.toString('latin1', at, at + 64)) ?? []
  if (digits === undefined) return false
  // Objects after it come from an update whose own end is missing.
  if (behind.test(bytes.toString('latin1', at))) return false
  // Offsets count from the header, which mail and web servers sometimes put something in front of.
  const header = Math.max(0, bytes.subarray(0, 1024).indexOf('%PDF-'))
  return [0, header].some((start) => {
    const place = start + Number(digits)
    return table.test(bytes.toString('latin1', place, place + 40))
  })
}

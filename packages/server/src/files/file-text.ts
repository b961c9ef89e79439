/** What a reader sees of an upload. */
import { positionText, requireText, tellsUnread } from '@memagent/core'
import { openDocuments } from '@memagent/documents'
import type { FileText } from '@memagent/web'
import type { Upload, Uploads } from './uploads.ts'

export interface TextPart {
  /** Offset in the text of the whole file, in UTF-8. */
  readonly startByte: number
  /** Size limit in bytes. */
  readonly most: number
  readonly signal: AbortSignal
}

/** @throws DocumentError for a file that cannot be read, or has no text */
export async function fileText(
  upload: Upload,
  uploads: Uploads,
  { startByte, most, signal }: TextPart,
): Promise<FileText> {
  const remarks: string[] = []
  const remark = (message: string) => {
    if (!remarks.includes(message)) remarks.push(message)
  }
  const document = await openDocuments([uploads.fileOf(upload)], {
    onRemark: ({ message }) => remark(message),
    signal,
  })
  const marks: { startByte: number; place: string }[] = []
  const parts: Buffer[] = []
  const endByte = startByte + most
  let [at, goesOn] = [0, false]
  const pieces = requireText(document, (one) => tellsUnread(one) || remark(one.message)).open(signal)
  for await (const { text, position, source } of pieces) {
    const bytes = Buffer.from(text)
    goesOn = bytes.length > 0 && at + bytes.length > endByte
    const [from, to] = [Math.max(0, startByte - at), Math.min(bytes.length, endByte - at)]
    if (from < to) {
      parts.push(bytes.subarray(from, to))
      const inside = source === upload.filename ? '' : source
      const place = [inside, position && positionText(position)].filter(Boolean).join(', ')
      if (place !== '' && marks.at(-1)?.place !== place) marks.push({ startByte: at + from, place })
    }
    at += bytes.length
    if (goesOn) break
  }
  const text = Buffer.concat(parts)
  const [first, whole] = [startOfSigns(text), goesOn ? endOfSigns(text) : text.length]
  return {
    name: upload.filename,
    startByte: startByte + first,
    text: text.subarray(first, whole).toString('utf8'),
    marks,
    ...(goesOn && { nextByte: startByte + whole }),
    remarks,
  }
}

/** The bytes of a character that is cut off at the start. */
function startOfSigns(text: Buffer): number {
  const first = text.findIndex((byte) => (byte & 0xc0) !== 0x80)
  return first === -1 ? text.length : first
}

/** The length without a character that is cut off at the end. */
function endOfSigns(text: Buffer): number {
  let lead = text.length - 1
  while (lead > 0 && (text[lead]! & 0xc0) === 0x80) lead--
  const first = text[lead] ?? 0
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return lead + size > text.length ? lead : text.length
}

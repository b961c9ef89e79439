/** Guesses the character set of mails that name none, like mails from the 1990s and from machines: UTF-8 would lose letters. */
import { encodingOf, isKnown } from '../text/encoding.ts'

/** Western: used if there is too little text for a guess. */
const usual = 'windows-1252'
// Bounded, so that unclosed tags are not scanned again and again.
const namedInHtml = /<meta\b[^<>]{0,1000}?\bcharset=["']?([\w-]+)/i
const boundary = /\bboundary=(?:"([^"\n]{1,200})"|([^\s;]{1,200}))/gi

/**
 * Adds a guess to the headers of texts that name no character set and are not UTF-8. The changed text has one character per
 * byte.
 * @returns undefined if there are none
 */
export function guessingCharset(mail: Buffer): { readonly mail: Buffer; readonly label: string } | undefined {
  const text = mail.toString('latin1')
  const boundaries = new Set([...text.matchAll(boundary)].map(([, quoted, bare]) => `--${quoted ?? bare}`))
  const parts: string[][] = [[]]
  for (const line of text.split('\n')) {
    parts.at(-1)!.push(line)
    if (boundaries.has(line.trimEnd())) parts.push([])
  }
  let found: string | undefined
  const lines = parts.flatMap((part) => {
    const blank = part.findIndex((line) => line.trim() === '')
    const header = part.slice(0, blank < 0 ? part.length : blank)
    const label = labelOf(header.join('\n'), part.slice(header.length).join('\n'))
    if (label === undefined) return part
    const named = naming(label, header)
    if (named !== header) found ??= label
    return [...named, ...part.slice(header.length)]
  })
  return found === undefined ? undefined : { mail: Buffer.from(lines.join('\n'), 'latin1'), label: found }
}

/** Undefined for UTF-8, even with some damage. */
function labelOf(header: string, body: string): string | undefined {
  const isQuoted = /^content-transfer-encoding:\s{0,100}quoted-printable/im.test(header)
  const isBase64 = /^content-transfer-encoding:\s{0,100}base64/im.test(header)
  const bytes = isBase64
    ? Buffer.from(body, 'base64')
    : Buffer.from(isQuoted ? unquoted(body) : body, 'latin1')
  const asUtf8 = new TextDecoder().decode(bytes)
  const lost = asUtf8.match(/\ufffd/g)?.length ?? 0
  const read = asUtf8.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0
  if (lost === 0 || read > lost) return undefined
  const [, inHtml = ''] = namedInHtml.exec(body) ?? []
  if (isKnown(inHtml)) return inHtml
  const found = encodingOf(bytes, false)
  return found.is === 'unicode' ? usual : found.label
}

/** Decodes quoted-printable. */
const unquoted = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** @returns `header` itself if it names a character set or is not for text */
function naming(label: string, header: readonly string[]): readonly string[] {
  const first = header.findIndex((line) => /^content-type:/i.test(line))
  if (first < 0) return [...header, `Content-Type: text/plain; charset=${label}`]
  const next = header.findIndex((line, i) => i > first && !/^[ \t]/.test(line))
  const end = next < 0 ? header.length : next
  const type = header
    .slice(first, end)
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/;? ?charset="?us-ascii"?/i, '')
  if (!/^content-type: ?text\//i.test(type) || /\bcharset=/i.test(type)) return header
  return [
    ...header.slice(0, first),
    `${type.trimEnd().replace(/;$/, '')}; charset=${label}`,
    ...header.slice(end),
  ]
}

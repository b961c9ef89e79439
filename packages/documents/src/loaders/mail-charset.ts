/** The character set of texts in mails that name none, as mails of the 1990s and of machines do: as UTF-8, their letters would be lost. */
import { encodingOf, isKnown, isMoreThanAscii } from '../text/encoding.ts'

/** Of the West, where too little says which one. */
const usual = 'windows-1252'
const namedInHtml = /<meta\b[^>]*\bcharset=["']?([\w-]+)/i

/** The mail with `label`, a guess, in the headers of those texts that name none. Bytes are one character each in what is changed. */
export function guessingCharset(mail: Buffer): { readonly mail: Buffer; readonly label: string } {
  const text = mail.toString('latin1')
  const label = labelOf(mail, text)
  const boundaries = new Set(
    [...text.matchAll(/\bboundary=(?:"([^"]+)"|([^\s;]+))/gi)].map(
      ([, quoted, bare]) => `--${quoted ?? bare}`,
    ),
  )
  const lines: string[] = []
  let header: string[] | undefined = []
  for (const line of text.split('\n')) {
    if (!header) {
      lines.push(line)
      if (boundaries.has(line.trimEnd())) header = []
    } else if (line.trim() !== '') header.push(line)
    else {
      lines.push(...naming(label, header), line)
      header = undefined
    }
  }
  return { mail: Buffer.from([...lines, ...(header ?? [])].join('\n'), 'latin1'), label }
}

function labelOf(mail: Buffer, text: string): string {
  const [, inHtml = ''] = namedInHtml.exec(text) ?? []
  if (isKnown(inHtml)) return inHtml
  const bytes = isMoreThanAscii(mail) ? mail : Buffer.from(unquoted(text), 'latin1')
  const found = encodingOf(bytes, false)
  return found.is === 'unicode' ? usual : found.label
}

/** Quoted-printable. */
const unquoted = (text: string) =>
  text.replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

function naming(label: string, header: readonly string[]): readonly string[] {
  const first = header.findIndex((line) => /^content-type:/i.test(line))
  if (first < 0) return [...header, `Content-Type: text/plain; charset=${label}`]
  const next = header.findIndex((line, i) => i > first && !/^[ \t]/.test(line))
  const end = next < 0 ? header.length : next
  const type = header
    .slice(first, end)
    .join('\n')
    .replace(/;?\s*charset="?us-ascii"?/i, '')
  if (!/^content-type:\s*text\//i.test(type) || /\bcharset=/i.test(type)) return header
  return [
    ...header.slice(0, first),
    `${type.trimEnd().replace(/;$/, '')}; charset=${label}`,
    ...header.slice(end),
  ]
}

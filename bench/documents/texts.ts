/** The texts to read: English prose as one stream, as small files, and in the formats that stream. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { installedProse } from '@memagent/tasks'

const fact = 'The lighthouse was built in 1874.\n\n'
const { paragraphs } = await installedProse({ maxBytes: 8e6 })

/** Paragraphs one after another, again and again, after a fact to ask for. */
function* prose(): Generator<string> {
  yield fact
  for (let i = 0; ; i++) yield `${paragraphs[i % paragraphs.length]!.trim()}\n\n`
}

/** This many bytes, in pieces as from a pipe. */
export function* proseStream(bytes: number): Generator<Buffer> {
  let left = bytes
  let piece = ''
  for (const paragraph of prose()) {
    piece += paragraph
    if (piece.length < 65_536 && piece.length < left) continue
    const part = Buffer.from(piece).subarray(0, left)
    // A piece that is cut at the end may end inside a character.
    yield part.length < left
      ? part
      : Buffer.from(part.toString('utf8').replaceAll('\ufffd', ' ').slice(0, left))
    left -= part.length
    piece = ''
    if (left <= 0) return
  }
}

export const proseOf = (bytes: number): string => Buffer.concat([...proseStream(bytes)]).toString()

type Format = (text: string) => string | Buffer

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const parts = (text: string) => text.split('\n\n').filter((part) => part !== '')
const mail: Format = (text) =>
  `From: Anna <anna@example.org>\nTo: Bo <bo@example.org>\nDate: Mon, 5 Jan 2026 10:00:00 +0000\nSubject: Notes\n\n${text}\n`

/** By the ending of their files. */
export const formats = {
  txt: (text) => text,
  md: (text) => `# Notes\n\n${text}`,
  csv: (text) =>
    `number,text\n${parts(text)
      .map((part, i) => `${i},"${part.replaceAll('"', '""')}"\n`)
      .join('')}`,
  jsonl: (text) =>
    parts(text)
      .map((part) => `${JSON.stringify({ text: part })}\n`)
      .join(''),
  html: (text) =>
    `<!doctype html><title>Notes</title><h1>Notes</h1>${parts(text)
      .map((part) => `<p>${escaped(part)}</p>\n`)
      .join('')}`,
  eml: mail,
} satisfies Readonly<Record<string, Format>>

/** Formats and encodings for one large file each. */
export const files: Readonly<
  Record<string, (text: string) => readonly [name: string, content: string | Buffer]>
> = {
  'plain text, UTF-8': (text) => ['a.txt', text],
  'plain text, UTF-16': (text) => ['a.txt', Buffer.from(`\ufeff${text}`, 'utf16le')],
  'plain text, Windows-1252': (text) => [
    'a.txt',
    Buffer.from(text.replaceAll(/[^\0-\x7f]/g, '').replaceAll('tree', 'trée'), 'latin1'),
  ],
  Markdown: (text) => ['a.md', formats.md(text)],
  CSV: (text) => ['a.csv', formats.csv(text)],
  'JSON lines': (text) => ['a.jsonl', formats.jsonl(text)],
  HTML: (text) => ['a.html', formats.html(text)],
  mailbox: (text) => [
    'a.mbox',
    (text.match(/.{1,4000}/gs) ?? [])
      .map((part) => `From a@example.org Mon Jan  5 10:00:00 2026\n${mail(part)}\n`)
      .join(''),
  ],
  'text in gzip': (text) => ['a.txt.gz', gzipSync(text)],
}

/** @param endings the kinds of the files, in turn */
export function writeFolder(
  folder: string,
  count: number,
  bytes: number,
  endings: readonly (keyof typeof formats)[],
): void {
  const texts = prose()
  for (let i = 0; i < count; i++) {
    let text = ''
    while (text.length < bytes) text += texts.next().value
    const ending = endings[i % endings.length]!
    const inside = join(folder, String(Math.floor(i / 500)))
    mkdirSync(inside, { recursive: true })
    writeFileSync(join(inside, `note-${i}.${ending}`), formats[ending](text.slice(0, bytes)))
  }
}

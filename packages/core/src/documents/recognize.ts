/** Recognizes from the first bytes that a source is not text. Works on a stream, with few bytes. */
import { DocumentError } from '../errors.ts'
import {
  type ContentKind,
  contentKinds,
  type Signature,
  unmarkedEncodings,
  type ZipKind,
  zipKinds,
  zipSignatures,
} from './content-kinds.ts'

/** No kind needs more bytes than this to be recognized. Telling zip files apart takes more. */
export const tellingBytes = 512
/** Length of a size field before a signature. */
const bytesOfLength = 8
/** How far a zip file is searched for entries. */
const bytesOfZip = 16_384
/** Control characters within this many bytes tell a signature from the same letters in a text. */
const bytesWithControls = 64
/** Letters needed at least to recognize an encoding without a byte order mark. */
const lettersOfEncoding = 4

export type FoundKind = ContentKind | ZipKind

/** The `id`s of everything that can be recognized. */
export const recognizedKinds: ReadonlySet<string> = new Set(
  [...contentKinds, ...zipKinds, ...unmarkedEncodings].map(({ id }) => id),
)

/**
 * @param start first bytes of a source @param isWhole whether nothing follows them
 * @returns the kind; undefined for text, as far as these bytes show; `undecided` if it may not be text and more bytes are needed
 * to know
 */
export function recognize(start: Uint8Array, isWhole: boolean): FoundKind | 'undecided' | undefined {
  const head = latin1(start.subarray(0, bytesOfZip))
  const mayGrow = (wanted: number) => !isWhole && head.length < wanted
  if (zipSignatures.some((signature) => head.startsWith(signature))) {
    return mayGrow(bytesOfZip) ? 'undecided' : zipKindOf(head)
  }
  if (mayGrow(bytesWithControls) && mayBecomeKind(head)) return 'undecided'
  if (mayGrow(tellingBytes) && head.includes('\0')) return 'undecided'
  // A leading size field ends in zero bytes, so wait for all of it.
  if (mayGrow(bytesOfLength) && /[^\t-~]/.test(head)) return 'undecided'
  return (
    contentKinds.find(({ signatures }) => signatures.some((signature) => matches(head, signature))) ??
    unmarkedEncodings.find(({ zeros }) => hasZeros(head, zeros))
  )
}

/** The error for content that is not text. `FILE` in the kind's command becomes the source's name. */
export function notText(source: string, kind: FoundKind): DocumentError {
  const command = kind.command?.replace('FILE', () => shellWord(source))
  const hints = [
    command === undefined ? undefined : `Give its text instead: ${command} | memagent ask "QUESTION"`,
    kind.advice?.replace('FILE', () => shellWord(source)),
  ]
  return new DocumentError({
    code: 'document/not-text',
    message: `${source} is ${kind.name}; only plain text in UTF-8, or UTF-16 with a byte order mark, can be read.`,
    hint: hints.filter((hint) => hint !== undefined).join('\n'),
    details: { source, kind: kind.id },
  })
}

/** Standard input has no name; use a placeholder for the file that was piped in. */
function shellWord(source: string): string {
  if (source === 'standard input') return 'FILE'
  return /^[\w./@%+=:,-]+$/.test(source) && !source.startsWith('-')
    ? source
    : `'${source.replaceAll("'", "'\\''")}'`
}

const latin1 = (bytes: Uint8Array) => {
  let text = ''
  // In parts, because a call takes only so many arguments.
  for (let from = 0; from < bytes.length; from += 4096) {
    text += String.fromCharCode(...bytes.subarray(from, from + 4096))
  }
  return text
}

/** For signatures at the start; those further in are preceded by zero bytes. */
const mayBecomeKind = (head: string) =>
  zipSignatures.some((bytes) => bytes.startsWith(head)) ||
  contentKinds.some(({ signatures }) =>
    signatures.some(({ bytes, at = 0 }) => at === 0 && agrees(withoutLead(head), bytes)),
  )

const matches = (head: string, { bytes, at = 0, isWord }: Signature) => {
  const from = at === 0 ? withoutLead(head) : head.slice(at)
  return from.length >= bytes.length && agrees(from, bytes) && (!isWord || hasControls(head))
}

/** Mail and web servers may prepend white space or a byte order mark, which programs for these formats accept. */
const withoutLead = (head: string) => head.replace(/^(?:\xef\xbb\xbf)?[\t-\r ]*/, '')

/** Compares up to the shorter length. */
function agrees(head: string, bytes: string): boolean {
  const length = Math.min(head.length, bytes.length)
  for (let i = 0; i < length; i++) if (bytes[i] !== '?' && bytes[i] !== head[i]) return false
  return true
}

/** Characters that no text contains, except tabs, line and page breaks and terminal colours. */
const hasControls = (head: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern is about.
  /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head.slice(0, bytesWithControls))

function hasZeros(head: string, zeros: readonly boolean[]): boolean {
  const length = Math.min(head.length - (head.length % zeros.length), bytesWithControls)
  if (length < lettersOfEncoding * zeros.length) return false
  for (let i = 0; i < length; i++) if ((head[i] === '\0') !== zeros[i % zeros.length]) return false
  return true
}

/**
 * Goes by the entry headers: the size of the content is at 18, the length of the name at 26, the name at 30, followed by the
 * content, which may contain a zip file. A size of 0 means that the size follows the content.
 */
function zipKindOf(head: string): ZipKind {
  const names: string[] = []
  let mimetype = ''
  const header = zipSignatures[0]
  for (let at = head.indexOf(header); at >= 0 && at + 30 < head.length; ) {
    const byte = (offset: number) => head.charCodeAt(at + offset)
    const number = (offset: number) => byte(offset) + 256 * byte(offset + 1)
    const name = head.slice(at + 30, at + 30 + number(26))
    const content = at + 30 + name.length + number(28)
    names.push(name)
    if (name === 'mimetype') mimetype = head.slice(content).slice(0, 80)
    // A zip file that is stored, with its size behind it: its entries are not those of this one.
    if (number(18) + number(20) === 0 && head.startsWith(header, content) && number(8) === 0 && byte(6) & 8)
      break
    at = head.indexOf(header, content + number(18) + 65_536 * number(20))
  }
  return (
    zipKinds.find(
      ({ mimetype: type, entries }) =>
        (mimetype !== '' && type?.test(mimetype)) ||
        entries?.every((entry) => names.some((name) => entry.test(name))),
    ) ?? zipKinds.at(-1)!
  )
}

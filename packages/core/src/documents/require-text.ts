/** Rejects documents without text: "not found" in an empty document would say nothing about the intended text. */
import { DocumentError } from '../errors.ts'
import type { TextDocument, TextPiece, Unread } from './document.ts'
import { piecesOf } from './pieces-of.ts'

/** Any character that is neither white space nor invisible. */
const shown = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Whether a reader can see any of it. */
export const isShown = (text: string): boolean => shown.test(text)

/** Leading white space up to this length is held back, so that a blank document costs no call. */
const mostHeld = 1 << 24

/** With more replacement characters than one in this many, the text is in another encoding, or not text at all. */
const fewestBetweenBroken = 50
const mostNamed = 5

/** A remark about a text that is read all the same. */
export interface TextRemark {
  readonly code: 'source-without-text' | 'source-broken' | Unread['code']
  readonly message: string
}

/** Whether the remark is about something that could not be read, like those of loaders. */
export const tellsUnread = ({ code }: TextRemark): boolean =>
  code === 'source-skipped' || code === 'source-part-unread'

/**
 * The same text, but reading it fails if there is only white space.
 * @param onRemark called at the end, about parts that could not be read, sources without text, and many invalid bytes
 * @param mayBeBlank only white space is no failure, and nothing to read
 */
export function requireText(
  document: TextDocument,
  onRemark: (remark: TextRemark) => void = () => undefined,
  mayBeBlank = false,
): TextDocument {
  const { name, sizeBytes, isReopenable } = document
  const fingerprint = document.fingerprint?.bind(document)
  async function* open(signal?: AbortSignal): AsyncGenerator<TextPiece> {
    const speaks = new Map<string, boolean>()
    const unread = new Map<Unread['code'], { readonly first: string; readonly count: number }>()
    let held: TextPiece[] = []
    let [characters, broken, hasText] = [0, 0, false]
    for await (const piece of piecesOf(document, signal)) {
      if (piece.unread !== undefined) {
        const { code, message } = piece.unread
        const { first = message, count = 0 } = unread.get(code) ?? {}
        unread.set(code, { first, count: count + 1 })
        continue
      }
      characters += piece.text.length
      broken += brokenIn(piece.text)
      if (!speaks.get(piece.source)) speaks.set(piece.source, shown.test(piece.text))
      hasText ||= speaks.get(piece.source) === true
      if (!hasText && characters < mostHeld) {
        held.push(piece)
        continue
      }
      yield* held
      held = []
      yield piece
    }
    if (!hasText && !mayBeBlank) throw withoutText(name, characters, sizeBytes)
    for (const [code, { first, count }] of unread) onRemark(notRead(code, first, count))
    const silent = [...speaks].filter(([, hasSpoken]) => !hasSpoken).map(([source]) => source)
    if (silent.length > 0) onRemark(withoutWords(silent))
    if (broken * fewestBetweenBroken > characters) onRemark(withBrokenBytes(name, broken / characters))
  }
  return { name, sizeBytes, isReopenable, open, ...(fingerprint ? { fingerprint } : {}) }
}

/** Whether there is anything but white space. Reads no further than needed. @throws DocumentError */
export async function hasText(document: TextDocument, signal?: AbortSignal): Promise<boolean> {
  for await (const { text } of document.open(signal)) if (shown.test(text)) return true
  return false
}

function brokenIn(text: string): number {
  let found = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) found++
  return found
}

export function withoutWords(names: readonly string[]): TextRemark {
  const shown = names.slice(0, mostNamed).join(', ')
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  return { code: 'source-without-text', message: `There is no text in ${shown}${more}.` }
}

function notRead(code: Unread['code'], first: string, count: number): TextRemark {
  const more = count === 1 ? '' : ` (and ${count - 1} more)`
  return { code, message: `Not everything could be read: ${first}${more}` }
}

const withBrokenBytes = (name: string, share: number): TextRemark => ({
  code: 'source-broken',
  message: `Of ${name}, ${Math.round(100 * share)} % cannot be read as text (U+FFFD): is it in another encoding?`,
})

function withoutText(name: string, characters: number, sizeBytes: number | undefined): DocumentError {
  // A file may have bytes where its loader found no character.
  const why = characters > 0 ? ': nothing but white space' : sizeBytes === 0 ? ': it is empty' : ''
  return new DocumentError({
    code: 'document/no-text',
    message: `There is no text in ${name}${why}.`,
    hint: 'Check the input: a failed command before a pipe leaves nothing to read. `ask` and `notes` read it with --allow-empty (in code: allowEmpty: true).',
    details: { document: name },
  })
}

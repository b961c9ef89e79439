/** Documents that must hold text: that nothing was found in nothing tells nobody anything about a text. */
import { DocumentError } from '../errors.ts'
import type { Document, TextPiece } from './document.ts'

/** White space before the first word is held back this far, so that a text of it alone costs no call. */
const mostHeld = 1 << 24

/**
 * The same text; ends with an error where there is nothing but white space.
 * @param onSilentSources called at the end with the sources, among others, that hold no text
 */
export function requireText(
  document: Document,
  onSilentSources: (names: readonly string[]) => void = () => undefined,
): Document {
  const { name, sizeBytes, isReopenable } = document
  const fingerprint = document.fingerprint?.bind(document)
  async function* open(signal?: AbortSignal): AsyncGenerator<TextPiece> {
    const speaks = new Map<string, boolean>()
    let held: TextPiece[] = []
    let heldCharacters = 0
    let [isEmpty, hasText] = [true, false]
    for await (const piece of document.open(signal)) {
      if (piece.text !== '') isEmpty = false
      if (!speaks.get(piece.source)) speaks.set(piece.source, /\S/.test(piece.text))
      hasText ||= speaks.get(piece.source) === true
      if (!hasText && heldCharacters < mostHeld) {
        held.push(piece)
        heldCharacters += piece.text.length
        continue
      }
      yield* held
      held = []
      yield piece
    }
    if (!hasText) throw withoutText(name, isEmpty)
    const silent = [...speaks].filter(([, hasSpoken]) => !hasSpoken).map(([source]) => source)
    if (silent.length > 0) onSilentSources(silent)
  }
  return { name, sizeBytes, isReopenable, open, ...(fingerprint ? { fingerprint } : {}) }
}

function withoutText(name: string, isEmpty: boolean): DocumentError {
  return new DocumentError({
    code: 'document/no-text',
    message: `There is no text in ${name}: ${isEmpty ? 'it is empty' : 'nothing but white space'}.`,
    hint: 'Check what was to be read: a command before a pipe that fails leaves nothing. To ask all the same: --allow-empty (in code: allowEmpty: true)',
    details: { document: name },
  })
}

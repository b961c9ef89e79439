/** Decodes ids of byte-level vocabularies with a table of bytes: the same text as from the library, many times faster. */
import { byteAlphabet } from './byte-alphabet.ts'

interface DecodedFile {
  readonly decoder?: { readonly type?: string }
  readonly model?: {
    readonly vocab?: Readonly<Record<string, number>>
    readonly end_of_word_suffix?: string | null
  }
  readonly added_tokens?: readonly { readonly id: number; readonly content: string }[]
}

/** Undefined if the file decodes differently. For unknown ids the decoder returns undefined, and the caller must decode them. */
export function createByteLevelDecoder(
  tokenizerJson: Readonly<Record<string, unknown>>,
): ((ids: readonly number[]) => string | undefined) | undefined {
  const { decoder, model, added_tokens: added = [] } = tokenizerJson as DecodedFile
  const vocabulary = model?.vocab
  if (decoder?.type !== 'ByteLevel' || !vocabulary || Array.isArray(vocabulary)) return undefined
  const contentOf = new Map(added.map(({ id, content }) => [id, content]))
  const contents = new Set(contentOf.values())
  const byteOf = new Map(byteAlphabet().map((sign, byte) => [sign, byte]))
  const bytesOf: (Uint8Array | undefined)[] = []
  for (const [token, id] of Object.entries(vocabulary)) {
    if (contentOf.has(id)) continue
    // A vocabulary entry that is also an added token is decoded as an added token.
    if (contents.has(token)) contentOf.set(id, token)
    else bytesOf[id] = Uint8Array.from(token, (sign) => byteOf.get(sign) ?? 0)
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true })

  return (ids) => {
    let length = 0
    for (const id of ids) {
      const bytes = bytesOf[id]
      if (!bytes && !contentOf.has(id)) return undefined
      length += bytes?.length ?? 0
    }
    const joined = new Uint8Array(length)
    let decoded = ''
    let [from, to] = [0, 0]
    for (const id of ids) {
      const bytes = bytesOf[id]
      if (bytes) {
        joined.set(bytes, to)
        to += bytes.length
        continue
      }
      // No character spans an added token.
      decoded += text.decode(joined.subarray(from, to)) + contentOf.get(id)
      from = to
    }
    return decoded + text.decode(joined.subarray(from, to))
  }
}

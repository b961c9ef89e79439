/**
 * `tokenizer.json` files through Hugging Face's library, with a word cache in front of it.
 *
 * The library tokenizes word by word ("pre-tokens", found by expressions in the file). If those expressions are known here, text
 * is split here, and only words not seen lately reach the library: the same ids, many times faster. A file with other expressions
 * is tokenized in a thread that can be terminated, because one of them may never finish.
 */
import { createByteLevelDecoder } from './byte-level-decoder.ts'
import { openGuardedLibrary } from './guarded-library.ts'
import { unknownPatterns } from './known-patterns.ts'
import { type JsonObject, openLibrary } from './library.ts'
import { ownCopy } from './own-copy.ts'
import { createPreTokenizer } from './pre-tokenizer.ts'
import type { Tokenizer } from './tokenizer.ts'

/** Words in each of two generations of the cache: some ten megabytes at most. */
const cacheSize = 32_768
/** Total length of the cached words of one generation. */
const cacheCharacters = 1 << 20
/** Longer words are rare and not cached. Rules and links of up to this length are less rare, and slow to tokenize. */
const longestCachedWord = 512

export interface HuggingFaceTokenizer extends Tokenizer {
  count(text: string): number
  encode(text: string, options?: { readonly specialTokens?: boolean }): number[]
  decode(ids: readonly number[]): string
  /** Id of a token of the vocabulary or an added token. */
  idOf(token: string): number | undefined
}

/**
 * @param tokenizerJson content of `tokenizer.json`
 * @param configJson content of `tokenizer_config.json`
 * @throws TokenizerError when the library cannot use the file; its methods, when an unknown pattern takes too long
 */
export function createHuggingFaceTokenizer(
  tokenizerJson: JsonObject,
  configJson: JsonObject = {},
  options: { readonly name?: string } = {},
): HuggingFaceTokenizer {
  const name = options.name ?? 'tokenizer.json'
  const unknown = unknownPatterns(tokenizerJson)
  const guarded =
    unknown.length > 0 ? openGuardedLibrary(tokenizerJson, configJson, name, unknown) : undefined
  const library = guarded ?? openLibrary(tokenizerJson, configJson, name)
  const split = guarded ? undefined : createPreTokenizer(tokenizerJson)
  const decodeBytes = createByteLevelDecoder(tokenizerJson)
  let cache = new Map<string, readonly number[]>()
  let earlier = new Map<string, readonly number[]>()
  let cachedCharacters = 0

  const encodeDirectly = (text: string, hasMarkers = false) =>
    text === '' ? [] : library.encode(text, hasMarkers)
  const encodeWord = (word: string): readonly number[] => {
    const known = cache.get(word)
    if (known) return known
    const ids = earlier.get(word) ?? encodeDirectly(word)
    if (word.length <= longestCachedWord) {
      if (cache.size >= cacheSize || cachedCharacters > cacheCharacters) {
        earlier = cache
        cache = new Map()
        cachedCharacters = 0
      }
      cache.set(ownCopy(word), ids)
      cachedCharacters += word.length
    }
    return ids
  }
  const count = (text: string) => {
    if (!split) return encodeDirectly(text).length
    let total = 0
    split(text, (word) => {
      total += encodeWord(word).length
    })
    return total
  }
  const encodePlain = (text: string) => {
    if (!split) return encodeDirectly(text)
    const ids: number[] = []
    split(text, (word) => {
      for (const id of encodeWord(word)) ids.push(id)
    })
    return ids
  }
  const markers = library.addedTokens()
  const idOfMarker = new Map(markers.map(({ id, content }) => [content, id]))
  const canSplitMarkers = markers.every(
    (token) => !token.lstrip && !token.rstrip && !token.single_word && !token.normalized,
  )
  const markerPattern =
    markers.length > 0 && split && canSplitMarkers
      ? markerExpression(markers.map(({ content }) => content))
      : undefined

  return {
    name,
    isExact: true,
    count,
    encode(text, { specialTokens = false } = {}) {
      if (!specialTokens) return encodePlain(text)
      if (!markerPattern) return encodeDirectly(text, true)
      return text.split(markerPattern).flatMap((part) => {
        const id = idOfMarker.get(part)
        return id === undefined ? encodePlain(part) : [id]
      })
    },
    decode: (ids) => (ids.length === 0 ? '' : (decodeBytes?.(ids) ?? library.decode(ids))),
    idOf: (token) => library.idOf(token),
  }
}

/** Longest first, as a pattern whose matches `split` keeps. */
function markerExpression(contents: readonly string[]): RegExp {
  const escaped = [...contents]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`(${escaped.join('|')})`, 'u')
}

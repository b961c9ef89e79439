/**
 * `tokenizer.json` files through Hugging Face's library, with a cache of words in front of it.
 *
 * The library tokenizes word by word ("pre-tokens", found by expressions in the file). Where those expressions are known
 * here, text is split here and only words not seen lately reach the library; the ids are the same, many times faster.
 */
import { Tokenizer as Library } from '@huggingface/tokenizers'
import { TokenizerError } from '../errors.ts'
import { createByteLevelDecoder } from './byte-level-decoder.ts'
import { createPreTokenizer } from './pre-tokenizer.ts'
import type { Tokenizer } from './tokenizer.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** Words kept since the last change of generations; those of the one before are still known. At most some ten megabytes. */
const cacheSize = 32_768
/** Together. */
const cacheCharacters = 1 << 20
/** Longer words are rare and are not kept; rules and links are not that rare, and dear. */
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
 * @throws TokenizerError when the library cannot use the file
 */
export function createHuggingFaceTokenizer(
  tokenizerJson: JsonObject,
  configJson: JsonObject = {},
  options: { readonly name?: string } = {},
): HuggingFaceTokenizer {
  const name = options.name ?? 'tokenizer.json'
  const withMarkers = load(tokenizerJson, configJson, name)
  // Text from documents is plain: in it, nothing is a special token.
  const plain = load({ ...tokenizerJson, added_tokens: [] }, configJson, name)
  const split = createPreTokenizer(tokenizerJson)
  const decodeBytes = createByteLevelDecoder(tokenizerJson)
  let cache = new Map<string, readonly number[]>()
  let earlier = new Map<string, readonly number[]>()
  let cachedCharacters = 0

  const encodeDirectly = (library: Library, text: string) =>
    text === '' ? [] : (library.encode(text, { add_special_tokens: false }).ids as number[])
  const encodeWord = (word: string): readonly number[] => {
    const known = cache.get(word)
    if (known) return known
    const ids = earlier.get(word) ?? encodeDirectly(plain, word)
    if (word.length <= longestCachedWord) {
      if (cache.size >= cacheSize || cachedCharacters > cacheCharacters) {
        earlier = cache
        cache = new Map()
        cachedCharacters = 0
      }
      cache.set(copyOf(word), ids)
      cachedCharacters += word.length
    }
    return ids
  }
  const count = (text: string) => {
    if (!split) return encodeDirectly(plain, text).length
    let total = 0
    split(text, (word) => {
      total += encodeWord(word).length
    })
    return total
  }
  const encodePlain = (text: string) => {
    if (!split) return encodeDirectly(plain, text)
    const ids: number[] = []
    split(text, (word) => {
      for (const id of encodeWord(word)) ids.push(id)
    })
    return ids
  }
  const markers = [...withMarkers.get_added_tokens_decoder()].map(([id, token]) => ({
    id,
    content: token.content,
    token,
  }))
  const idOfMarker = new Map(markers.map(({ id, content }) => [content, id]))
  const canSplitMarkers = markers.every(
    ({ token }) => !token.lstrip && !token.rstrip && !token.single_word && !token.normalized,
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
      if (!markerPattern) return encodeDirectly(withMarkers, text)
      return text.split(markerPattern).flatMap((part) => {
        const id = idOfMarker.get(part)
        return id === undefined ? encodePlain(part) : [id]
      })
    },
    decode: (ids) =>
      ids.length === 0
        ? ''
        : (decodeBytes?.(ids) ??
          withMarkers.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false })),
    idOf: (token) => withMarkers.token_to_id(token),
  }
}

/** A part of a string may keep all of it in memory, and it may be a whole document's. */
const copyOf = (word: string): string => JSON.parse(JSON.stringify(word)) as string

/** Longest first, as a pattern whose matches `split` keeps. */
function markerExpression(contents: readonly string[]): RegExp {
  const escaped = [...contents]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`(${escaped.join('|')})`, 'u')
}

function load(tokenizerJson: JsonObject, configJson: JsonObject, name: string): Library {
  try {
    return new Library(tokenizerJson, configJson)
  } catch (cause) {
    throw new TokenizerError({
      code: 'tokenizer/unusable-file',
      message: `${name} cannot be used: ${(cause as Error).message}`,
      hint: 'It must be a tokenizer.json of the Hugging Face format.',
      cause,
    })
  }
}

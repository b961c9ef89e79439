/** The part of Hugging Face's library that is used, in this thread. */
import { Tokenizer } from '@huggingface/tokenizers'
import { TokenizerError } from '../errors.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export interface AddedToken {
  readonly id: number
  readonly content: string
  readonly lstrip: boolean
  readonly rstrip: boolean
  readonly single_word: boolean
  readonly normalized: boolean
}

export interface Library {
  /** @param hasMarkers whether added tokens are recognized in the text */
  encode(text: string, hasMarkers: boolean): number[]
  decode(ids: readonly number[]): string
  idOf(token: string): number | undefined
  addedTokens(): readonly AddedToken[]
}

/** @throws TokenizerError when the library cannot use the file */
export function openLibrary(tokenizerJson: JsonObject, configJson: JsonObject, name: string): Library {
  const load = (json: JsonObject): Tokenizer => {
    try {
      return new Tokenizer(json, configJson)
    } catch (cause) {
      throw unusableFile(name, (cause as Error).message, cause)
    }
  }
  const withMarkers = load(tokenizerJson)
  // Text from documents is plain: nothing in it is a special token.
  const plain = load({ ...tokenizerJson, added_tokens: [] })
  return {
    encode: (text, hasMarkers) =>
      (hasMarkers ? withMarkers : plain).encode(text, { add_special_tokens: false }).ids as number[],
    decode: (ids) =>
      withMarkers.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
    idOf: (token) => withMarkers.token_to_id(token),
    addedTokens: () =>
      [...withMarkers.get_added_tokens_decoder()].map(([id, token]) => ({ ...token, id }) as AddedToken),
  }
}

export const unusableFile = (name: string, reason: string, cause?: unknown): TokenizerError =>
  new TokenizerError({
    code: 'tokenizer/unusable-file',
    message: `${name} cannot be used: ${reason}`,
    hint: 'It must be a tokenizer.json in the Hugging Face format.',
    cause,
  })

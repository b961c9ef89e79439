/**
 * Token counts without a tokenizer, estimated from characters and labelled as such. They are upper estimates for running text in
 * all scripts with o200k and newer vocabularies. With cl100k, European languages have up to a sixth more; scripts that it splits
 * into bytes, such as Armenian, Georgian and Tamil, up to twice as many, as has base64 with any vocabulary.
 */
import type { Tokenizer } from './tokenizer.ts'

/** Characters per token of English words; other scripts count one token per character unless listed here. */
const defaultCharactersPerToken = 3.5

/** Tokens of a letter that splits the word around it: one with a diacritic, or Cyrillic but not Russian. */
const tokensPerRareLetter = 1.5
/** Vocabularies have only its bytes, not its words. */
const tokensPerEthiopicLetter = 2.25

/** @param options.charactersPerToken for letters from A to Z; for digits, punctuation and Russian letters, half of it. @default 3.5 */
export function createEstimateTokenizer(options: { readonly charactersPerToken?: number } = {}): Tokenizer {
  const perToken = options.charactersPerToken ?? defaultCharactersPerToken
  return {
    name: `estimate, ${perToken} characters a token`,
    isExact: false,
    count(text) {
      let [letters, half, rare, ethiopic, others] = [0, 0, 0, 0, 0]
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i)
        if ((code | 32) - 97 < 26 && (code | 32) >= 97) letters++
        else if (code === 32) letters++
        else if (code < 0x80) half++
        else if (code >= 0x410 && code < 0x450) half++
        else if (code < 0x370 || (code >= 0x400 && code < 0x530)) rare++
        else if (code >= 0x1200 && code < 0x13a0) ethiopic++
        else others++
      }
      const special = rare * tokensPerRareLetter + ethiopic * tokensPerEthiopicLetter
      return Math.ceil(letters / perToken + half / (perToken / 2) + special + others)
    },
  }
}

/** Token counts without a tokenizer: by characters, on the safe side for most vocabularies, and labelled as estimates. */
import type { Tokenizer } from './tokenizer.ts'

/** Characters per token in alphabets with long words; other scripts count one token per character. */
const defaultCharactersPerToken = 3.5

/** @param options.charactersPerToken for Latin, Greek and Cyrillic letters; for digits and punctuation, half of it. @default 3.5 */
export function createEstimateTokenizer(options: { readonly charactersPerToken?: number } = {}): Tokenizer {
  const perToken = options.charactersPerToken ?? defaultCharactersPerToken
  return {
    name: `estimate, ${perToken} characters a token`,
    isExact: false,
    count(text) {
      let [letters, signs, others] = [0, 0, 0]
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i)
        if ((code | 32) - 97 < 26 && (code | 32) >= 97) letters++
        else if (code === 32) letters++
        else if (code < 0x80) signs++
        else if (code < 0x530) letters++
        else others++
      }
      return Math.ceil(letters / perToken + signs / (perToken / 2) + others)
    },
  }
}

/** Token counts without a tokenizer: by characters, on the safe side for most vocabularies, and labelled an estimate. */
import type { Tokenizer } from './tokenizer.ts'

/** Characters of alphabets with long words, per token; other scripts count one token a character. */
const defaultCharactersPerToken = 3.5

/** @param options.charactersPerToken of Latin, Greek and Cyrillic text; digits and signs count half as many. @default 3.5 */
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

import { TokenizerError } from '../errors.ts'
import type { Tokenizer } from './tokenizer.ts'

/** The same tokenizer, but a count that is not a number throws: no text would ever be too long for it, or short enough. */
export function checkedTokenizer(tokenizer: Tokenizer): Tokenizer {
  const checked = (tokens: number): number => {
    if (Number.isFinite(tokens) && tokens >= 0) return tokens
    throw new TokenizerError({
      code: 'tokenizer/bad-count',
      message: `The tokenizer ${tokenizer.name} counts ${String(tokens)} tokens, which is no number of tokens.`,
    })
  }
  return {
    name: tokenizer.name,
    isExact: tokenizer.isExact,
    count(text) {
      const counted = tokenizer.count(text)
      return typeof counted === 'number' ? checked(counted) : Promise.resolve(counted).then(checked)
    },
    ...(tokenizer.encode && { encode: (text, options) => tokenizer.encode!(text, options) }),
    ...(tokenizer.decode && { decode: (ids) => tokenizer.decode!(ids) }),
  }
}

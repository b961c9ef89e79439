/** The readings of a group cut one document into the same chunks and hold many equal conversations: each text is tokenized once. */
import type { HuggingFaceTokenizer } from '@memagent/core'

/** The same tokens, from memory where the text came lately. Their arrays are shared: nobody may change them. */
export function rememberTokens(tokenizer: HuggingFaceTokenizer, mostTexts = 4096): HuggingFaceTokenizer {
  const marked = remember((text) => tokenizer.encode(text, { specialTokens: true }), mostTexts)
  const plain = remember((text) => tokenizer.encode(text), mostTexts)
  return {
    ...tokenizer,
    count: remember((text) => tokenizer.count(text), mostTexts),
    encode: (text, options) => (options?.specialTokens ? marked : plain)(text),
  }
}

function remember<T>(compute: (text: string) => T, mostTexts: number): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const old = known.get(text)
    if (old !== undefined) return old
    const value = compute(text)
    if (known.size >= mostTexts) known.clear()
    known.set(text, value)
    return value
  }
}

/** Turns conversations into tokens and back, from the files of a model folder. */
import {
  ChatTemplate,
  ConfigurationError,
  type ConversationTokens,
  createConversationTokens,
  createHuggingFaceTokenizer,
  type HuggingFaceTokenizer,
} from '@memagent/core'

export interface ReaderTokens {
  readonly tokenizer: HuggingFaceTokenizer
  readonly conversation: ConversationTokens
  /** Tokens that end a response. */
  readonly endToken: number
}

/**
 * @param tokenizerJson the content of `tokenizer.json`
 * @param tokenizerConfig of `tokenizer_config.json`, with the chat template
 * @param name of the model, for messages
 * @throws ConfigurationError if the tokenizer lacks its end token; TokenizerError, TemplateError
 */
export function createReaderTokens(
  tokenizerJson: Readonly<Record<string, unknown>>,
  tokenizerConfig: Readonly<Record<string, unknown>>,
  name: string,
): ReaderTokens {
  const tokenizer = rememberTokens(
    createHuggingFaceTokenizer(tokenizerJson, tokenizerConfig, { name: `${name} tokenizer` }),
  )
  const { eos_token: end } = tokenizerConfig
  const endText = typeof end === 'string' ? end : String((end as { content?: unknown } | null)?.content)
  const endToken = tokenizer.idOf(endText)
  if (endToken === undefined) {
    throw new ConfigurationError({
      code: 'train/no-end-token',
      message: `The tokenizer of ${name} lacks its eos_token ${endText}.`,
    })
  }
  return {
    tokenizer,
    endToken,
    conversation: createConversationTokens(tokenizer, new ChatTemplate({ tokenizerConfig })),
  }
}

/**
 * A tokenizer that caches encodings: the readings of a group cut one document into the same chunks and share many
 * conversations. The returned arrays are shared and must not be changed.
 */
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

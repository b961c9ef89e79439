/** Counts a prompt before it is sent: exactly if the model can, otherwise its texts plus a reserve for the template. */
import { TokenizerError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { ChatModel } from './chat.ts'
import type { Message } from './message.ts'

/** Tokens that a server's chat template may add when they cannot be counted. */
export const templateReserve = 32

/** Undefined if the model cannot count. @throws TokenizerError for a count that is no number: any prompt would fit */
export function countedTokens(
  model: Pick<ChatModel, 'name' | 'countPromptTokens'>,
  messages: readonly Message[],
): number | undefined {
  const tokens = model.countPromptTokens?.(messages)
  if (tokens === undefined || (Number.isFinite(tokens) && tokens >= 0)) return tokens
  throw new TokenizerError({
    code: 'tokenizer/bad-count',
    message: `countPromptTokens of ${model.name} counts ${String(tokens)} tokens, which is no number of tokens.`,
  })
}

/** Tokens of a whole prompt, template included; an upper estimate when the model cannot count it. */
export async function promptTokens(
  model: Pick<ChatModel, 'name' | 'countPromptTokens'>,
  tokenizer: Tokenizer,
  messages: readonly Message[],
): Promise<number> {
  const exact = countedTokens(model, messages)
  if (exact !== undefined) return exact
  let tokens = templateReserve
  for (const { content } of messages) tokens += await tokenizer.count(content)
  return tokens
}

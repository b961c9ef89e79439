/** Counts a prompt before it is sent: exactly if the model can, otherwise its texts plus a reserve for the template. */
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { ChatModel } from './chat.ts'
import type { Message } from './message.ts'

/** Tokens that a server's chat template may add when they cannot be counted. */
export const templateReserve = 32

/** Tokens of a whole prompt, template included; an upper estimate when the model cannot count it. */
export async function promptTokens(
  model: Pick<ChatModel, 'countPromptTokens'>,
  tokenizer: Tokenizer,
  messages: readonly Message[],
): Promise<number> {
  const exact = model.countPromptTokens?.(messages)
  if (exact !== undefined) return exact
  let tokens = templateReserve
  for (const { content } of messages) tokens += await tokenizer.count(content)
  return tokens
}

/** How long a conversation is. */
import { promptTokens } from '../chat/prompt-tokens.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { fileHeading } from './conversation-document.ts'
import type { ConversationReader, ConversationTurn } from './conversation-turn.ts'

/** Characters that are counted in one go; a token more or less at each end does not matter. */
const mostCharacters = 1 << 18

/**
 * Tokens of a conversation, as the model counts them, with its files: the text as it is, not what reading it costs. Counted in
 * pieces, so that it may be off by a token at each of their ends.
 * @throws DocumentError of a file that cannot be read
 */
export async function countConversation(
  turns: readonly ConversationTurn[],
  { model }: Pick<ConversationReader, 'model'>,
  signal?: AbortSignal,
): Promise<number> {
  const tokenizer = model.tokenizer ?? createEstimateTokenizer()
  const empty = turns.map(({ role }) => ({ role, content: '' }))
  let tokens = await promptTokens(model, tokenizer, empty)
  for (const { parts } of turns) {
    for await (const text of textsOf(parts, signal)) {
      for (let at = 0; at < text.length; at += mostCharacters) {
        signal?.throwIfAborted()
        tokens += await tokenizer.count(text.slice(at, at + mostCharacters))
      }
    }
  }
  return tokens
}

async function* textsOf(
  parts: ConversationTurn['parts'],
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  for (const part of parts) {
    if (typeof part === 'string') yield part
    else {
      yield fileHeading(part)
      for await (const { text } of part.open(signal)) yield text
    }
  }
}

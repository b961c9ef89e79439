/** How long a conversation is. */
import { promptTokens } from '../chat/prompt-tokens.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { fileHeading } from './conversation-document.ts'
import type { ConversationReader, ConversationTurn } from './conversation-turn.ts'

/** Characters that are counted in one go. A word as long as this takes the bundled tokenizer some ten milliseconds. */
const mostCharacters = 1 << 12

/**
 * Tokens of a conversation, as the model counts them, with its files: the text as it is, not what reading it costs. Counted in
 * pieces, so that other work goes on meanwhile; it may be off by a token where a piece has no space to end at.
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
  let atOnce = 0
  for (const { parts } of turns) {
    for await (const text of textsOf(parts, signal)) {
      for (const piece of piecesOf(text)) {
        tokens += await tokenizer.count(piece)
        atOnce += piece.length
        if (atOnce < mostCharacters / 2) continue
        // What is counted at once, without asking a server, would hold up everything else until the end.
        await new Promise((resolve) => setTimeout(resolve))
        signal?.throwIfAborted()
        atOnce = 0
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

/** Each but the last ends before a space, where tokens end too, if there is one in its second half. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + mostCharacters)
    const space = at + piece.length === text.length ? -1 : piece.lastIndexOf(' ')
    const end = space > mostCharacters / 2 ? space : piece.length
    yield piece.slice(0, end)
    at += end
  }
}

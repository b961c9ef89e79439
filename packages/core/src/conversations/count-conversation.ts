/** The length of a conversation. */
import { promptTokens } from '../chat/prompt-tokens.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { fileHeading } from './conversation-document.ts'
import { type ConversationReader, type ConversationTurn, saysAnything } from './conversation-turn.ts'

/** The most characters counted in one go. A word of this length takes the bundled tokenizer about ten milliseconds. */
const mostCharacters = 1 << 12

/**
 * Tokens of a conversation with its files, as the model counts them: the text itself, not the cost of reading it. Counted in
 * pieces, so that other work can go on; a piece that does not end at a space may make it off by a token.
 * @throws DocumentError for a file that cannot be read
 */
export async function countConversation(
  conversation: readonly ConversationTurn[],
  { model }: Pick<ConversationReader, 'model'>,
  signal?: AbortSignal,
): Promise<number> {
  const tokenizer = model.tokenizer ?? createEstimateTokenizer()
  const turns = conversation.filter(saysAnything)
  const empty = turns.map(({ role }) => ({ role, content: '' }))
  let tokens = await promptTokens(model, tokenizer, empty)
  let atOnce = 0
  for (const { parts } of turns) {
    for await (const text of textsOf(parts, signal)) {
      for (const piece of piecesOf(text)) {
        tokens += await tokenizer.count(piece)
        atOnce += piece.length
        if (atOnce < mostCharacters / 2) continue
        // Counting that does not wait for a server would block everything else until the end.
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

/** All but the last end before a space, where tokens end too, if there is one in the second half. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + mostCharacters)
    const space = at + piece.length === text.length ? -1 : piece.lastIndexOf(' ')
    const end = space > mostCharacters / 2 ? space : piece.length
    yield piece.slice(0, end)
    at += end
  }
}

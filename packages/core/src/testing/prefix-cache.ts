/** A server's prefix cache, for stub servers: how much of a prompt was the beginning of an earlier one. */
import { TextHash } from '../reading/text-hash.ts'
import { type StubMessage, words } from './stub-server.ts'

/** Tokens are cached in blocks, as in vLLM. */
const blockTokens = 16

/**
 * An unbounded cache, empty at first. Tokens are words.
 * @returns a function that adds a prompt and returns how many of its tokens were cached
 */
export function createPrefixCache(): (messages: readonly StubMessage[]) => number {
  /** Hashes of the beginnings of prompts, up to the end of each block. */
  const known = new Set<string>()
  return (messages) => {
    const tokens = messages.flatMap(({ role, content }) =>
      words(content).map((word, i) => (i === 0 ? `<${role}>${word}` : word)),
    )
    const prefix = new TextHash()
    let cached = 0
    for (let end = blockTokens; end <= tokens.length; end += blockTokens) {
      prefix.add(tokens.slice(end - blockTokens, end).join(''))
      if (known.has(prefix.value)) cached = end
      known.add(prefix.value)
    }
    return cached
  }
}

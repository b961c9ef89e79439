/** The prefix cache of a server, for stub servers: how much of a prompt stood at the beginning of an earlier one. */
import { TextHash } from '../reading/text-hash.ts'
import { type StubMessage, words } from './stub-server.ts'

/** Tokens that are kept and found together, as in vLLM. */
const blockTokens = 16

/**
 * A cache without a bound, empty at first. Tokens are words.
 * @returns takes a prompt in, and says how many of its tokens were in the cache
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

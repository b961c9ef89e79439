/** Holds no conversation twice with the same model and settings: a cache, and a model that answers from it. */

import { readsAsRefusal } from '../workflows/answer/refusal.ts'
import type { ChatModel, ChatOptions, ChatResult } from './chat.ts'
import { type KeptReply, keptPart, keptReply } from './kept-reply.ts'
import type { Message } from './message.ts'
import { strongHash } from './strong-hash.ts'

/** Replies by the hash of the conversation. */
export interface ConversationCache {
  /** The entry of this key, if it still exists: JSON, which may be damaged. */
  get(key: string): Promise<unknown>
  put(key: string, reply: KeptReply): void
}

/**
 * A model that asks `model` only what is not in the cache.
 *
 * Replies that are not worth keeping are not cached, so asking again may help: failures, refusals, empty replies, and those that
 * ended neither by themselves nor at their limit. The cache is bypassed for sampling without a seed, where two replies are meant
 * to differ.
 * @param of the underlying model; nothing is cached if it has no identity
 */
export function answeringFromCache(
  model: ChatModel,
  cache: ConversationCache,
  of: Pick<ChatModel, 'identity'>,
): ChatModel {
  let known: Promise<string | undefined> | undefined
  // The call itself will show whether the server can be reached.
  const identity = (signal: AbortSignal | undefined) =>
    (known ??= Promise.resolve(of.identity?.(signal)).catch(() => undefined))
  return {
    name: model.name,
    ...(model.countPromptTokens && {
      countPromptTokens: (messages) => model.countPromptTokens!(messages),
    }),
    async generate(messages, options) {
      const identified = isRepeatable(options) ? await identity(options.signal) : undefined
      if (identified === undefined) return model.generate(messages, options)
      const key = await cacheKey(identified, messages, options)
      const found = await cache.get(key)
      options.signal?.throwIfAborted()
      if (keptReply(found, 'reply') === undefined) return { ...(found as KeptReply), isFromCache: true }
      const result = await model.generate(messages, options)
      if (isWorthKeeping(result)) {
        cache.put(key, keptPart(result))
      }
      return result
    },
  }
}

const isRepeatable = ({ temperature, seed }: ChatOptions): boolean => temperature === 0 || seed !== undefined

const isWorthKeeping = ({ text, finishReason: { unified } }: ChatResult): boolean =>
  (unified === 'stop' || unified === 'length') && text.trim() !== '' && !readsAsRefusal(text)

/** Texts may be hostile, so the hash must be collision-resistant. */
function cacheKey(identity: string, messages: readonly Message[], options: ChatOptions): Promise<string> {
  const { temperature = null, topP = null, seed = null, maxTokens, stop = [], logprobs } = options
  const asked = messages.map(({ role, content }) => [role, content])
  const parts = [identity, asked, temperature, topP, seed, maxTokens, stop, ...(logprobs ? ['logprobs'] : [])]
  return strongHash(JSON.stringify(parts))
}

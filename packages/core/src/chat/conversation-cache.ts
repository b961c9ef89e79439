/** The same conversation with the same model and settings is not held twice: a cache, and a model that answers from it. */

import { readsAsRefusal } from '../workflows/answer/refusal.ts'
import type { ChatModel, ChatOptions, ChatResult } from './chat.ts'
import { type KeptReply, keptReply } from './kept-reply.ts'
import type { Message } from './message.ts'
import { strongHash } from './strong-hash.ts'

/** Keeps replies by the hash of what was asked. */
export interface ConversationCache {
  /** What was put for this key, as far as it is still there: JSON, which may be damaged. */
  get(key: string): Promise<unknown>
  put(key: string, reply: KeptReply): void
}

/**
 * A model that asks `model` only what is not in the cache.
 *
 * Not kept, so that asking again is worth something: failures, refusals, empty replies, and those that ended neither by
 * themselves nor at their limit. Not looked for: conversations that are sampled without a seed, since two of them are meant to
 * differ, and log-probabilities.
 * @param of the model that it is in the end; nothing is cached where it has no identity
 */
export function answeringFromCache(
  model: ChatModel,
  cache: ConversationCache,
  of: Pick<ChatModel, 'identity'>,
): ChatModel {
  let known: Promise<string | undefined> | undefined
  // Whether the server can be reached, the call itself will tell.
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
        const { text, reasoning, usage, finishReason } = result
        cache.put(key, { text, reasoning, usage, finishReason })
      }
      return result
    },
  }
}

const isRepeatable = ({ temperature, seed, logprobs }: ChatOptions): boolean =>
  (temperature === 0 || seed !== undefined) && logprobs !== true

const isWorthKeeping = ({ text, finishReason: { unified } }: ChatResult): boolean =>
  (unified === 'stop' || unified === 'length') && text.trim() !== '' && !readsAsRefusal(text)

/** Texts are hostile, so the hash must be one that nobody can find a second text for. */
function cacheKey(identity: string, messages: readonly Message[], options: ChatOptions): Promise<string> {
  const { temperature = null, topP = null, seed = null, maxTokens, stop = [] } = options
  const asked = messages.map(({ role, content }) => [role, content])
  return strongHash(JSON.stringify([identity, asked, temperature, topP, seed, maxTokens, stop]))
}

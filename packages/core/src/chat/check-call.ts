/** What every backend checks before it does any work, so that bad input fails the same way everywhere. */
import { ConfigurationError } from '../errors.ts'
import type { ChatOptions } from './chat.ts'
import type { Message } from './message.ts'

/** @throws ConfigurationError for no messages or a token limit that is no positive integer */
export function checkCall(messages: readonly Message[], options: ChatOptions): void {
  options.signal?.throwIfAborted()
  if (messages.length === 0) {
    throw new ConfigurationError({
      code: 'chat/no-messages',
      message: 'A conversation needs at least one message',
    })
  }
  if (!Number.isInteger(options.maxTokens) || options.maxTokens < 1) {
    throw new ConfigurationError({
      code: 'chat/max-tokens',
      message: `maxTokens must be a positive integer, not ${options.maxTokens}`,
    })
  }
}

/** Halves of surrogate pairs cannot be sent as UTF-8; some servers fail on their escapes. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** Checks that every backend makes before any work, so that bad input fails the same way everywhere. */
import { ConfigurationError } from '../errors.ts'
import type { ChatOptions } from './chat.ts'
import type { Message } from './message.ts'
import { checkSampling } from './sampling.ts'

const roles: { readonly [Role in Message['role']]: true } = { system: true, user: true, assistant: true }

/** @throws ConfigurationError for no or invalid messages, a token limit that is not a positive integer, or invalid stop texts or sampling */
export function checkCall(messages: readonly Message[], options: ChatOptions): void {
  options.signal?.throwIfAborted()
  if (messages.length === 0) {
    throw new ConfigurationError({
      code: 'chat/no-messages',
      message: 'A conversation needs at least one message',
    })
  }
  for (const [i, { role, content }] of messages.entries()) {
    if (Object.hasOwn(roles, role) && typeof content === 'string') continue
    throw new ConfigurationError({
      code: 'chat/bad-message',
      message: `Message ${i + 1} is none: its role is ${role}, and its content a ${typeof content}.`,
      hint: `A message has one of the roles ${Object.keys(roles).join(', ')}, and a text as its content.`,
    })
  }
  if (!Number.isInteger(options.maxTokens) || options.maxTokens < 1) {
    throw new ConfigurationError({
      code: 'chat/max-tokens',
      message: `maxTokens must be a positive integer, not ${options.maxTokens}`,
    })
  }
  const { stop = [] } = options
  // Every response begins with the empty text: nothing of it would be left.
  if (!Array.isArray(stop) || stop.some((text) => typeof text !== 'string' || text === '')) {
    throw new ConfigurationError({
      code: 'chat/bad-stop',
      message: `stop must be a list of texts that are not empty, not ${JSON.stringify(stop)}`,
    })
  }
  checkSampling(options)
}

/** Lone surrogates cannot be sent as UTF-8, and some servers fail on their escapes. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** Totals of a reading. */
import type { ChatResult, TokenUsage } from '../chat/chat.ts'
import type { ReadingUsage } from './events.ts'

export const noTokens: TokenUsage = { promptTokens: 0, completionTokens: 0 }
export const noUsage: ReadingUsage = { ...noTokens, calls: 0, chunkTokens: 0, bytes: 0, keptMemories: 0 }

export function sum(usage: ReadingUsage, more: Partial<ReadingUsage>): ReadingUsage {
  const parts = Object.entries(usage) as [keyof ReadingUsage, number][]
  return Object.fromEntries(
    parts.map(([name, value]) => [name, value + (more[name] ?? 0)]),
  ) as unknown as ReadingUsage
}

/** Adds the calls; a server that does not report tokens adds none. */
export const withCalls = (usage: ReadingUsage, calls: Iterable<ChatResult>): ReadingUsage =>
  [...calls].reduce<ReadingUsage>(
    (total, { usage: tokens = noTokens }) => sum(total, { calls: 1, ...tokens }),
    usage,
  )

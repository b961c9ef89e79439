/** Totals of a reading. */
import type { ChatResult, TokenUsage } from '../chat/chat.ts'
import type { CallUsage, ReadingUsage } from './events.ts'

export const noTokens: TokenUsage = { promptTokens: 0, completionTokens: 0 }
export const noUsage: ReadingUsage = { ...noTokens, calls: 0, chunkTokens: 0, bytes: 0, keptMemories: 0 }

export type Totals = Omit<ReadingUsage, 'wasted'>

export function sum({ wasted, ...usage }: ReadingUsage, more: Partial<Totals>): ReadingUsage {
  const parts = Object.entries(usage) as [keyof Totals, number][]
  const totals = Object.fromEntries(parts.map(([name, value]) => [name, value + (more[name] ?? 0)]))
  return { ...(totals as unknown as Totals), ...(wasted && { wasted }) }
}

/** A server that does not report tokens adds none. */
export function callUsage(results: Iterable<ChatResult>): CallUsage {
  let [calls, promptTokens, completionTokens] = [0, 0, 0]
  for (const { usage = noTokens } of results) {
    calls++
    promptTokens += usage.promptTokens
    completionTokens += usage.completionTokens
  }
  return { calls, promptTokens, completionTokens }
}

/** The totals with calls that were made for nothing. */
export function withWasted(usage: ReadingUsage, more: CallUsage): ReadingUsage {
  const { calls, promptTokens, completionTokens } = usage.wasted ?? { ...noTokens, calls: 0 }
  const wasted = {
    calls: calls + more.calls,
    promptTokens: promptTokens + more.promptTokens,
    completionTokens: completionTokens + more.completionTokens,
  }
  return { ...sum(usage, more), wasted }
}

/** Totals of a reading. */
import type { ChatResult, TokenUsage } from '../chat/chat.ts'
import type { CallUsage, ReadingUsage } from './events.ts'

export const noTokens: TokenUsage = { promptTokens: 0, completionTokens: 0 }
export const noUsage: ReadingUsage = { ...noTokens, calls: 0, chunkTokens: 0, bytes: 0, keptMemories: 0 }
export const noCalls: CallUsage = { ...noTokens, calls: 0 }

export type Totals = Omit<ReadingUsage, 'wasted' | 'fromCache'>

export function sum(usage: ReadingUsage, more: Partial<Totals>): ReadingUsage {
  const { wasted, fromCache, cachedPromptTokens: _, ...counts } = usage
  const parts = Object.entries(counts) as [keyof Omit<Totals, 'cachedPromptTokens'>, number][]
  const totals = Object.fromEntries(parts.map(([name, value]) => [name, value + (more[name] ?? 0)]))
  return {
    ...(totals as unknown as Totals),
    ...cachedTokens(usage, more),
    ...(wasted && { wasted }),
    ...(fromCache && { fromCache }),
  }
}

export const addTokens = (usage: TokenUsage, more: TokenUsage): TokenUsage => ({
  promptTokens: usage.promptTokens + more.promptTokens,
  completionTokens: usage.completionTokens + more.completionTokens,
  ...cachedTokens(usage, more),
})

export const addCalls = (usage: CallUsage, more: CallUsage): CallUsage => ({
  ...addTokens(usage, more),
  calls: usage.calls + more.calls,
})

/** Empty if no server reported any. */
function cachedTokens(...usages: readonly Partial<TokenUsage>[]): Pick<TokenUsage, 'cachedPromptTokens'> {
  const told = usages.flatMap(({ cachedPromptTokens }) => cachedPromptTokens ?? [])
  return told.length === 0 ? {} : { cachedPromptTokens: told.reduce((total, tokens) => total + tokens, 0) }
}

/** Usage of the calls that were made. A server that does not report tokens adds none. */
export const callUsage = (results: Iterable<ChatResult>): CallUsage =>
  [...results]
    .filter(({ isFromCache }) => !isFromCache)
    .reduce((total, { usage = noTokens }) => addCalls(total, { ...usage, calls: 1 }), noCalls)

/** Adds one call that was answered from the cache. */
export const withCached = (fromCache: CallUsage | undefined, { usage = noTokens }: ChatResult): CallUsage =>
  addCalls(fromCache ?? noCalls, { ...usage, calls: 1 })

/** Adds calls that were made in vain. */
export const withWasted = (usage: ReadingUsage, more: CallUsage): ReadingUsage => ({
  ...sum(usage, more),
  wasted: addCalls(usage.wasted ?? noCalls, more),
})

export const totalUsage = (usages: readonly ReadingUsage[]): ReadingUsage =>
  usages.reduce((total, { wasted, fromCache, ...own }) => {
    // Wasted calls are in the totals of their reading already.
    const wastedByAll = wasted ? { wasted: addCalls(total.wasted ?? noCalls, wasted) } : {}
    const cachedForAll = fromCache ? { fromCache: addCalls(total.fromCache ?? noCalls, fromCache) } : {}
    return { ...sum(total, own), ...wastedByAll, ...cachedForAll }
  }, noUsage)

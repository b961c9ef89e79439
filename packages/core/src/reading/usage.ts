/** Totals of a reading. */
import type { ChatResult, TokenUsage } from '../chat/chat.ts'
import type { CallUsage, ReadingUsage } from './events.ts'

export const noTokens: TokenUsage = { promptTokens: 0, completionTokens: 0 }
export const noUsage: ReadingUsage = { ...noTokens, calls: 0, chunkTokens: 0, bytes: 0, keptMemories: 0 }
export const noCalls: CallUsage = { ...noTokens, calls: 0 }

export type Totals = Omit<ReadingUsage, 'wasted' | 'fromCache'>

export function sum(usage: ReadingUsage, more: Partial<Totals>): ReadingUsage {
  const { wasted, fromCache, cachedPromptTokens: _, unreportedCalls: __, ...counts } = usage
  const parts = Object.entries(counts) as [
    keyof Omit<Totals, 'cachedPromptTokens' | 'unreportedCalls'>,
    number,
  ][]
  const totals = Object.fromEntries(parts.map(([name, value]) => [name, value + (more[name] ?? 0)]))
  return {
    ...(totals as unknown as Totals),
    ...total('cachedPromptTokens', usage, more),
    ...total('unreportedCalls', usage, more),
    ...(wasted && { wasted }),
    ...(fromCache && { fromCache }),
  }
}

export const addTokens = (usage: TokenUsage, more: TokenUsage): TokenUsage => ({
  promptTokens: usage.promptTokens + more.promptTokens,
  completionTokens: usage.completionTokens + more.completionTokens,
  ...total('cachedPromptTokens', usage, more),
})

export const addCalls = (usage: CallUsage, more: CallUsage): CallUsage => ({
  ...addTokens(usage, more),
  calls: usage.calls + more.calls,
  ...total('unreportedCalls', usage, more),
})

/** Empty if none of them has it. */
function total<Name extends 'cachedPromptTokens' | 'unreportedCalls'>(
  name: Name,
  ...usages: readonly Partial<CallUsage>[]
): Pick<CallUsage, Name> | object {
  const told = usages.flatMap((usage) => usage[name] ?? [])
  return told.length === 0 ? {} : { [name]: told.reduce((sum, count) => sum + count, 0) }
}

/** Usage of one call. */
export const usageOfCall = ({ usage }: Pick<ChatResult, 'usage'>): CallUsage =>
  usage ? { ...usage, calls: 1 } : { ...noTokens, calls: 1, unreportedCalls: 1 }

/** Usage of the calls that were made. */
export const callUsage = (results: Iterable<ChatResult>): CallUsage =>
  [...results]
    .filter(({ isFromCache }) => !isFromCache)
    .reduce((usage, result) => addCalls(usage, usageOfCall(result)), noCalls)

/** Adds one call that was answered from the cache. */
export const withCached = (fromCache: CallUsage | undefined, result: ChatResult): CallUsage =>
  addCalls(fromCache ?? noCalls, usageOfCall(result))

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

/** Makes events of reading ahead comparable with those of reading in order. */
import type { ReadingEvent, ReadingUsage } from '../reading/events.ts'

/** The event without time-dependent fields, and without calls made ahead in vain. */
export function usefulEvent(event: ReadingEvent): object {
  return {
    ...event,
    ...('seconds' in event && { seconds: 0 }),
    ...(event.type === 'chunk-end' && { wasted: undefined }),
    ...('usage' in event && 'bytes' in event.usage && { usage: usefulUsage(event.usage) }),
  }
}

export function usefulUsage({ wasted, ...usage }: ReadingUsage): ReadingUsage {
  return {
    ...usage,
    calls: usage.calls - (wasted?.calls ?? 0),
    promptTokens: usage.promptTokens - (wasted?.promptTokens ?? 0),
    completionTokens: usage.completionTokens - (wasted?.completionTokens ?? 0),
  }
}

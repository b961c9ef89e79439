/**
 * Events as they are stored: a memory-end without the memories that are the same as before, which most of a long
 * reading are.
 */
import type { ReadingEvent } from '@memagent/core'

/** The last memory by slot, so far; both functions add to it. */
export type LastMemories = Map<number | undefined, string>

export type StoredEvent = Readonly<Record<string, unknown>> & { readonly type: string }

export function withoutRepeats(events: readonly ReadingEvent[], last: LastMemories): StoredEvent[] {
  return events.map((event) => {
    if (event.type !== 'memory-end') return { ...event }
    const { memory, previous, ...rest } = event
    const before = last.get(event.slot) ?? ''
    last.set(event.slot, memory)
    return {
      ...rest,
      ...(previous === before ? {} : { previous }),
      ...(memory === previous ? {} : { memory }),
    }
  })
}

export function withRepeats(events: readonly StoredEvent[], last: LastMemories): ReadingEvent[] {
  return events.map((event) => {
    if (event.type !== 'memory-end') return event as unknown as ReadingEvent
    const { slot } = event as { readonly slot?: number }
    const { previous = last.get(slot) ?? '' } = event as { readonly previous?: string }
    const { memory = previous } = event as { readonly memory?: string }
    last.set(slot, memory)
    return { ...event, memory, previous } as unknown as ReadingEvent
  })
}

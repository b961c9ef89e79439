/** Events as they are stored: `memory-end` omits memories that did not change, which is most of a long reading. */
import type { ReadingEvent } from '@memagent/core'

/** The last memory by question and slot; both functions update it. */
export type LastMemories = Map<string, string>

interface MemoryOwner {
  readonly question?: number | undefined
  readonly slot?: number | undefined
}

const keyOf = ({ question, slot }: MemoryOwner) => `${question ?? ''}/${slot ?? ''}`

export type StoredEvent = Readonly<Record<string, unknown>> & { readonly type: string }

export function withoutRepeats(events: readonly ReadingEvent[], last: LastMemories): StoredEvent[] {
  return events.map((event) => {
    if (event.type !== 'memory-end') return { ...event }
    const { memory, previous, ...rest } = event
    const key = keyOf(event)
    const before = last.get(key) ?? ''
    last.set(key, memory)
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
    const key = keyOf(event as MemoryOwner)
    const { previous = last.get(key) ?? '' } = event as { readonly previous?: string }
    const { memory = previous } = event as { readonly memory?: string }
    last.set(key, memory)
    return { ...event, memory, previous } as unknown as ReadingEvent
  })
}

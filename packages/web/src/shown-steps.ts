/** A run's events by chunk: what was read, and what became of the memory after it. */
import type { ReadingEvent, SourceRange, TracedStatement } from '@memagent/core'

type EventOf<Type extends ReadingEvent['type']> = Extract<ReadingEvent, { type: Type }>

export interface ShownStep {
  /** From 0, in the order of reading. */
  readonly index: number
  /** Ordinal of the chunk, which repeats in every pass over the text. */
  readonly ordinal: number
  readonly ranges: readonly SourceRange[]
  readonly memories: readonly EventOf<'memory-end'>[]
  readonly warnings: readonly EventOf<'warning'>[]
  /** Statements that were written or changed; undefined: sources were not looked for, or the memory did not change. */
  readonly statements?: readonly TracedStatement[] | undefined
}

/** @param events of `RunStore.events` */
export async function* stepsOf(events: AsyncIterable<ReadingEvent>): AsyncGenerator<ShownStep> {
  let index = 0
  let told: ReadingEvent[] = []
  let chunks: EventOf<'chunk-end'>[] = []
  for await (const event of events) {
    if (event.type === 'chunk-end') chunks.push(event)
    else {
      if (chunks.length > 0) {
        for (const step of together(chunks, told)) yield { index: index++, ...step }
        ;[chunks, told] = [[], []]
      }
      told.push(event)
    }
  }
  for (const step of together(chunks, told)) yield { index: index++, ...step }
}

/** Of chunks read together, such as those of a merge, each gets the events of its ordinal, and the last one the rest. */
function together(
  chunks: readonly EventOf<'chunk-end'>[],
  events: readonly ReadingEvent[],
): Omit<ShownStep, 'index'>[] {
  const ownerOf = (event: ReadingEvent) =>
    ('step' in event ? chunks.find(({ step }) => step === event.step) : undefined) ?? chunks.at(-1)
  return chunks.map((chunk) => {
    const own = events.filter((event) => ownerOf(event) === chunk)
    const statements = own.flatMap((event) => (event.type === 'sources' ? event.statements : []))
    return {
      ordinal: chunk.step,
      ranges: chunk.ranges,
      memories: own.filter((event) => event.type === 'memory-end'),
      warnings: own.filter((event) => event.type === 'warning'),
      ...(statements.length > 0 && { statements }),
    }
  })
}

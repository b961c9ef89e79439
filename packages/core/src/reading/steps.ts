/** The steps of a reading, chunk by chunk or in the workflow's own order; reading ahead is in `read-ahead.ts`. */
import type { Chunk } from '../chunking/chunker.ts'
import { ConfigurationError } from '../errors.ts'
import type { Json, Workflow } from '../workflows/workflow.ts'
import type { AdaptiveMemory } from './adaptive-memory.ts'
import type { ChunkSource } from './chunk-source.ts'
import { defaultConcurrency, type StepContext } from './context.ts'
import type { ReadingEvent } from './events.ts'
import type { LiveWaits } from './live-waits.ts'
import type { ReadingOptions } from './options.ts'
import type { ReadingRecord } from './record.ts'

export interface Steps<State extends Json> {
  readonly workflow: Workflow<State>
  readonly source: ChunkSource
  readonly context: StepContext
  readonly record: ReadingRecord<State>
  readonly adaptiveMemory: AdaptiveMemory | undefined
  readonly waits: LiveWaits
  readonly signal: AbortSignal
}

/** Chunks asked about at the same time. @throws ConfigurationError */
export function chunksAhead<State extends Json>({
  ahead = 1,
  concurrency = defaultConcurrency,
}: ReadingOptions<State>): number {
  if (ahead === 'auto') return concurrency
  if (Number.isSafeInteger(ahead) && ahead > 0) return ahead
  throw new ConfigurationError({
    code: 'reading/ahead',
    message: `ahead cannot be ${String(ahead)} (it takes 'auto', or a whole number of at least 1).`,
  })
}

export async function* stepByChunk<State extends Json>(steps: Steps<State>): AsyncGenerator<ReadingEvent> {
  const { workflow, source, context, record, waits, signal } = steps
  let isCutAnew: boolean
  do {
    isCutAnew = false
    for await (const chunk of source.open(source.position.ordinal)) {
      signal.throwIfAborted()
      const result = yield* waits.during(workflow.read(record.state, chunk, context), signal)
      record.state = result.state
      record.isDone = result.done ?? false
      isCutAnew = yield* endStep(steps)
      if (record.isDone) return
      if (isCutAnew) break
    }
  } while (isCutAnew)
}

/** For workflows with their own loop. */
export async function* stepsOfItsOwn<State extends Json>(steps: Steps<State>): AsyncGenerator<ReadingEvent> {
  const { workflow, source, context, record, waits, signal } = steps
  const opened: AsyncGenerator<Chunk>[] = []
  const openChunks = (from = 0, isRead?: (chunk: Chunk) => boolean) => {
    const chunks = source.open(from, isRead)
    opened.push(chunks)
    return chunks
  }
  try {
    const states = workflow.run!(record.state, openChunks, context)
    for await (const next of waits.between(states, signal)) {
      if (next.type === 'wait') yield next
      else {
        record.state = next.item
        yield* endStep(steps)
      }
    }
  } finally {
    // A workflow that is waiting for a call does not close its chunks.
    await Promise.all(opened.map((chunks) => chunks.return(undefined)))
  }
  if (record.isInStep) yield* endStep(steps)
}

/** @returns whether the budget has changed, so that chunks must be cut anew */
export async function* endStep<State extends Json>({
  workflow,
  context,
  record,
  source,
  adaptiveMemory,
}: Steps<State>): AsyncGenerator<ReadingEvent, boolean> {
  context.endStep()
  let hasChanged = false
  if (adaptiveMemory) {
    const memory = context.neutralize(workflow.memory(record.state))
    hasChanged = adaptiveMemory.observe(await context.countTokens(memory))
    if (hasChanged) record.changeBudget(adaptiveMemory.budget, source.position)
  }
  yield* record.endStep(source.position)
  return hasChanged
}

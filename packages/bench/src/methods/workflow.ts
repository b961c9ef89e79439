/** The reader with one of its workflows as a method: what the other methods are compared with. */
import { type ReadingEvent, readDocument, type Workflow, WorkflowError } from '@memagent/core'
import type { ByteRange } from '@memagent/tasks'
import { z } from 'zod'
import type { MethodRequest, MethodResult, TraceEntry } from '../method.ts'
import { mergeRanges, rangeOf } from './byte-ranges.ts'
import { chunksOf, estimateReading } from './estimates.ts'
import type { MethodFactory } from './factory.ts'
import { Meter } from './meter.ts'
import { count, readingOptions, withBudget } from './options.ts'

const options = z.strictObject({
  ...readingOptions,
  question: count.optional(),
  /** How chunks end. @default the profile's */
  chunking: z.enum(['natural', 'exact']).optional(),
})

export function workflowMethod(workflow: Workflow): MethodFactory<typeof options> {
  const description = `the reader with the workflow ${workflow.name}`
  return {
    description,
    options,
    create(name, { chunking, ...overrides }) {
      const changed = (profile: Parameters<typeof withBudget>[0]) => ({
        ...withBudget(profile, overrides),
        chunking: chunking ?? profile.chunking,
      })
      return {
        name,
        description,
        async answer(request) {
          request.signal?.throwIfAborted()
          const meter = new Meter(request.model)
          const { profile, onShare, onWarning, ...rest } = request
          const events = readDocument({
            ...rest,
            workflow,
            model: meter.model,
            profile: changed(profile),
            // No method is failed for a model that says nothing: its answer is wrong.
            acceptsSilence: true,
            // Nor for a sample without text, which has nothing to find.
            allowEmpty: true,
          })
          return { ...(await followed(events, request)), usage: meter.usage }
        },
        /** For workflows of one update a chunk. */
        estimate(lengthTokens, profile) {
          const { budget, chunking: mode } = changed(profile)
          return estimateReading(lengthTokens, chunksOf(lengthTokens, budget.chunk, mode), changed(profile))
        },
      }
    },
  }
}

/** What the events of a reading come to. */
async function followed(
  events: AsyncIterable<ReadingEvent>,
  { document, onShare, onWarning }: MethodRequest,
): Promise<Omit<MethodResult, 'usage'>> {
  const trace: TraceEntry[] = []
  let pending: TraceEntry[] = []
  let read: readonly ByteRange[] = []
  for await (const event of events) {
    if (event.type === 'warning') onWarning?.(event)
    else if (event.type === 'memory-end' && event.changed) {
      const { step, memory, tokens, origin } = event
      pending.push({ step, memory, tokens, origin })
    } else if (event.type === 'chunk-end') {
      // A step's memory is reported before its chunk.
      const range = rangeOf(event)
      trace.push(...pending.map((entry) => (entry.step === event.step ? { ...entry, ...range } : entry)))
      pending = []
      read = mergeRanges([...read, range])
      if (document.sizeBytes) onShare?.(bytesOf(read) / document.sizeBytes)
    } else if (event.type === 'answer') {
      const isWhole = bytesOf(read) === document.sizeBytes
      return {
        answer: event.answer,
        trace: [...trace, ...pending],
        steps: event.steps,
        seen: isWhole ? undefined : read,
      }
    }
  }
  throw new WorkflowError({ code: 'workflow/no-answer', message: 'The reading ended without an answer.' })
}

const bytesOf = (ranges: readonly ByteRange[]): number =>
  ranges.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0)

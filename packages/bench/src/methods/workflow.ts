/** The reader with one of its workflows as a method, to compare with the others. */
import {
  type ByteRange,
  bytesOf,
  ConfigurationError,
  checkBudget,
  chunksOf,
  estimateReading,
  type ModelProfile,
  mergeRanges,
  promptsFor,
  promptsIdentity,
  type ReadingEvent,
  type ReadingUsage,
  rangeOf,
  readDocument,
  type Workflow,
  WorkflowError,
  withBudget,
  workflowIdentity,
} from '@memagent/core'
import { choosePrompts, chunkingSchema, promptsSchema, windowBudgetSchema } from '@memagent/core/settings'
import { z } from 'zod'
import type { MethodRequest, MethodResult, TraceEntry, Warning } from '../method.ts'
import type { MethodFactory } from './factory.ts'
import { Meter } from './meter.ts'
import { budgetOption, count, readingOptions } from './options.ts'
import { usualPrompts } from './prompts.ts'

const options = z.strictObject({
  ...readingOptions,
  memory: z
    .union([z.literal('auto'), count])
    .optional()
    .meta({
      description: `${windowBudgetSchema.shape.memory.description} With \`auto\` it grows into the window while it is full.`,
      defaultIs: "the model's",
    }),
  question: budgetOption('question'),
  chunking: chunkingSchema.optional().meta({ defaultIs: "the model's" }),
  prompts: promptsSchema.optional(),
})

export function workflowMethod(workflow: Workflow): MethodFactory<typeof options> {
  const description = `the reader with the workflow ${workflow.name}`
  return {
    description,
    ownName: workflow.name,
    options,
    paths: ['prompts'],
    async create(name, { chunking, prompts, ...overrides }) {
      const chosen = prompts === undefined ? undefined : await choosePrompts(prompts)
      const changed = (profile: ModelProfile): ModelProfile => ({
        ...withBudget(profile, overrides),
        chunking: chunking ?? profile.chunking,
        prompts: chosen ?? profile.prompts,
      })
      return {
        name,
        description,
        conversationsOf: workflow.conversationsOf ?? workflow.name,
        workflow(profile) {
          const { identity } = promptsFor(workflow, changed(profile).prompts)
          const isUsual = identity === promptsIdentity(profile.prompts ?? usualPrompts)
          const { change, response } = (workflow.usesLeastConfidence && profile.leastConfidence) || {}
          return [
            workflowIdentity(workflow),
            ...(isUsual ? [] : [`prompts ${identity}`]),
            ...(change === undefined ? [] : [`least confidence ${change} and ${response}`]),
          ].join(', ')
        },
        async checkBudget({ profile, ...rest }) {
          await checkBudget({ ...rest, profile: changed(profile), workflow }).catch((cause: unknown) => {
            throw ConfigurationError.isInstance(cause) ? ofMethod(name, cause) : cause
          })
        },
        async answer(request) {
          request.signal?.throwIfAborted()
          const meter = new Meter(request.model)
          const { profile, onShare, onWarning, ...rest } = request
          const events = readDocument({
            ...rest,
            workflow,
            replays: true,
            model: meter.model,
            profile: changed(profile),
            // A model that says nothing is wrong; the method must not fail.
            acceptsSilence: true,
            // Nor must it fail on a sample without text, where nothing can be found.
            allowEmpty: true,
          })
          const { usage, ...result } = await followed(events, request)
          const { calls, promptTokens, completionTokens, wasted } = usage
          const tokens = usage.unreportedCalls ? unknownTokens : { promptTokens, completionTokens }
          const { modelMs } = meter.usage
          return { ...result, usage: { calls, ...tokens, ...(wasted && { wasted }), modelMs } }
        },
        estimate(lengthTokens, profile, ahead) {
          const { budget, chunking: mode } = changed(profile)
          const chunks = chunksOf(lengthTokens, budget.chunk, mode)
          return estimateReading(lengthTokens, chunks, changed(profile), workflow, { ahead })
        },
      }
    },
  }
}

const unknownTokens = { promptTokens: Number.NaN, completionTokens: Number.NaN }

/** Names the method, and words the advice for it: here the chunk is a method option, not a flag. */
function ofMethod(name: string, cause: ConfigurationError): ConfigurationError {
  const { code, details } = cause
  const chunk = details.fittingChunk as number | undefined
  const wayOut =
    chunk && chunk > 0 ? `chunks of ${chunk} tokens (${name}, option chunk=${chunk})` : 'smaller budgets'
  return new ConfigurationError({
    code,
    message: `${name}: ${cause.message}`,
    hint:
      chunk === undefined ? cause.hint : `Use ${wayOut}, or raise the window if the model has a larger one.`,
    details: { ...details, method: name },
    cause,
  })
}

/** Collects the result from a reading's events. */
async function followed(
  events: AsyncIterable<ReadingEvent>,
  { document, onShare, onWarning }: MethodRequest,
): Promise<Omit<MethodResult, 'usage'> & { readonly usage: ReadingUsage }> {
  const told = new Set<string>()
  const warn = (warning: Pick<Warning, 'step' | 'code' | 'message'>) => {
    const { step, code, message } = warning
    told.add(code)
    onWarning?.({ type: 'warning', step, code, message })
  }
  let resumedSteps = 0
  const trace: TraceEntry[] = []
  /** Since the last chunk, with the place of the chunk in the text as their step. */
  let pending: TraceEntry[] = []
  let read: readonly ByteRange[] = []
  let chunksRead = 0
  const inReadingOrder = (at?: Extract<ReadingEvent, { type: 'chunk-end' }>) =>
    pending.map((entry) =>
      entry.step === at?.step
        ? { ...entry, step: chunksRead, chunk: at.step, ...rangeOf(at) }
        : { ...entry, step: Math.max(0, chunksRead - 1) },
    )
  for await (const event of events) {
    if (event.type === 'reading-start') resumedSteps = event.resumedSteps
    else if (event.type === 'warning') warn(event)
    else if (event.type === 'memory-end' && event.changed) {
      const { step, memory, tokens, origin } = event
      pending.push({ step, memory, tokens, origin })
    } else if (event.type === 'chunk-end') {
      // A step's memory is reported before its chunk.
      trace.push(...inReadingOrder(event))
      pending = []
      chunksRead += 1
      read = mergeRanges([...read, rangeOf(event)])
      if (document.sizeBytes) onShare?.(bytesOf(read) / document.sizeBytes)
    } else if (event.type === 'answer') {
      const isWhole = bytesOf(read) === document.sizeBytes
      // Warnings of the last call are only here if the answer was already in the checkpoint.
      for (const warning of event.warnings) if (!told.has(warning.code)) warn(warning)
      return {
        answer: event.answer,
        trace: [...trace, ...inReadingOrder()],
        steps: event.steps,
        seen: isWhole ? undefined : read,
        usage: event.usage,
        ...(resumedSteps > 0 ? { seconds: event.seconds } : {}),
      }
    }
  }
  throw new WorkflowError({ code: 'workflow/no-answer', message: 'The reading ended without an answer.' })
}

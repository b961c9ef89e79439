/**
 * The reading loop: runs a workflow over a document and yields events. Every step is saved, so a killed run
 * resumes at the next chunk; the next chunk is cut and the last step is written while the model reads the current one.
 * What comes before the first call is in `prepare.ts`, what the reading comes to in `record.ts`.
 */
import { MemAgentError, NoAnswerError, WorkflowError } from '../errors.ts'
import type { Answer, Json, Workflow } from '../workflows/workflow.ts'
import { ChunkSource } from './chunk-source.ts'
import { createReadingContext, type StepContext } from './context.ts'
import type { ReadingEvent } from './events.ts'
import { withinLimits } from './limits.ts'
import { LiveWaits } from './live-waits.ts'
import type { ReadingOptions } from './options.ts'
import { type PreparedReading, prepareReading } from './prepare.ts'
import { ReadingRecord } from './record.ts'
import { withCalls } from './usage.ts'

/**
 * Reads the document and answers the question, or takes general notes where there is none. What was read is in the last checkpoint whatever ends the reading.
 * @throws ConfigurationError before the first call when the budget does not fit; CheckpointError when the checkpoint is
 * damaged or of another run; LimitError before a limit is exceeded; ChatError (also for a model that never wrote a usable memory), DocumentError, WorkflowError from below; an abort throws the signal's reason.
 */
export async function* readDocument<State extends Json>(
  options: ReadingOptions<State>,
): AsyncGenerator<ReadingEvent> {
  const { question } = options
  const reading = await prepareReading(options)
  const { workflow, signal, saved, log } = reading
  const record = new ReadingRecord(options, reading)
  const waits = new LiveWaits()
  // Ends what is under way when the reading ends for any reason.
  const ending = new AbortController()
  const ends = AbortSignal.any([signal, ending.signal])
  const context = contextOf(options, reading, record, waits, ends)
  const source = sourceOf(options, reading, record, context, ends)

  yield startOf(options, reading, record)
  if (options.replays) yield* log?.events ?? []
  // A document without a fingerprint is identified by its text alone.
  if (record.isDone) {
    await source.verify()
    record.requireMemory()
  }
  if (saved?.answer) return yield record.answerEvent(saved.answer, saved.warnings)
  try {
    if (!saved) {
      // A checkpoint that cannot be written is reported before anything is spent.
      record.save(source.position)
      await record.flush()
    }
    const steps = { workflow, source, context, record, waits, signal }
    if (!record.isDone) yield* workflow.run ? stepsOfItsOwn(steps) : stepByChunk(steps)
    signal.throwIfAborted()
    record.isDone = true
    record.requireMemory()
    if (question === undefined) return yield await record.settleNotes(source.position)
    const claim: Answer = record.wroteNoMemory
      ? { text: '', outcome: 'unsure', isUnusable: true }
      : yield* waits.during(workflow.answer(record.state, question, context), signal)
    const answer = await record.settle(claim, source.position)
    yield* record.takeEvents()
    yield answer
  } catch (error) {
    signal.throwIfAborted()
    // The next run resumes after the text, and counts what these calls took.
    if (NoAnswerError.isInstance(error)) record.save(source.position)
    yield* record.takeEvents()
    throw MemAgentError.isInstance(error) ? error : workflowFailed(workflow.name, record.steps, error)
  } finally {
    ending.abort()
    await record.close()
  }
}

interface Steps<State extends Json> {
  readonly workflow: Workflow<State>
  readonly source: ChunkSource
  readonly context: StepContext
  readonly record: ReadingRecord<State>
  readonly waits: LiveWaits
  readonly signal: AbortSignal
}

async function* stepByChunk<State extends Json>(steps: Steps<State>): AsyncGenerator<ReadingEvent> {
  const { workflow, source, context, record, waits, signal } = steps
  for await (const chunk of source.open(source.position.ordinal)) {
    signal.throwIfAborted()
    const result = yield* waits.during(workflow.read(record.state, chunk, context), signal)
    record.state = result.state
    record.isDone = result.done ?? false
    yield* endStep(steps)
    if (record.isDone) return
  }
}

/** For workflows with their own loop. */
async function* stepsOfItsOwn<State extends Json>(steps: Steps<State>): AsyncGenerator<ReadingEvent> {
  const { workflow, source, context, record, waits, signal } = steps
  const states = workflow.run!(record.state, (from = 0) => source.open(from), context)
  for await (const next of waits.between(states, signal)) {
    if (next.type === 'wait') yield next
    else {
      record.state = next.item
      yield* endStep(steps)
    }
  }
  if (record.isInStep) yield* endStep(steps)
}

function endStep<State extends Json>({ context, record, source }: Steps<State>): ReadingEvent[] {
  context.endStep()
  return record.endStep(source.position)
}

function contextOf<State extends Json>(
  options: ReadingOptions<State>,
  { profile, prompts, tokenizer, sampling, log }: PreparedReading<State>,
  record: ReadingRecord<State>,
  waits: LiveWaits,
  signal: AbortSignal,
): StepContext {
  const { model, limits } = options
  // Calls of an unfinished step were made, too.
  const spent = withCalls(record.usage, log?.conversations.values() ?? [])
  return createReadingContext({
    model: limits ? withinLimits(model, limits, profile.budget.window, spent) : model,
    profile,
    prompts,
    tokenizer,
    sampling,
    concurrency: options.concurrency,
    acceptsSilence: options.acceptsSilence,
    signal,
    onWait: (wait) => waits.add(wait),
    memoryLog: log?.memories,
    journal: log?.conversations,
    onMemoryLogged: record.logMemory,
    onJournal: record.logConversation,
    emit: record.addEvent,
    onResult: (result, conversation) => {
      options.onConversation?.(conversation, result)
      record.addResult(result)
    },
  })
}

function sourceOf<State extends Json>(
  { document, allowEmpty }: ReadingOptions<State>,
  { profile, prompts, tokenizer, saved }: PreparedReading<State>,
  record: ReadingRecord<State>,
  context: StepContext,
  signal: AbortSignal,
): ChunkSource {
  const source = new ChunkSource({
    document,
    profile,
    prompts,
    tokenizer,
    position: saved?.position,
    signal,
    requiresText: !allowEmpty,
    onRemark: (remark) =>
      context.emit({ type: 'warning', step: Math.max(0, source.position.ordinal - 1), ...remark }),
    onChunk: record.addChunk,
  })
  return source
}

const startOf = <State extends Json>(
  { document, model }: ReadingOptions<State>,
  { workflow, profile, prompts }: PreparedReading<State>,
  { steps, usage }: ReadingRecord<State>,
): ReadingEvent => ({
  type: 'reading-start',
  document: document.name,
  sizeBytes: document.sizeBytes,
  model: model.name,
  workflow: workflow.name,
  profile: { name: profile.name, prompts: prompts.name, budget: profile.budget },
  resumedSteps: steps,
  usage,
})

const workflowFailed = (name: string, steps: number, cause: unknown) =>
  new WorkflowError({
    code: 'workflow/failed',
    message: `The workflow ${name} failed after step ${steps}: ${cause instanceof Error ? cause.message : String(cause)}`,
    details: { workflow: name, steps },
    cause,
  })

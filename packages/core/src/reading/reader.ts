/**
 * The reading loop: runs a workflow over a document and yields events. Every step is saved, so a killed run resumes at the next
 * chunk. The next chunk is cut and the last step is written while the model reads the current one. What comes before the first
 * call is in `prepare.ts`, what the reading yields in `record.ts`.
 */
import type { ChatModel } from '../chat/chat.ts'
import { answeringFromCache } from '../chat/conversation-cache.ts'
import { isTrainedFor, type ModelProfile } from '../chat/profile.ts'
import { ChatError, LimitError, MemAgentError, WorkflowError } from '../errors.ts'
import { messageOf } from '../message-of.ts'
import type { Answer, Json, Workflow } from '../workflows/workflow.ts'
import { ChunkSource } from './chunk-source.ts'
import { createReadingContext, defaultConcurrency, type StepContext } from './context.ts'
import type { CallUsage, ReadingEvent } from './events.ts'
import { withinLimits } from './limits.ts'
import { LiveWaits } from './live-waits.ts'
import type { ReadingOptions } from './options.ts'
import { type PreparedReading, prepareReading } from './prepare.ts'
import { stepAhead } from './read-ahead.ts'
import { ofOtherNotes } from './reading-start.ts'
import { ReadingRecord } from './record.ts'
import { RenewedAnswers } from './renewed-answers.ts'
import { chunksAhead, type Steps, stepByChunk, stepsOfItsOwn } from './steps.ts'
import { callUsage, sum } from './usage.ts'

/**
 * Reads the document and answers the question, or takes general notes if there is none. Whatever ends the reading, the last
 * checkpoint has everything read so far.
 * @throws ConfigurationError before the first call if the budget does not fit; CheckpointError if the checkpoint is damaged or of
 * another run; LimitError before a limit is exceeded; ChatError (also for a model that never wrote a usable memory),
 * DocumentError and WorkflowError from below; an abort throws the signal's reason.
 */
export async function* readDocument<State extends Json>(
  options: ReadingOptions<State>,
): AsyncGenerator<ReadingEvent> {
  const { question } = options
  const ahead = chunksAhead(options)
  const reading = await prepareReading(options)
  const { workflow, signal, saved, log } = reading
  const record = new ReadingRecord(options, reading)
  const waits = new LiveWaits()
  // Aborts what is in flight when the reading ends for any reason.
  const ending = new AbortController()
  const ends = AbortSignal.any([signal, ending.signal])
  const listener: Listener = {}
  const context = contextOf(options, reading, record, { waits, listener, signal: ends })
  const source = sourceOf(options, reading, record, context, ends)

  yield startOf(options, reading, record)
  if (options.replays) yield* log?.events ?? []
  // A document without a fingerprint is identified only by its text.
  if (record.isDone) {
    await source.verify()
    record.requireMemory()
  }
  if (saved?.answer) return yield record.answerEvent(saved.answer, source.position, record.warnings)
  try {
    if (!saved) {
      remarkOnTraining(reading, record)
      const { start } = options
      if (start && !reading.endsWithMemory && question !== start.question)
        record.addEvent(ofOtherNotes(start))
      // A store that cannot be written to fails before anything is spent.
      record.save(source.position)
      await record.flush()
    }
    const { adaptiveMemory } = reading
    const steps = { workflow, source, context, record, adaptiveMemory, waits, signal }
    const renewed =
      options.renewsAnswer && question !== undefined ? new RenewedAnswers(steps, question) : undefined
    const read = readSteps(steps, ahead)
    if (!record.isDone) yield* renewed?.between(read) ?? read
    signal.throwIfAborted()
    if ((options.start || options.answers === false) && !source.position.isEnd)
      throw endedEarly(workflow.name)
    record.endSteps()
    record.requireMemory()
    if (question === undefined || reading.endsWithMemory) {
      const notes = await record.settleNotes(source.position)
      yield* record.takeEvents()
      return yield notes
    }
    const present = renewed?.present
    if (renewed && !present) record.forgetAnswerWarnings()
    const claim: Answer = record.wroteNoMemory
      ? { text: '', outcome: 'unsure', isUnusable: true }
      : (present ?? (yield* waits.during(workflow.answer(record.state, question, context), signal)))
    const answer = await record.settle(claim, source.position)
    yield* record.takeEvents()
    yield answer
  } catch (error) {
    // The next run resumes after the text, and counts the calls already made for the answer.
    const isCounted = signal.aborted || LimitError.isInstance(error) || ChatError.isInstance(error)
    if (record.isDone && isCounted) record.save(source.position)
    signal.throwIfAborted()
    yield* record.takeEvents()
    if (listener.failure) throw listener.failure.error
    throw MemAgentError.isInstance(error) ? error : workflowFailed(workflow.name, record.steps, error)
  } finally {
    ending.abort()
    await record.close()
  }
}

/** @param ahead chunks asked about at the same time */
function readSteps<State extends Json>(steps: Steps<State>, ahead: number): AsyncGenerator<ReadingEvent> {
  if (steps.workflow.run) return stepsOfItsOwn(steps)
  return ahead > 1 && steps.workflow.unchanged ? stepAhead(steps, ahead) : stepByChunk(steps)
}

function remarkOnTraining<State extends Json>(
  { workflow, profile }: PreparedReading<State>,
  { addEvent }: ReadingRecord<State>,
): void {
  const { name } = workflow
  if (isTrained(workflow, profile) !== false) return
  const [first, ...others] = profile.workflows!
  const trained = [`${first} (the default)`, ...others].join(' and ')
  const message = `The model was not trained for the workflow ${name}: expect poorer results. It was trained for ${trained}.`
  addEvent({ type: 'warning', step: 0, code: 'workflow-untrained', message })
}

const isTrained = (
  { name, conversationsOf = name }: Pick<Workflow, 'name' | 'conversationsOf'>,
  profile: ModelProfile,
): boolean | undefined => isTrainedFor(profile, conversationsOf)

/** An error thrown by `onConversation`: within a step, but not a failure of the workflow. */
interface Listener {
  failure?: { readonly error: unknown }
}

function contextOf<State extends Json>(
  options: ReadingOptions<State>,
  { workflow, profile, prompts, tokenizer, sampling, log, adaptiveMemory }: PreparedReading<State>,
  record: ReadingRecord<State>,
  { waits, listener, signal }: { waits: LiveWaits; listener: Listener; signal: AbortSignal },
): StepContext {
  const { model, limits } = options
  const limited = (spent: CallUsage) =>
    limits ? withinLimits(model, limits, profile.budget.window, spent) : model
  // Calls of an unfinished step were made, too.
  const untaken = [...(log?.conversations.values() ?? [])].map(({ result }) => result)
  const spent = sum(record.usage, callUsage(untaken))
  const asked = options.checkpoints?.isWrittenFirst ? afterWrites(limited(spent), record) : limited(spent)
  return createReadingContext({
    // Cached conversations count against no limit, and wait for no write.
    model: options.cache ? answeringFromCache(asked, options.cache, model) : asked,
    profile,
    prompts,
    tokenizer,
    sampling,
    concurrency: options.concurrency ?? Math.max(defaultConcurrency, chunksAhead(options)),
    mostAnswerTokens: options.mostAnswerTokens,
    acceptsSilence: options.acceptsSilence,
    isTrained: isTrained(workflow, profile),
    signal,
    onWait: (wait) => waits.add(wait),
    memoryLog: log?.memories,
    journal: record.journal,
    budget: adaptiveMemory && (() => adaptiveMemory.budget),
    onMemoryLogged: record.logMemory,
    emit: record.addEvent,
    onResult: (result, conversation) => {
      try {
        options.onConversation?.(conversation, result)
      } catch (error) {
        listener.failure = { error }
        throw error
      }
      record.addResult(result, conversation)
    },
  })
}

/** Calls wait until everything before them is written, so that a killed run repeats only these. */
const afterWrites = <State extends Json>(model: ChatModel, record: ReadingRecord<State>): ChatModel => ({
  name: model.name,
  ...(model.countPromptTokens && { countPromptTokens: (messages) => model.countPromptTokens!(messages) }),
  async generate(messages, options) {
    await record.flush()
    return model.generate(messages, options)
  },
})

function sourceOf<State extends Json>(
  { document, allowEmpty, together }: ReadingOptions<State>,
  { profile, prompts, tokenizer, saved, earlier, adaptiveMemory }: PreparedReading<State>,
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
    firstOrdinal: earlier?.steps,
    chunkTokens: () => (adaptiveMemory ?? profile).budget.chunk,
    signal,
    requiresText: !allowEmpty,
    onRemark: (remark) => {
      // Reported once, even if the text is opened again.
      if (record.hasWarned(remark.code)) return
      context.emit({ type: 'warning', step: Math.max(0, source.position.ordinal - 1), ...remark })
    },
    onChunk: record.addChunk,
    together,
  })
  return source
}

const startOf = <State extends Json>(
  { document, model }: ReadingOptions<State>,
  { workflow, profile, prompts, adaptiveMemory }: PreparedReading<State>,
  { steps, usage }: ReadingRecord<State>,
): ReadingEvent => ({
  type: 'reading-start',
  document: document.name,
  sizeBytes: document.sizeBytes,
  model: model.name,
  workflow: workflow.name,
  passes: workflow.passes,
  profile: { name: profile.name, prompts: prompts.name, budget: (adaptiveMemory ?? profile).budget },
  resumedSteps: steps,
  usage,
})

/** A memory that others go on from must cover the whole text. */
const endedEarly = (name: string) =>
  new WorkflowError({
    code: 'workflow/ended-early',
    message: `The workflow ${name} ended the reading before the end of the text, and a memory that goes on has to read every text whole.`,
    hint: 'Read with another workflow; one that may end early says so with mayEndEarly.',
    details: { workflow: name },
  })

const workflowFailed = (name: string, steps: number, cause: unknown) =>
  new WorkflowError({
    code: 'workflow/failed',
    message: `The workflow ${name} failed after step ${steps}: ${messageOf(cause)}`,
    details: { workflow: name, steps },
    cause,
  })

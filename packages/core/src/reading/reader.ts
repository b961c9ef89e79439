/**
 * The reading loop: runs a workflow over a document and tells what happens. Every step is saved, so that a killed run
 * goes on at the next chunk; the next chunk is cut and the last step is written while the model reads the present one.
 */
import type { ChatModel, ChatResult, TokenUsage } from '../chat/chat.ts'
import type { ModelProfile } from '../chat/profile.ts'
import type { Chunk } from '../chunking/chunker.ts'
import type { Document } from '../documents/document.ts'
import { ConfigurationError, MemAgentError, NoAnswerError, WorkflowError } from '../errors.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { overwrite } from '../workflows/overwrite.ts'
import { paperProfile } from '../workflows/paper-prompts.ts'
import type { Answer, Conversation, Json, Workflow } from '../workflows/workflow.ts'
import { checkCourse } from './check-course.ts'
import { type Checkpoint, type CheckpointStore, checkpointVersion } from './checkpoint.ts'
import { CheckpointWriter } from './checkpoint-writer.ts'
import { ChunkSource } from './chunk-source.ts'
import { createReadingContext } from './context.ts'
import type { ReadingEvent, ReadingUsage } from './events.ts'
import { checkLimits, type ReadingLimits, type Spent, withinLimits } from './limits.ts'
import { LiveWaits } from './live-waits.ts'
import { settleAnswer } from './outcome.ts'
import { checkedCheckpoint } from './parse-checkpoint.ts'
import { untilAborted } from './prefetch.ts'
import { restoreLog } from './restore-log.ts'
import { checkIdentity, type RunIdentity } from './run-identity.ts'
import { Silence } from './silence.ts'
import { type ReadingWarning, WarningLog } from './warning-log.ts'
import { checkWindow } from './window.ts'

export interface ReadingOptions<State extends Json = Json> {
  readonly question: string
  readonly document: Document
  readonly model: ChatModel
  /** @default overwrite */
  readonly workflow?: Workflow<State> | undefined
  /** Notes to start from. @default none */
  readonly memory?: string | undefined
  /** Window, prompts and chunking. @default the model's own, else the paper's */
  readonly profile?: ModelProfile | undefined
  /** @default the model's own, else an estimate */
  readonly tokenizer?: Tokenizer | undefined
  /** @default 0 */
  readonly seed?: number | undefined
  /** @default the profile's */
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  /** Conversations at a time, for workflows that ask several at once. @default 8 */
  readonly concurrency?: number | undefined
  readonly checkpoints?: CheckpointStore | undefined
  /**
   * Keep the events of every step beside the checkpoint, and tell them again, behind `reading-start`, when the run goes on:
   * for what is to know the whole reading. @default false
   */
  readonly replays?: boolean | undefined
  /**
   * For training and measuring, where what the model says is taken as it comes: that it never wrote a usable memory, or that
   * its final response holds no answer, is no error, and nothing is asked for twice. @default false
   */
  readonly acceptsSilence?: boolean | undefined
  /**
   * Ask about a document without any text as well, instead of taking it for a mistake. @default false
   */
  readonly allowEmpty?: boolean | undefined
  /** Stop before more calls, or costlier ones, are made. @default no limits */
  readonly limits?: ReadingLimits | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with every finished conversation, in the order of the workflow: what training records. */
  readonly onConversation?: ((conversation: Conversation, result: ChatResult) => void) | undefined
  /** Milliseconds. @default performance.now */
  readonly now?: (() => number) | undefined
}

const noTokens: TokenUsage = { promptTokens: 0, completionTokens: 0 }
const noUsage: ReadingUsage = { ...noTokens, calls: 0, chunkTokens: 0, bytes: 0, keptMemories: 0 }

/**
 * Reads the document and answers the question. What was read is in the last checkpoint whatever ends the reading.
 * @throws ConfigurationError before the first call when the budget does not fit; CheckpointError when the checkpoint is
 * damaged or of another run; LimitError before a limit is exceeded; ChatError (also for a model that never wrote a usable memory), DocumentError, WorkflowError from below; an abort throws the signal's reason.
 */
export async function* readDocument<State extends Json>(
  options: ReadingOptions<State>,
): AsyncGenerator<ReadingEvent> {
  const { question, document, model, checkpoints, now = () => performance.now() } = options
  const { signal = new AbortController().signal, seed = 0 } = options
  const profile = options.profile ?? model.profile ?? paperProfile
  const tokenizer = options.tokenizer ?? model.tokenizer ?? createEstimateTokenizer()
  const workflow = (options.workflow ?? overwrite) as Workflow<State>
  const sampling = {
    temperature: options.temperature ?? profile.sampling?.temperature,
    topP: options.topP ?? profile.sampling?.topP,
  }
  if (question.trim() === '') {
    throw new ConfigurationError({ code: 'reading/no-question', message: 'The question is empty.' })
  }
  if (options.limits) checkLimits(options.limits)
  signal.throwIfAborted()
  const { window, output, ...budgetOfNotes } = profile.budget
  const identity: RunIdentity = {
    // A fingerprint reads the whole text, so it is taken only where it is needed.
    document: (checkpoints && (await document.fingerprint?.(signal))) ?? document.name,
    question,
    model: model.name,
    workflow: workflow.name,
    profile: { prompts: profile.prompts.name, chunking: profile.chunking ?? 'natural', ...budgetOfNotes },
    answerBudget: { window, output },
    tokenizer: tokenizer.name,
    sampling: { seed, temperature: sampling.temperature ?? null, topP: sampling.topP ?? null },
    ...(options.memory === undefined ? {} : { memory: options.memory }),
  }
  const loaded = await checkpoints?.load()
  // A store of somebody else's may not have looked.
  const saved = loaded && checkedCheckpoint(loaded, checkpoints?.name)
  if (saved) {
    // Notes are the same whatever room the answer has: one that was cut is asked for again with more.
    const { answerBudget = null } = saved.identity
    checkIdentity(saved.identity, saved.answer ? identity : { ...identity, answerBudget })
    checkCourse(saved, { workflow, question, path: checkpoints?.name })
  }
  // A finished run needs neither the model nor its window.
  if (!saved?.answer) {
    await untilAborted(checkWindow({ model, profile, tokenizer, question, signal }), signal)
  }
  const log = saved && checkpoints ? await restoreLog(saved, checkpoints) : undefined

  let state = (saved?.state ?? firstState(workflow, question, options.memory)) as State
  let usage = saved?.usage ?? noUsage
  let steps = saved?.steps ?? 0
  let sequence = saved?.sequence ?? 0
  let isDone = saved?.isDone ?? false
  let pending: ReadingEvent[] = []
  let handedOut: Chunk[] = []
  let stepUsage = noTokens
  const startMs = now() - (saved?.seconds ?? 0) * 1000
  let stepMs = now()
  const seconds = () => (now() - startMs) / 1000
  const add = (more: Partial<ReadingUsage>) => {
    usage = sum(usage, more)
  }
  // Ends what is under way when the reading ends for any reason.
  const ending = new AbortController()
  const ends = AbortSignal.any([signal, ending.signal])
  const waits = new LiveWaits()
  const writer = new CheckpointWriter(checkpoints)
  const silence = new Silence()
  const warningLog = new WarningLog(saved?.warnings)

  const spent = spentBefore(usage, log?.conversations)
  const context = createReadingContext({
    model: options.limits ? withinLimits(model, options.limits, profile.budget.window, spent) : model,
    profile,
    tokenizer,
    seed,
    sampling,
    concurrency: options.concurrency,
    acceptsSilence: options.acceptsSilence,
    signal: ends,
    onWait: (wait) => waits.add(wait),
    memoryLog: log?.memories,
    journal: log?.conversations,
    onMemoryLogged: ({ step, text }, index) => writer.append({ type: 'memory', index, step, text }),
    onJournal: (key, { text, reasoning, usage, finishReason }) => {
      const result: ChatResult = { text, reasoning, usage, finishReason }
      writer.append({ type: 'conversation', sequence, key, result })
    },
    emit: (event) => {
      pending.push(event)
      if (event.type === 'memory-end' && event.origin === 'kept') add({ keptMemories: 1 })
      else if (event.type === 'warning') warningLog.add(event)
    },
    onResult: (result, conversation) => {
      silence.add(result)
      options.onConversation?.(conversation, result)
      const { usage: tokens = noTokens } = result
      add({ calls: 1, ...tokens })
      stepUsage = {
        promptTokens: stepUsage.promptTokens + tokens.promptTokens,
        completionTokens: stepUsage.completionTokens + tokens.completionTokens,
      }
    },
  })
  const source = new ChunkSource({
    document,
    profile,
    tokenizer,
    position: saved?.position,
    signal: ends,
    requiresText: !options.allowEmpty,
    onRemark: (remark) =>
      context.emit({ type: 'warning', step: Math.max(0, source.position.ordinal - 1), ...remark }),
    onChunk: (chunk) => {
      handedOut.push(chunk)
    },
  })
  const flush = () => {
    const events = pending
    pending = []
    return events
  }
  const save = (answer?: Answer, warnings = warningLog.warnings) => {
    const checkpoint: Checkpoint = {
      version: checkpointVersion,
      identity,
      sequence,
      steps,
      position: source.position,
      state,
      usage,
      seconds: seconds(),
      memoryLogLength: context.memoryLog.length,
      isDone,
      warnings,
      ...(answer ? { answer } : {}),
    }
    writer.save(checkpoint)
  }
  /** Counts the chunks read since the last step, saves, and tells. */
  const endStep = () => {
    const [endMs, chunks] = [now(), handedOut]
    handedOut = []
    sequence++
    for (const [i, { ordinal, tokens, ranges }] of chunks.entries()) {
      const bytes = ranges.reduce((total, { startByte, endByte }) => total + endByte - startByte, 0)
      const isLast = i === chunks.length - 1
      add({ chunkTokens: tokens, bytes })
      steps++
      pending.push({
        type: 'chunk-end',
        step: ordinal,
        tokens,
        bytes,
        ranges,
        usage: isLast ? stepUsage : noTokens,
        seconds: isLast ? (endMs - stepMs) / 1000 : 0,
      })
    }
    context.endStep()
    if (options.replays) writer.append({ type: 'events', sequence, events: pending })
    save()
    stepMs = endMs
    stepUsage = noTokens
    return flush()
  }
  const isSilent = () => steps > 0 && usage.keptMemories >= steps && workflow.memory(state) === ''
  const checkSpoke = () => {
    if (options.acceptsSilence || !isSilent()) return
    throw silence.error(model.name, steps, checkpoints !== undefined)
  }
  const answerEvent = (answer: Answer, warnings: readonly ReadingWarning[]): ReadingEvent => ({
    type: 'answer',
    answer,
    warnings,
    memory: workflow.memory(state),
    steps,
    usage,
    seconds: seconds(),
  })

  yield {
    type: 'reading-start',
    document: document.name,
    sizeBytes: document.sizeBytes,
    model: model.name,
    workflow: workflow.name,
    profile: { name: profile.name, prompts: profile.prompts.name, budget: profile.budget },
    resumedSteps: steps,
    usage,
  }
  if (options.replays) yield* log?.events ?? []
  // Of a document without fingerprint only its text tells that this is its run.
  if (isDone) {
    await source.verify()
    checkSpoke()
  }
  if (saved?.answer) return yield answerEvent(saved.answer, saved.warnings)
  try {
    if (!saved) {
      // What cannot be written is told before anything is spent.
      save()
      await writer.flush()
    }
    if (!isDone && workflow.run) {
      const states = workflow.run(state, (from = 0) => source.open(from), context)
      for await (const next of waits.between(states, signal)) {
        if (next.type === 'wait') yield next
        else {
          state = next.item
          yield* endStep()
        }
      }
      if (handedOut.length > 0) yield* endStep()
    } else if (!isDone) {
      for await (const chunk of source.open(source.position.ordinal)) {
        signal.throwIfAborted()
        const result = yield* waits.during(workflow.read(state, chunk, context), signal)
        state = result.state
        isDone = result.done ?? false
        yield* endStep()
        if (isDone) break
      }
    }
    signal.throwIfAborted()
    isDone = true
    checkSpoke()
    const claim: Answer = isSilent()
      ? { text: '', outcome: 'unsure', isUnusable: true }
      : yield* waits.during(workflow.answer(state, question, context), signal)
    const lastStep = source.position.ordinal - 1
    const { answer, warnings } = settleAnswer(claim, warningLog.warnings, { ...usage, steps, lastStep })
    save(answer, warnings)
    await writer.flush()
    yield* flush()
    yield answerEvent(answer, warnings)
  } catch (error) {
    signal.throwIfAborted()
    // The next run begins behind the text, and counts what these calls took.
    if (NoAnswerError.isInstance(error)) save()
    yield* flush()
    if (MemAgentError.isInstance(error)) throw error
    throw new WorkflowError({
      code: 'workflow/failed',
      message: `The workflow ${workflow.name} failed after step ${steps}: ${error instanceof Error ? error.message : String(error)}`,
      details: { workflow: workflow.name, steps },
      cause: error,
    })
  } finally {
    ending.abort()
    await writer.settle()
  }
}

/** What a checkpoint counts, and the calls of the step that was not finished. */
const spentBefore = (usage: ReadingUsage, calls: ReadonlyMap<string, ChatResult> = new Map()): Spent =>
  [...calls.values()].reduce<ReadingUsage>(
    (sofar, { usage: tokens = noTokens }) => sum(sofar, { calls: 1, ...tokens }),
    usage,
  )

function firstState<State extends Json>(
  workflow: Workflow<State>,
  question: string,
  memory: string | undefined,
): State {
  const state = workflow.init(question)
  if (memory === undefined) return state
  if (workflow.withMemory) return workflow.withMemory(state, memory)
  throw new ConfigurationError({
    code: 'reading/no-start-memory',
    message: `The workflow ${workflow.name} cannot start from a memory.`,
  })
}

function sum(usage: ReadingUsage, more: Partial<ReadingUsage>): ReadingUsage {
  const parts = Object.entries(usage) as [keyof ReadingUsage, number][]
  return Object.fromEntries(
    parts.map(([name, value]) => [name, value + (more[name] ?? 0)]),
  ) as unknown as ReadingUsage
}

/**
 * The reading loop: runs a workflow over a document and tells what happens. After every step the state is saved, so that
 * a killed run goes on at the next chunk; the next chunk is cut while the model reads the present one.
 */
import type { ChatModel, ChatResult, TokenUsage } from '../chat/chat.ts'
import type { ModelProfile } from '../chat/profile.ts'
import { chunkDocument } from '../chunking/chunk-document.ts'
import type { Chunk } from '../chunking/chunker.ts'
import type { Document } from '../documents/document.ts'
import { ConfigurationError } from '../errors.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { overwrite } from '../workflows/overwrite.ts'
import { paperProfile } from '../workflows/paper-prompts.ts'
import type { Json, ReadingContext, Workflow } from '../workflows/workflow.ts'
import {
  type Checkpoint,
  type CheckpointStore,
  checkIdentity,
  checkpointVersion,
  type RunIdentity,
} from './checkpoint.ts'
import { createReadingContext } from './context.ts'
import type { ReadingEvent, ReadingUsage, WorkflowEvent } from './events.ts'
import { prefetch } from './prefetch.ts'
import { checkWindow } from './window.ts'

export interface ReadingOptions<State extends Json = Json> {
  readonly question: string
  readonly document: Document
  readonly model: ChatModel
  /** @default overwrite */
  readonly workflow?: Workflow<State> | undefined
  /** Window, prompts and chunking. @default the model's own, else the paper's */
  readonly profile?: ModelProfile | undefined
  /** @default the model's own, else an estimate */
  readonly tokenizer?: Tokenizer | undefined
  /** @default 0 */
  readonly seed?: number | undefined
  /** @default the profile's */
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly checkpoints?: CheckpointStore | undefined
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. @default performance.now */
  readonly now?: (() => number) | undefined
}

const noUsage: ReadingUsage = {
  promptTokens: 0,
  completionTokens: 0,
  calls: 0,
  chunkTokens: 0,
  bytes: 0,
  keptMemories: 0,
}

/**
 * Reads the document and answers the question.
 * @throws ConfigurationError before the first call when the budget does not fit; ChatError, DocumentError, WorkflowError
 * from below, after the last checkpoint; an abort throws the signal's reason.
 */
export async function* readDocument<State extends Json>(
  options: ReadingOptions<State>,
): AsyncGenerator<ReadingEvent> {
  const { question, document, model, checkpoints } = options
  const now = options.now ?? (() => performance.now())
  const signal = options.signal ?? new AbortController().signal
  const profile = options.profile ?? model.profile ?? paperProfile
  const tokenizer = options.tokenizer ?? model.tokenizer ?? createEstimateTokenizer()
  const workflow = (options.workflow ?? overwrite) as Workflow<State>
  const sampling = {
    temperature: options.temperature ?? profile.sampling?.temperature,
    topP: options.topP ?? profile.sampling?.topP,
  }
  const seed = options.seed ?? 0
  if (question.trim() === '') {
    throw new ConfigurationError({ code: 'reading/no-question', message: 'The question is empty.' })
  }
  await checkWindow({ model, profile, tokenizer, question, signal })

  const identity: RunIdentity = {
    document: (await document.fingerprint?.()) ?? document.name,
    question,
    model: model.name,
    workflow: workflow.name,
    prompts: profile.prompts.name,
    budget: { ...profile.budget },
    chunking: profile.chunking ?? 'natural',
    tokenizer: tokenizer.name,
    seed,
    sampling: JSON.parse(JSON.stringify(sampling)) as Json,
  }
  const checkpoint = await checkpoints?.load()
  if (checkpoint) checkIdentity(checkpoint, identity)

  let state = (checkpoint?.state ?? workflow.init(question)) as State
  let usage = checkpoint?.usage ?? noUsage
  let steps = checkpoint?.steps ?? 0
  let characters = checkpoint?.characters ?? 0
  let isDone = checkpoint?.isDone ?? false
  const earlierSeconds = checkpoint?.seconds ?? 0
  const startMs = now()
  const seconds = () => earlierSeconds + (now() - startMs) / 1000
  const memoryLog = [...(checkpoint?.memoryLog ?? [])]

  let stepUsage: TokenUsage = { promptTokens: 0, completionTokens: 0 }
  let pending: WorkflowEvent[] = []
  const context: ReadingContext = createReadingContext({
    model,
    profile,
    tokenizer,
    seed,
    sampling,
    signal,
    memoryLog,
    emit: (event) => {
      pending.push(event)
      if (event.type === 'memory-end' && event.origin === 'kept')
        usage = { ...usage, keptMemories: usage.keptMemories + 1 }
    },
    onResult: (result: ChatResult) => {
      usage = {
        ...usage,
        calls: usage.calls + 1,
        promptTokens: usage.promptTokens + (result.usage?.promptTokens ?? 0),
        completionTokens: usage.completionTokens + (result.usage?.completionTokens ?? 0),
      }
      stepUsage = {
        promptTokens: stepUsage.promptTokens + (result.usage?.promptTokens ?? 0),
        completionTokens: stepUsage.completionTokens + (result.usage?.completionTokens ?? 0),
      }
    },
  })
  const flush = () => {
    const events = pending
    pending = []
    return events
  }
  const save = async (answer?: Checkpoint['answer']) => {
    await checkpoints?.save({
      version: checkpointVersion,
      identity,
      steps,
      characters,
      state,
      usage,
      seconds: seconds(),
      memoryLog,
      isDone,
      ...(answer ? { answer } : {}),
    })
  }

  yield {
    type: 'reading-start',
    document: document.name,
    sizeBytes: document.sizeBytes,
    model: model.name,
    workflow: workflow.name,
    resumedSteps: steps,
  }
  if (checkpoint?.answer) {
    yield {
      type: 'answer',
      answer: checkpoint.answer,
      memory: workflow.memory(state),
      steps,
      usage,
      seconds: seconds(),
    }
    return
  }

  const openChunks = (fromOrdinal = 0, fromCharacter = 0): AsyncIterable<Chunk> =>
    prefetch(
      chunkDocument(document, {
        maxTokens: profile.budget.chunk,
        mode: profile.chunking,
        tokenizer,
        startAt: { ordinal: fromOrdinal, characters: fromCharacter },
        signal,
      }),
    )
  if (workflow.run && !isDone) {
    for await (const next of workflow.run(state, () => openChunks(), context)) {
      state = next
      steps++
      yield* flush()
      await save()
    }
  } else if (!isDone) {
    let stepMs = now()
    for await (const chunk of openChunks(steps, characters)) {
      signal.throwIfAborted()
      const result = await workflow.read(state, chunk, context)
      state = result.state
      steps++
      characters += chunk.text.length
      isDone = result.done ?? false
      const bytes = chunk.ranges.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0)
      usage = { ...usage, chunkTokens: usage.chunkTokens + chunk.tokens, bytes: usage.bytes + bytes }
      await save()
      yield* flush()
      const endMs = now()
      yield {
        type: 'chunk-end',
        step: chunk.ordinal,
        tokens: chunk.tokens,
        bytes,
        ranges: chunk.ranges,
        usage: stepUsage,
        seconds: (endMs - stepMs) / 1000,
      }
      stepMs = endMs
      stepUsage = { promptTokens: 0, completionTokens: 0 }
      if (isDone) break
    }
  }
  signal.throwIfAborted()
  const answer = await workflow.answer(state, question, context)
  await save(answer)
  yield* flush()
  yield { type: 'answer', answer, memory: workflow.memory(state), steps, usage, seconds: seconds() }
}

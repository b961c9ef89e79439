/**
 * What the baselines share while answering one question: a model whose calls are counted, the context that workflows also
 * have, and how much room a prompt leaves in the window.
 */
import {
  type Answer,
  type BudgetChanges,
  type ChatModel,
  type ChatResult,
  ConfigurationError,
  chooseSampling,
  createReadingContext,
  type Message,
  type ModelProfile,
  type overwrite,
  promptTokens,
  type ReadingContext,
  type Tokenizer,
  type WorkflowEvent,
  withBudget,
} from '@memagent/core'
import type { MethodRequest, MethodResult } from '../method.ts'
import { Meter } from './meter.ts'
import { hasInstructions, methodMarkers, ownPrompts } from './prompts.ts'

/** Less room for text than this is useless. */
const leastRoom = 8

export interface MethodRun {
  readonly profile: ModelProfile
  /** With the prompts of the workflow `overwrite`, for models that know no others. */
  readonly context: ReadingContext<typeof overwrite.prompts>
  /** Neutralized for prompts. */
  readonly question: string
  /** The search query. */
  readonly query: string
  /** Notes taken before the document, neutralized and cut to the memory's budget; undefined if there are none. */
  readonly notes: string | undefined
  /** False for models that know only the structure of their own prompts. */
  readonly followsInstructions: boolean
  /** Counts outside text as it will appear in a prompt. */
  readonly textTokenizer: Tokenizer
  readonly meter: Meter
  /** Changes of the memory, when a workflow's steps were used. */
  readonly memories: readonly MemoryEnd[]
  /** Calls that took notes, and how many results were empty or refused. */
  readonly notesTaken: { readonly calls: number; readonly unusable: number }
  /** Aborted after the answer, or by the caller's signal. */
  readonly signal: AbortSignal
  /** Aborts running work. */
  stop(): void
  /** Tokens that the window has left beside this prompt and its output; negative if they exceed it. */
  roomBeside(messages: readonly Message[], maxTokens: number): Promise<number>
  /** The same, for room that text will fill. @throws ConfigurationError if there is next to none */
  textRoom(messages: readonly Message[], maxTokens: number): Promise<number>
  ask(kind: string, step: number, messages: readonly Message[], maxTokens: number): Promise<ChatResult>
}

export type MemoryEnd = Extract<WorkflowEvent, { type: 'memory-end' }>

/**
 * Answers with `work`, counts its usage, and aborts whatever still runs when it ends.
 * @throws ConfigurationError if the question exceeds its budget, or the server's window is smaller than the profile's; what
 * `work` throws; an abort throws the signal's reason
 */
export async function runMethod(
  request: MethodRequest,
  overrides: BudgetChanges,
  work: (run: MethodRun) => Promise<Omit<MethodResult, 'usage'>>,
): Promise<MethodResult> {
  const ending = new AbortController()
  const signal = request.signal ? AbortSignal.any([request.signal, ending.signal]) : ending.signal
  try {
    signal.throwIfAborted()
    const meter = new Meter(request.model)
    const run = await createMethodRun(request, withBudget(request.profile, overrides), meter, {
      signal,
      stop: () => ending.abort(),
    })
    const result = await work(run)
    signal.throwIfAborted()
    return { ...result, answer: withGaps(result.answer, run.notesTaken), usage: meter.usage }
  } catch (error) {
    request.signal?.throwIfAborted()
    throw error
  } finally {
    ending.abort()
  }
}

/** "Not in the text" is uncertain if the model's notes on some parts were unusable. */
function withGaps(answer: Answer, { calls, unusable }: MethodRun['notesTaken']): Answer {
  if (answer.outcome !== 'not-found' || unusable === 0) return answer
  const isSilent = answer.response === undefined && unusable >= calls
  return { ...answer, outcome: 'unsure', ...(isSilent ? { isUnusable: true } : {}) }
}

async function createMethodRun(
  request: MethodRequest,
  profile: ModelProfile,
  meter: Meter,
  { signal, stop }: Pick<MethodRun, 'signal' | 'stop'>,
): Promise<MethodRun> {
  const { tokenizer } = request
  const { model } = meter
  const { budget } = profile
  const followsInstructions = hasInstructions(profile)
  const prompts = ownPrompts(profile)
  const markers = followsInstructions ? [...new Set([...prompts.markers, ...methodMarkers])] : prompts.markers
  const memories: MemoryEnd[] = []
  const notesTaken = { calls: 0, unusable: 0 }
  const context = createReadingContext({
    model,
    profile,
    prompts: { ...prompts, markers },
    tokenizer,
    sampling: chooseSampling(request.sampling, profile.sampling),
    signal,
    // An empty response is a wrong answer, not a failure.
    acceptsSilence: true,
    emit: (event) => {
      if (event.type === 'warning') {
        if (event.code === 'memory-empty' || event.code === 'memory-refused') notesTaken.unusable++
        request.onWarning?.(event)
      } else if (event.changed) memories.push(event)
    },
    onResult: (result, conversation) => {
      if (conversation.tag.kind !== 'answer') notesTaken.calls++
      request.onConversation?.(conversation, result)
    },
  })
  const question = context.neutralize(request.question)
  const questionTokens = await tokenizer.count(question)
  if (questionTokens > budget.question) {
    throw new ConfigurationError({
      code: 'method/question-too-long',
      message: `The question has ${questionTokens} tokens; the budget allows ${budget.question}.`,
      hint: 'Shorten the question, or raise the question budget of the profile.',
      details: { questionTokens, budget: budget.question },
    })
  }
  await checkServedWindow(model, budget.window, signal)
  const notes = request.memory?.trim() ?? ''
  const roomBeside: MethodRun['roomBeside'] = async (messages, maxTokens) =>
    budget.window - maxTokens - (await promptTokens(model, tokenizer, messages))

  return {
    profile,
    context,
    question,
    query: request.query ?? request.question,
    notes: notes === '' ? undefined : await context.truncate(context.neutralize(notes), budget.memory),
    followsInstructions,
    textTokenizer: {
      name: tokenizer.name,
      isExact: tokenizer.isExact,
      count: (text) => tokenizer.count(context.neutralize(text)),
    },
    meter,
    memories,
    notesTaken,
    signal,
    stop,
    roomBeside,
    async textRoom(messages, maxTokens) {
      const room = await roomBeside(messages, maxTokens)
      if (room >= leastRoom) return room
      throw new ConfigurationError({
        code: 'method/window-too-small',
        message: `The window of ${budget.window} tokens leaves ${Math.max(0, room)} for text beside question, instructions and an output of ${maxTokens}.`,
        hint: 'Raise the window if the model has a larger one, or lower the output.',
        details: { room, maxTokens, ...budget },
      })
    },
    ask: (kind, step, messages, maxTokens) => context.chat({ messages, maxTokens, tag: { step, kind } }),
  }
}

async function checkServedWindow(model: ChatModel, window: number, signal: AbortSignal): Promise<void> {
  const served = (await model.describe?.(signal))?.contextWindow
  if (served === undefined || served >= window) return
  throw new ConfigurationError({
    code: 'method/window-too-small',
    message: `${model.name} is served with a window of ${served} tokens; the method is set up for ${window}.`,
    hint: `Serve the model with a window of at least ${window} tokens, or set the method's window to ${served}.`,
    details: { served, window },
  })
}

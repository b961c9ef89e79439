/** Runs a workflow with a scripted model, and records its conversations and events. */
import type { ChatResult } from '../chat/chat.ts'
import { createScriptedModel, type ScriptedReply } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { ChatError } from '../errors.ts'
import type { CheckpointStore } from '../reading/checkpoint.ts'
import { createReadingContext } from '../reading/context.ts'
import type { ReadingEvent } from '../reading/events.ts'
import { readDocument } from '../reading/reader.ts'
import { hashOf } from '../reading/text-hash.ts'
import { promptsFor } from '../workflows/prompts/prompts.ts'
import type { Conversation, Json, ReadingContext, Workflow, WorkflowEvent } from '../workflows/workflow.ts'
import { contractProfile } from './contract-profile.ts'

export interface RehearsedCall {
  readonly conversation: Conversation
  readonly prompt: string
  /** Number of the call, from 0, in order of arrival. */
  readonly index: number
  /** In `rehearseSteps`: the chunk being read. */
  readonly chunk: number
  /** The response must be a memory or part of one, not a gate or an answer. */
  readonly isMemory: boolean
}
export type Responder = (call: RehearsedCall) => ScriptedReply | Promise<ScriptedReply>

/** A short note, or a boxed answer, that depends on every character of the prompt. */
export const respondByPrompt: Responder = ({ conversation, prompt }) =>
  conversation.tag.kind === 'answer' ? `\\boxed{${hashOf(prompt)}}` : `Noted ${hashOf(prompt)}.`

const otherKinds = new Set(['answer', 'gate', 'query'])

/** Sentences that are all different; `insert` follows every fifth. */
export function contractText(lines: number, insert = ''): string {
  return Array.from(
    { length: lines * 10 },
    (_, i) =>
      `Guest ${i} came on day ${hashOf(String(i)).slice(0, 4)} with a gift.${i % 5 === 4 ? ` ${insert}` : ''}`,
  ).join(' ')
}

export interface Rehearsed {
  readonly events: readonly ReadingEvent[]
  readonly conversations: readonly Conversation[]
  readonly outcome: Outcome
}

export interface Rehearsal {
  readonly workflow: Workflow
  readonly respond: Responder
  readonly text?: string
  /** Null for none. */
  readonly question?: string | null
  readonly checkpoints?: CheckpointStore
  readonly concurrency?: number
  readonly ahead?: number
  readonly signal?: AbortSignal
  /** Aborts after this many chunks. */
  readonly abortAtChunk?: number
  /** This call (from 0) fails. */
  readonly failAtCall?: number
}

export interface Outcome {
  readonly answer: { readonly text: string; readonly outcome: string }
  readonly memory: string
  readonly steps: number
  readonly usage: object
}

/** A whole reading of a text of about ten chunks. */
export async function rehearse(rehearsal: Rehearsal): Promise<Rehearsed> {
  const {
    abortAtChunk,
    failAtCall,
    text = contractText(7),
    question = 'Who came on the last day?',
  } = rehearsal
  const controller = new AbortController()
  const recorder = new Recorder(rehearsal.respond, failAtCall)
  const events: ReadingEvent[] = []
  let chunks = 0
  for await (const event of readDocument({
    question: question ?? undefined,
    document: createTextDocument(text),
    allowEmpty: true,
    model: recorder.model,
    workflow: recorder.watch(rehearsal.workflow),
    checkpoints: rehearsal.checkpoints,
    concurrency: rehearsal.concurrency,
    ahead: rehearsal.ahead,
    signal: rehearsal.signal ?? controller.signal,
  })) {
    events.push(event)
    if (event.type === 'chunk-end' && ++chunks === abortAtChunk) controller.abort(new Error('stopped'))
  }
  const last = events.at(-1)
  if (last?.type !== 'answer' && last?.type !== 'notes')
    throw new ChatError({ code: 'rehearsal/no-answer', message: 'Neither answer nor notes came.' })
  const { memory, steps, usage } = last
  const { text: answer, outcome } = last.type === 'answer' ? last.answer : { text: '', outcome: 'notes' }
  return {
    events,
    conversations: recorder.conversations,
    outcome: { answer: { text: answer, outcome }, memory, steps, usage },
  }
}

/** Some chunks through `read` alone, without a reader; every state is frozen. */
export async function rehearseSteps<State extends Json>(
  workflow: Workflow<State>,
  options: { readonly respond: Responder; readonly chunks: number; readonly question: string | undefined },
): Promise<{
  /** The initial state, and one per chunk. */
  readonly states: readonly State[]
  readonly context: ReadingContext
  readonly conversations: readonly Conversation[]
  readonly events: readonly WorkflowEvent[]
}> {
  const recorder = new Recorder(options.respond)
  const events: WorkflowEvent[] = []
  const step = createReadingContext({
    model: recorder.model,
    profile: contractProfile,
    prompts: promptsFor(workflow, undefined),
    tokenizer: recorder.model.tokenizer!,
    emit: (event) => {
      events.push(event)
    },
  })
  const context = recorder.watchContext(step)
  const states = [frozen(workflow.init(options.question))]
  for (let ordinal = 0; ordinal < options.chunks; ordinal++) {
    recorder.chunk = ordinal
    const text = `Chunk ${ordinal} says ${hashOf(String(ordinal))}.`
    const ranges = [{ source: 'text', startByte: ordinal * 100, endByte: ordinal * 100 + text.length }]
    const { state } = await workflow.read(states.at(-1)!, { ordinal, text, ranges, tokens: 4 }, context)
    states.push(frozen(state))
    step.endStep()
  }
  return { states, context, conversations: recorder.conversations, events }
}

/** The event without its time-dependent fields. */
export function outcomeOf(event: ReadingEvent): object {
  return { ...event, seconds: undefined }
}

/** A scripted model, and a workflow that tells it which conversation is held. */
export class Recorder {
  readonly conversations: Conversation[] = []
  readonly model
  chunk = 0
  /** The model sees only messages; this finds the conversations they belong to. */
  readonly #byMessages = new Map<Conversation['messages'], Conversation>()

  constructor(respond: Responder, failAtCall?: number) {
    const { window: contextWindow } = contractProfile.budget
    this.model = createScriptedModel(
      ({ messages, index }) => {
        const conversation = this.#byMessages.get(messages)!
        this.conversations.push(conversation)
        if (index === failAtCall) {
          return new ChatError({ code: 'rehearsal/failed', message: 'the model is gone' })
        }
        const prompt = messages.map(({ content }) => content).join('\n')
        const isMemory = !otherKinds.has(conversation.tag.kind)
        return respond({ conversation, prompt, index, chunk: this.chunk, isMemory })
      },
      { contextWindow, profile: contractProfile },
    )
  }

  watch(workflow: Workflow): Workflow {
    const { run, unchanged } = workflow
    return {
      name: workflow.name,
      prompts: workflow.prompts,
      init: (question) => workflow.init(question),
      isState: (value, after): value is Json => workflow.isState(value, after),
      memory: (state) => workflow.memory(state),
      read: (state, chunk, context) => workflow.read(frozen(state), chunk, this.watchContext(context)),
      answer: (state, question, context) =>
        workflow.answer(frozen(state), question, this.watchContext(context)),
      ...(unchanged && { unchanged: (state: Json) => unchanged.call(workflow, frozen(state)) }),
      ...(run
        ? {
            run: (state, open, context) =>
              run.call(workflow, frozen(state), open, this.watchContext(context)),
          }
        : {}),
    }
  }

  watchContext(context: ReadingContext): ReadingContext {
    const note = (conversation: Conversation): Conversation => {
      const messages = [...conversation.messages]
      const noted = { ...conversation, messages }
      this.#byMessages.set(messages, noted)
      return noted
    }
    return {
      ...context,
      chat: (conversation): Promise<ChatResult> => context.chat(note(conversation)),
      chatAll: (conversations) => context.chatAll(conversations.map(note)),
    }
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) frozen(part)
  }
  return value
}

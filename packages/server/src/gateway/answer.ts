/** Answers a conversation as planned: by one call, or by a reading. */
import {
  type ConversationRequest,
  checkedResult,
  chooseSampling,
  RateLimitedError,
  type ReadingEvent,
  type Sampling,
  untilAborted,
  type WaitNotice,
  WorkflowError,
} from '@memagent/core'
import type { RunStore } from '@memagent/store'
import type { Owner } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import { type Completion, directCompletion, readCompletion } from './completion.ts'
import type { Plan } from './plan.ts'
import { readConversation } from './read-conversation.ts'

export interface AnswerOptions {
  readonly sampling: Sampling
  readonly owner: Owner
  /** The path of the request. */
  readonly route: string
  readonly store?: RunStore | undefined
  readonly signal: AbortSignal
  /** Called with the id of the run that is kept. */
  readonly onRun?: ((id: string) => void) | undefined
  readonly onEvent?: ((event: ReadingEvent) => void) | undefined
  /** Called with each memory as it is written, or with the model's reasoning. */
  readonly onReasoning: (text: string) => Promise<void>
}

/** @throws like `readConversation` and `ChatModel.generate` */
export async function answer(
  plan: Plan,
  { maxTokens }: Pick<ConversationRequest, 'maxTokens'>,
  served: ServedModel,
  { sampling, owner, route, store, signal, onReasoning, onRun, onEvent }: AnswerOptions,
): Promise<Completion> {
  if (plan.kind === 'direct') {
    const { maxTokens: most } = plan
    const chosen = chooseSampling(sampling, served.reading?.sampling, served.profile.sampling)
    const call = { ...chosen, maxTokens: most, ...withShortPatience(signal) }
    // A model may not listen to the signal. What it throws is for the log alone.
    const given = await untilAborted(served.model.generate(plan.messages, call), signal)
    const result = checkedResult(served.model.name, given)
    if (result.reasoning) await onReasoning(result.reasoning)
    return directCompletion(result, most)
  }
  const { concurrency, ahead, limits } = served.reading ?? {}
  const reading = { sampling: chooseSampling(sampling, served.reading?.sampling), concurrency, ahead, limits }
  const options = { ...reading, maxTokens, owner, route, store, signal, onRun }
  for await (const event of readConversation(plan, served, options)) {
    onEvent?.(event)
    const reasoning = reasoningOf(event)
    if (reasoning !== undefined) await onReasoning(reasoning)
    if (event.type === 'answer') return readCompletion(event, plan)
  }
  throw new WorkflowError({ code: 'workflow/no-answer', message: 'The reading ended without an answer.' })
}

/** How long a client waits if the model's server limits the rate of requests. */
const mostWaitSeconds = 10

/** For a single call: its client can retry, and cannot know why nothing comes. Readings wait longer. */
function withShortPatience(signal: AbortSignal) {
  const limited = new AbortController()
  let waited = 0
  const onWait = ({ code, seconds }: WaitNotice) => {
    waited += seconds
    if (code !== 'chat/rate-limited' || waited <= mostWaitSeconds) return
    const message = 'The server of the model limits the rate of requests.'
    limited.abort(new RateLimitedError({ code, message, details: { retryAfterMs: 1000 * seconds } }))
  }
  return { signal: AbortSignal.any([signal, limited.signal]), onWait }
}

/** Each memory begins with its step, so that a reader can tell them apart. */
const reasoningOf = (event: ReadingEvent): string | undefined =>
  event.type === 'memory-end' && event.changed
    ? `After chunk ${event.step + 1}:\n${event.memory}\n\n`
    : undefined

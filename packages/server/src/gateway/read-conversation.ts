/** Reads a conversation that does not fit the window. */
import {
  type ConversationReadingOptions,
  conversationReading,
  MemAgentError,
  messageOf,
  type ReadingEvent,
  readDocument,
  withoutKeys,
} from '@memagent/core'
import type { RunFailure, RunStore } from '@memagent/store'
import { conversationSettings } from '../runs/run-settings.ts'
import type { Owner } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import { ownReplies } from './own-replies.ts'
import { ownRun } from './own-runs.ts'
import type { ReadingPlan } from './plan.ts'

export interface ReadConversationOptions extends ConversationReadingOptions {
  /** Whose runs are continued, and whose replies are reused if the model allows it. */
  readonly owner: Owner
  /** The path of the request. */
  readonly route: string
  /** Keeps the run, so that an equal request continues where an earlier one stopped. */
  readonly store?: RunStore | undefined
  /** Called with the id of that run. */
  readonly onRun?: ((id: string) => void) | undefined
  readonly signal: AbortSignal
}

/**
 * The events of the reading; with a store, the answer is stored before it is yielded.
 * @throws like `readDocument`; an abort throws the signal's reason, and what was read is kept
 */
export async function* readConversation(
  plan: ReadingPlan,
  served: ServedModel,
  { store, onRun, owner, route, ...options }: ReadConversationOptions,
): AsyncGenerator<ReadingEvent> {
  const { model, workflow } = served
  const reading = conversationReading(plan, served, options)
  const run = store?.begin({
    question: plan.question,
    document: plan.document.name,
    model: model.name,
    workflow: workflow.name,
    settings: conversationSettings({ owner, route }),
  })
  const cache = run && served.reading?.usesCache ? ownReplies(run.replies, owner) : undefined
  let hasBegun = false
  let failure: RunFailure | undefined
  try {
    for await (const event of readDocument({ ...reading, checkpoints: run && ownRun(run, owner), cache })) {
      if (!hasBegun && run?.id !== undefined) onRun?.(run.id)
      hasBegun = true
      if (event.type === 'answer') await run?.finish(event)
      yield event
    }
  } catch (error) {
    failure = failureOf(error, options.signal)
    if (hasBegun || !isInUse(error)) throw error
    // Another request is reading the same run, so this one reads without it.
    yield* readDocument(reading)
  } finally {
    // Does nothing after the answer.
    await run?.stop(failure)
  }
}

const isInUse = (error: unknown): boolean =>
  MemAgentError.isInstance(error) && error.code === 'store/run-in-use'

/** The failure to store with a run that stopped here. */
function failureOf(error: unknown, { aborted }: AbortSignal): RunFailure {
  if (aborted) return { code: 'interrupted', message: 'The client went away, or the server stopped.' }
  const code = MemAgentError.isInstance(error) ? error.code : 'unexpected'
  return { code, message: withoutKeys(messageOf(error)) }
}

/** Reads a conversation that does not fit the window. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ConversationReadingOptions,
  conversationReading,
  hideAddresses,
  MemAgentError,
  type ReadingEvent,
  readDocument,
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

/** How often to look whether an equal request has ended. */
const pollMs = 500

/**
 * The events of the reading; with a store, the answer is stored before it is yielded. If an equal request is being read, waits for
 * it: what that paid for is then in the cache. Without a cache, reads on its own.
 * @throws like `readDocument`; an abort throws the signal's reason, and what was read is kept
 */
export async function* readConversation(
  plan: ReadingPlan,
  served: ServedModel,
  options: ReadConversationOptions,
): AsyncGenerator<ReadingEvent> {
  for (;;) {
    try {
      return yield* readUnlessRead(plan, served, options)
    } catch (error) {
      if (!(error instanceof ReadByAnother)) throw error
      await untilFree(error.run, options)
    }
  }
}

class ReadByAnother extends Error {
  readonly run: string

  constructor(run: string) {
    super(`The run ${run} is read for another request.`)
    this.run = run
  }
}

/** @throws ReadByAnother before any event; the rest as `readConversation` */
async function* readUnlessRead(
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
    const other = hasBegun ? undefined : runInUse(error)
    if (other === undefined) throw error
    if (cache) throw new ReadByAnother(other)
    yield* readDocument(reading)
  } finally {
    // Does nothing after the answer.
    await run?.stop(failure)
  }
}

/** The run that another request is reading, if that is the error. */
const runInUse = (error: unknown): string | undefined =>
  MemAgentError.isInstance(error) && error.code === 'store/run-in-use'
    ? (error.details as { readonly id: string }).id
    : undefined

/** @throws the signal's reason */
async function untilFree(
  run: string,
  { store, signal }: Pick<ReadConversationOptions, 'store' | 'signal'>,
): Promise<void> {
  // A run that was erased is free, too.
  const isRead = () =>
    store!.load(run).then(
      ({ state }) => state === 'running',
      () => false,
    )
  while (await isRead()) {
    await sleep(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** The failure to store with a run that stopped here. */
function failureOf(error: unknown, { aborted }: AbortSignal): RunFailure {
  if (aborted) return { code: 'interrupted', message: 'The client went away, or the server stopped.' }
  const code = MemAgentError.isInstance(error) ? error.code : 'unexpected'
  return { code, message: hideAddresses(error instanceof Error ? error.message : String(error)) }
}

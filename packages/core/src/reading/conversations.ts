/** How a step holds its conversations: one at a time or several, in its turn or ahead of it. */
import type { ChatResult } from '../chat/chat.ts'
import type { ConcurrencyLimit } from '../chat/concurrency-limit.ts'
import type { Message } from '../chat/message.ts'
import { WorkflowError } from '../errors.ts'
import { aCount, aText, listOf, objectOf, optional } from '../json-shape.ts'
import type { Conversation, ConversationTag, ReadingContext } from '../workflows/workflow.ts'
import { type ConversationPlaces, keyOf } from './conversation-key.ts'
import type { Journal } from './journal.ts'

export interface StepRules {
  readonly places: ConversationPlaces
  readonly journal: Journal
  /** Only for a step ahead: steps that end before it. */
  readonly aheadOf?: number | undefined
  /** Shared by all steps. A single conversation of a step in its turn does not wait for it. */
  readonly limit: ConcurrencyLimit
  /** Aborts when nothing more may be asked. */
  readonly signal: AbortSignal
  hold(conversation: Conversation, place: string, abort: AbortSignal): Promise<ChatResult>
  /** Called with results in the workflow's order. */
  report(result: ChatResult, conversation: Conversation, key: string): void
}

interface Held {
  readonly conversation: Conversation
  readonly result: ChatResult
  readonly key: string
  /** It is in the log. */
  readonly isLogged: boolean
}

export function createConversations(rules: StepRules): Pick<ReadingContext, 'chat' | 'chatAll'> {
  const { places, journal, limit, signal, aheadOf } = rules

  const hold = async (
    conversation: Conversation,
    place: string,
    abort: AbortSignal,
    isKept: boolean,
    fail: (error: unknown) => void = () => undefined,
  ): Promise<Held> => {
    const key = keyOf(place, conversation)
    const known = journal.get(key)
    if (known) return { conversation, result: known, key, isLogged: true }
    const work = () =>
      rules.hold(conversation, place, abort).catch((error) => {
        // Before the slot is released, so that nothing starts after a failure.
        fail(error)
        throw error
      })
    const result = isKept ? await limit(work, abort) : await work()
    if (isKept) journal.add(key, result, aheadOf)
    return { conversation, result, key, isLogged: isKept }
  }
  const report = ({ conversation, result, key }: Held): ChatResult => {
    rules.report(result, conversation, key)
    return result
  }
  const chat = async (conversation: Conversation) => {
    checkConversation(conversation)
    const isAhead = aheadOf !== undefined
    if (!isAhead) journal.goOn()
    const held = await hold(conversation, places.of(conversation), signal, isAhead)
    const result = report(held)
    if (!held.isLogged) journal.took(held.key, result)
    return result
  }

  const chatAll = async (conversations: readonly Conversation[]) => {
    const [only] = conversations
    if (only && conversations.length === 1) return [await chat(only)]
    conversations.forEach(checkConversation)
    if (aheadOf === undefined) journal.goOn()
    // The first failure aborts the others, and is thrown once none is running.
    const failing = new AbortController()
    const abort = AbortSignal.any([signal, failing.signal])
    let failure: { readonly error: unknown } | undefined
    const all = await Promise.all(
      conversations.map(async (conversation) => {
        try {
          const fail = (error: unknown) => failing.abort(error)
          return await hold(conversation, places.of(conversation), abort, true, fail)
        } catch (error) {
          failure ??= { error }
          failing.abort(error)
          return undefined
        }
      }),
    )
    signal.throwIfAborted()
    if (failure) throw failure.error
    return (all as Held[]).map(report)
  }
  return { chat, chatAll }
}

const message = objectOf<Message>({ role: aText, content: aText })
const tag = objectOf<ConversationTag>({
  // A question about notes from before the text may have a step before the first.
  step: (value, path) => (Number.isSafeInteger(value) ? undefined : `${path} is no whole number`),
  kind: aText,
  slot: optional(aCount),
  pass: optional(aCount),
})

/** Workflows may be written in JavaScript. @throws WorkflowError naming the field */
function checkConversation({ messages, maxTokens, tag: given }: Conversation): void {
  const problem = listOf(message)(messages, 'messages') ?? aCount(maxTokens, 'maxTokens') ?? tag(given, 'tag')
  if (problem === undefined) return
  throw new WorkflowError({
    code: 'workflow/bad-conversation',
    message: `A workflow asks the model with ${problem}.`,
    hint: 'A conversation is { messages, maxTokens, tag: { step, kind } }: `prompts.messages` makes the first.',
  })
}

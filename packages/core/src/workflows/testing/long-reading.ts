/** Reads a long text through a real client and a stub server, killed wherever a test likes. */
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { ChatModel } from '../../chat/chat.ts'
import { createOpenAICompatibleModel } from '../../chat/openai-compatible.ts'
import type { ModelProfile } from '../../chat/profile.ts'
import { type CheckpointStore, createMemoryCheckpointStore } from '../../reading/checkpoint.ts'
import type { ReadingEvent } from '../../reading/events.ts'
import { readDocument } from '../../reading/reader.ts'
import { createStubServer } from '../../testing/stub-server.ts'
import type { Workflow } from '../workflow.ts'
import { carefulReply, gateFact, gateQuestion } from './careful-model.ts'
import { longDocument } from './long-document.ts'

const charactersPerToken = 4
const countTokens = (text: string) => Math.ceil(text.length / charactersPerToken)
/** What a chat template adds to a message. */
const templateTokens = 8

export const window = 8192
/** Words of the gates, by the share of the text before them. */
export const gates = { 0.2: 'amber', 0.5: 'cedar', 0.8: 'flint' }

export interface LongReading {
  readonly answer: Extract<ReadingEvent, { type: 'answer' }>
  /** Calls made, including repeated ones. */
  readonly calls: number
  /** Calls repeated although the response had come. */
  readonly paidTwice: number
  /** Calls without a response when the reading was killed, over all kills. */
  readonly inFlight: number
  readonly rejected: number
  readonly kills: number
}

export interface LongReadingOptions {
  readonly workflow: Workflow
  readonly tokens: number
  /** @default the paper's */
  readonly profile?: ModelProfile | undefined
  /** The reading is killed while these calls (from 0) are in flight, and resumed. @default none */
  readonly killAt?: readonly number[]
  readonly concurrency?: number
  readonly onEvent?: (event: ReadingEvent) => void
}

export async function readLongText(options: LongReadingOptions): Promise<LongReading> {
  const { workflow, tokens, profile, killAt = [], concurrency, onEvent } = options
  const facts = Object.entries(gates).map(([share, word], i) => [share, gateFact(i + 1, word)])
  const document = longDocument(tokens * charactersPerToken, Object.fromEntries(facts))
  let replied = 0
  const server = await createStubServer({
    contextWindow: window,
    isRecording: false,
    countPrompt: (messages) =>
      messages.reduce((sum, { content }) => sum + templateTokens + countTokens(content), 0),
    respond: ({ messages }) => {
      replied++
      return carefulReply(workflow.name, messages.at(-1)!.content)
    },
  })
  try {
    const checkpoints = createMemoryCheckpointStore()
    const paid = new Set<string>()
    let [calls, paidTwice, inFlight, kills] = [0, 0, 0, 0]
    for (;;) {
      const life = new AbortController()
      const served = createOpenAICompatibleModel({ baseUrl: server.baseUrl, model: 'stub' })
      let waiting = 0
      const model: ChatModel = {
        ...served,
        async generate(messages, call) {
          const key = hash('sha1', JSON.stringify([messages, call.seed]))
          if (paid.has(key)) paidTwice++
          const isLast = killAt.includes(calls++)
          waiting++
          if (isLast) {
            // A model takes longer than writing a checkpoint.
            await setImmediate()
            kills++
            inFlight += waiting
            life.abort(new Error('killed'))
          }
          const result = await served.generate(messages, call)
          waiting--
          paid.add(key)
          return result
        },
      }
      const answer = await answerOf(
        readDocument({
          question: gateQuestion,
          document,
          model,
          profile,
          tokenizer: { name: 'characters', isExact: true, count: countTokens },
          workflow,
          concurrency,
          checkpoints: untilKilled(checkpoints, life.signal),
          signal: life.signal,
        }),
        onEvent,
      ).catch((error: unknown) => {
        if (!life.signal.aborted) throw error
      })
      if (answer) return { answer, calls, paidTwice, inFlight, kills, rejected: server.callCount - replied }
    }
  } finally {
    await server.close()
  }
}

/** A killed process writes nothing more. */
const untilKilled = (store: CheckpointStore, signal: AbortSignal): CheckpointStore => ({
  ...store,
  save: async (checkpoint) => {
    if (!signal.aborted) await store.save(checkpoint)
  },
  append: async (entries) => {
    if (!signal.aborted) await store.append(entries)
  },
})

async function answerOf(events: AsyncIterable<ReadingEvent>, onEvent?: (event: ReadingEvent) => void) {
  let last: ReadingEvent | undefined
  for await (const event of events) {
    onEvent?.(event)
    last = event
  }
  return last?.type === 'answer' ? last : undefined
}

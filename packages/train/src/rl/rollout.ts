/**
 * Rollouts: a policy reads a sample's document with a workflow, as in inference, and every conversation is recorded with its
 * tokens and log-probabilities.
 */
import {
  type ByteRange,
  type ConversationTag,
  endsInClosedBox,
  type Gates,
  type Json,
  type ModelProfile,
  type Recall,
  rangeOf,
  readDocument,
  type Sampling,
  statedAnswer,
  type Workflow,
} from '@memagent/core'
import type { Sample, Task } from '@memagent/tasks'
import type { FrozenPolicy, TokenSequence } from '../policy/policy.ts'
import { createPolicyChatModel } from './policy-chat-model.ts'
import type { ReaderTokens } from './reader-tokens.ts'

/** One conversation of a rollout, exactly as the policy had it. */
export interface RecordedConversation extends TokenSequence {
  readonly tag: ConversationTag
  /** Limit of the response. */
  readonly maxTokens: number
  /** Whether the response ran into that limit. */
  readonly isCut: boolean
  /** Whether the workflow could not use the response: it lacked the requested form and changed nothing. @default false */
  readonly isMalformed?: boolean | undefined
}

export interface Rollout {
  readonly conversations: readonly RecordedConversation[]
  /** The answer as a person would read it. Undefined: "not in the text"; empty: neither that nor an answer. */
  readonly answer: string | undefined
  /** Whether the final response ends in a closed box, as rewards require; true if there was no final response. */
  readonly isBoxed: boolean
  /** The memory after each chunk or, with a workflow that merges, after each merge. */
  readonly memories: readonly string[]
  /** [memories] The model's decisions, if its workflow has gates and could use the response. */
  readonly gates: readonly (Gates | undefined)[]
  /** [memories] What was looked up among old memories, if its workflow does that. */
  readonly recalls: readonly (Recall | undefined)[]
  /** The byte range of each chunk, in the order of reading. */
  readonly chunks: readonly ByteRange[]
  /** Whether part of the document was not read. */
  readonly endedEarly: boolean
  /** How often the document was read, and the most it could be. */
  readonly passes: { readonly read: number; readonly most: number }
  /** Unusable rewrites, after which the previous memory was kept. */
  readonly keptMemories: number
  /** The task's score of `answer`; a `Reward` decides what it earns. */
  readonly metrics: Readonly<Record<string, number>>
}

export interface RolloutOptions {
  readonly task: Task
  readonly sample: Sample
  readonly workflow: Workflow<Json>
  readonly profile: ModelProfile
  readonly tokens: ReaderTokens
  readonly policy: Pick<FrozenPolicy, 'sample'>
  readonly sampling: Sampling
  /** Called after every chunk with the share of the document read, 0..1, if known. */
  readonly onRead?: ((share: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Rolls out one reading of a sample. @throws what reading throws: such an error ends the run; it is not a wrong answer */
export async function rollOut(options: RolloutOptions): Promise<Rollout> {
  const { task, sample, tokens, profile, policy } = options
  const model = createPolicyChatModel({ name: 'policy', policy, tokens, profile })
  const conversations: RecordedConversation[] = []
  const memories: string[] = []
  const gates: (Gates | undefined)[] = []
  const recalls: (Recall | undefined)[] = []
  const chunks: ByteRange[] = []
  const malformed = new Set<string>()
  let keptMemories = 0
  let answer: string | undefined
  let isBoxed = true
  let endedEarly = false
  let [readBytes, mostPasses] = [0, 1]
  for await (const event of readDocument({
    question: sample.question,
    document: sample.document,
    model,
    workflow: options.workflow,
    memory: sample.memory,
    sampling: options.sampling,
    signal: options.signal,
    // An empty response is rewarded like any other.
    acceptsSilence: true,
    // A sample without text is fine too: there is nothing to find.
    allowEmpty: true,
    onConversation: ({ tag, maxTokens }, { tokens, finishReason }) => {
      // The policy's chat model returns tokens with every result.
      conversations.push({ ...tokens!, tag, maxTokens, isCut: finishReason.unified === 'length' })
    },
  })) {
    if (event.type === 'reading-start') {
      mostPasses = event.passes ?? 1
    } else if (event.type === 'chunk-end') {
      readBytes += event.bytes
      chunks.push(rangeOf(event))
      const { sizeBytes } = sample.document
      if (sizeBytes) options.onRead?.(Math.min(1, readBytes / sizeBytes))
    } else if (event.type === 'warning' && event.malformed) {
      malformed.add(placeOf(event.malformed))
    } else if (event.type === 'memory-end') {
      memories.push(event.memory)
      gates.push(event.gates)
      recalls.push(event.recall)
      keptMemories += Number(event.origin === 'kept')
    } else if (event.type === 'answer') {
      const { response } = event.answer
      endedEarly = event.unread !== undefined
      answer = statedAnswer(event.answer)
      isBoxed = response === undefined || endsInClosedBox(response)
    }
  }
  return {
    conversations: conversations.map((one) =>
      malformed.has(placeOf(one.tag)) ? { ...one, isMalformed: true } : one,
    ),
    answer,
    isBoxed,
    memories,
    gates,
    recalls,
    chunks,
    endedEarly,
    passes: { read: 1 + Math.max(0, ...conversations.map(({ tag }) => tag.pass ?? 0)), most: mostPasses },
    keptMemories,
    metrics: task.score(sample, answer),
  }
}

/** Identifies a conversation within its rollout, and its counterparts at the same place in other rollouts. */
export const placeOf = ({ kind, step, slot = 0, pass = 0 }: ConversationTag) =>
  [kind, step, slot, pass].join('/')

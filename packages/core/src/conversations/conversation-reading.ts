/** The options of `readDocument` for a planned reading of a conversation. */
import { withBudget } from '../chat/profile.ts'
import type { Sampling } from '../chat/sampling.ts'
import type { ReadingOptions } from '../reading/options.ts'
import type { Json } from '../workflows/workflow.ts'
import type { ConversationReader } from './conversation-turn.ts'
import type { ReadingPlan } from './plan-conversation.ts'

export interface ConversationReadingOptions extends Pick<ReadingOptions, 'concurrency' | 'ahead' | 'limits'> {
  readonly sampling?: Sampling | undefined
  /** The most tokens of the answer; the model's budget may allow fewer. */
  readonly maxTokens?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Also finds the passages that statements come from. */
export function conversationReading(
  { question, document }: Pick<ReadingPlan, 'question' | 'document'>,
  { model, profile, workflow }: ConversationReader,
  { sampling, maxTokens, signal, concurrency, ahead, limits }: ConversationReadingOptions,
): ReadingOptions<Json> {
  const output = Math.min(maxTokens ?? Number.POSITIVE_INFINITY, profile.budget.output)
  return {
    question,
    document,
    model,
    workflow,
    profile: withBudget(profile, { output }),
    mostAnswerTokens: maxTokens,
    sampling,
    concurrency,
    ahead,
    limits,
    provenance: true,
    signal,
  }
}

/** How the losses of tokens are averaged into one: the weight of each conversation's tokens. */

/**
 * - `token-mean`: every response token of the batch weighs the same, 1 / T (DAPO, MemAgent).
 * - `conversation-mean`: the mean over conversations of their token means.
 * - `rollout-mean`: the mean over rollouts of the mean over all their tokens.
 * - `conversation-sum`: the mean over conversations of their token sums over a constant length (Dr. GRPO).
 */
export type LossAggregation = 'token-mean' | 'conversation-mean' | 'rollout-mean' | 'conversation-sum'

export interface ConversationSize {
  /** Which rollout it belongs to, by any key. */
  readonly rollout: unknown
  /** Response tokens. */
  readonly tokens: number
}

/**
 * The weight of each token of conversation i in the loss of the batch, given all conversations of the optimizer batch.
 * @param constantLength what `conversation-sum` divides by
 * @returns [conversations]
 */
export function tokenWeights(
  conversations: readonly ConversationSize[],
  aggregation: LossAggregation,
  constantLength = 1,
): number[] {
  const count = conversations.length
  switch (aggregation) {
    case 'token-mean': {
      const total = conversations.reduce((sum, { tokens }) => sum + tokens, 0)
      return conversations.map(() => 1 / total)
    }
    case 'conversation-mean':
      return conversations.map(({ tokens }) => 1 / (count * tokens))
    case 'conversation-sum':
      return conversations.map(() => 1 / (count * constantLength))
    case 'rollout-mean': {
      const totals = new Map<unknown, number>()
      for (const { rollout, tokens } of conversations)
        totals.set(rollout, (totals.get(rollout) ?? 0) + tokens)
      return conversations.map(({ rollout }) => 1 / (totals.size * totals.get(rollout)!))
    }
  }
}

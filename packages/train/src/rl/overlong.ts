/** Shaping of responses that come close to their limit: a soft punishment instead of a cliff. */

export interface OverlongOptions {
  /** Tokens before the limit in which the punishment grows from 0 to 1. */
  readonly buffer: number
  /** What the punishment is multiplied by before it is added to the reward. */
  readonly coefficient: number
}

/**
 * DAPO's soft overlong punishment (arXiv 2503.14476, equation 13) of one response: 0 up to `limit - buffer` tokens, then
 * linearly down to -1 at the limit.
 */
export function overlongPunishment(tokens: number, limit: number, buffer: number): number {
  if (tokens <= limit - buffer) return 0
  return tokens >= limit ? -1 : (limit - buffer - tokens) / buffer
}

/**
 * What is added to a rollout's reward: the mean punishment over its conversations, times the coefficient.
 * @param responses tokens and limit of each conversation
 */
export function overlongReward(
  responses: readonly { readonly tokens: number; readonly limit: number }[],
  { buffer, coefficient }: OverlongOptions,
): number {
  if (responses.length === 0) return 0
  const sum = responses.reduce(
    (total, { tokens, limit }) => total + overlongPunishment(tokens, limit, buffer),
    0,
  )
  return (coefficient * sum) / responses.length
}

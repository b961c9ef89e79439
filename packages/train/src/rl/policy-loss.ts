/**
 * The loss of Multi-Conv DAPO for one token, and its derivative with respect to the token's log-probability. An engine needs
 * only this derivative, so the loss is the same on every engine.
 */

export interface PolicyLossOptions {
  /** The ratio is clipped to [1 - clipLow, 1 + clipHigh] (DAPO's clip-higher: 0.2 and 0.28; MemAgent: 0.2 and 0.2). */
  readonly clipLow: number
  readonly clipHigh: number
  /**
   * Bound of the loss for negative advantages, as a multiple of the advantage (dual clip, arXiv 1912.09729; verl: 3).
   * Undefined: none.
   */
  readonly dualClip?: number | undefined
  /** Coefficient of the KL term. MemAgent: 0.001. */
  readonly klCoefficient: number
}

export interface TokenLoss {
  /** Before weighting: -min(r A, clip(r) A) + beta * k3 */
  readonly loss: number
  /** d loss / d logprob */
  readonly gradient: number
  /** r = exp(logprob - oldLogprob) */
  readonly ratio: number
  /** k3 estimate of KL(policy || reference); 0 without a reference. */
  readonly kl: number
  readonly isClippedLow: boolean
  readonly isClippedHigh: boolean
  readonly isDualClipped: boolean
}

/**
 * -min(r A, clip(r, 1 - low, 1 + high) A) + beta * k3 (MemAgent, arXiv 2507.02259, equation 4; DAPO, arXiv 2503.14476,
 * equation 8).
 * @param logprob of the token under the policy being trained
 * @param oldLogprob under the policy that sampled it
 * @param referenceLogprob under the frozen reference; undefined leaves the KL term out
 */
export function tokenLoss(
  logprob: number,
  oldLogprob: number,
  referenceLogprob: number | undefined,
  advantage: number,
  options: PolicyLossOptions,
): TokenLoss {
  const ratio = Math.exp(logprob - oldLogprob)
  const isClippedHigh = advantage > 0 && ratio > 1 + options.clipHigh
  const isClippedLow = advantage < 0 && ratio < 1 - options.clipLow
  const isDualClipped = advantage < 0 && options.dualClip !== undefined && ratio > options.dualClip
  const bound = isClippedHigh
    ? 1 + options.clipHigh
    : isClippedLow
      ? 1 - options.clipLow
      : isDualClipped
        ? options.dualClip!
        : ratio
  const isClipped = isClippedHigh || isClippedLow || isDualClipped
  const { kl, derivative } =
    referenceLogprob === undefined || options.klCoefficient === 0
      ? { kl: 0, derivative: 0 }
      : k3(logprob, referenceLogprob)
  return {
    loss: -bound * advantage + options.klCoefficient * kl,
    gradient: (isClipped ? 0 : -ratio * advantage) + options.klCoefficient * derivative,
    ratio,
    kl,
    isClippedLow,
    isClippedHigh,
    isDualClipped,
  }
}

/** Beyond these the estimate is clamped and its derivative is 0 (like verl's `low_var_kl`). */
const largestDifference = 20
const largestKl = 10

/**
 * Schulman's k3 estimate of KL(policy || reference) from one token that the policy sampled: exp(d) - d - 1 with
 * d = reference - policy log-probability. Never negative, 0 when they agree. Its derivative is 1 - exp(d).
 */
export function k3(logprob: number, referenceLogprob: number): { kl: number; derivative: number } {
  const difference = referenceLogprob - logprob
  const bounded = Math.max(-largestDifference, Math.min(largestDifference, difference))
  const kl = Math.exp(bounded) - bounded - 1
  if (kl > largestKl) return { kl: largestKl, derivative: 0 }
  return { kl, derivative: bounded === difference ? 1 - Math.exp(difference) : 0 }
}

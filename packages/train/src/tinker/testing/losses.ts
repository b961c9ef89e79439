/**
 * How a server computes the losses it receives: correctly, or in one of the wrong ways known from real servers. Plain code,
 * kept apart from the client so neither can copy the other's mistakes.
 */
import type { Datum } from '../wire.ts'

/** How token losses are reduced: two ways that servers intend, and others that they have by mistake. */
export type Reduction = 'token-sum' | 'datum-mean' | 'sequence-mean' | 'token-mean' | 'call-mean'

export interface LossBehaviour {
  /**
   * `token-sum` adds all tokens; `datum-mean` is the mean over datums of their masked token means; `sequence-mean` adds
   * the token means; `token-mean` is the mean over all tokens; `call-mean` is `datum-mean` call by call.
   */
  readonly reduction: Reduction
  /** The input that masks. `none`: nothing does; tokens without an advantage count like others. */
  readonly maskKey: 'weights' | 'mask' | 'response_mask' | 'none'
  /** Refuse a datum without a mask whose advantages are all zero. */
  readonly requiresMask: boolean
  /** What `importance_sampling` and `ppo` really compute. */
  readonly policyLoss: 'as-named' | 'cross-entropy' | 'clipped' | 'normalized-advantages'
}

export interface TokenLoss {
  /** [N] the masked term of each token, before any reduction. */
  readonly losses: number[]
  /** [N] minus its derivative by the token's log-probability. */
  readonly coefficients: number[]
  /** Sum of the mask. */
  readonly weight: number
}

/** A request that this server refuses. */
export class LossRefusal extends Error {}

/** @param logprobs [N] of the targets, now */
export function tokenLoss(
  datum: Datum,
  name: string,
  config: Readonly<Record<string, number>>,
  logprobs: readonly number[],
  behaviour: LossBehaviour,
): TokenLoss {
  const inputs = datum.loss_fn_inputs
  const count = logprobs.length
  const dataOf = (key: string) => inputs[key]?.data
  if (dataOf('target_tokens')?.length !== count) throw new LossRefusal('target_tokens have a wrong length')
  const isPolicyLoss = name !== 'cross_entropy'
  const advantages = dataOf('advantages') ?? []
  const mask =
    (isPolicyLoss
      ? behaviour.maskKey === 'none'
        ? undefined
        : dataOf(behaviour.maskKey)
      : dataOf('weights')) ?? logprobs.map(() => 1)
  if (behaviour.requiresMask && isPolicyLoss) {
    const hasMask = ['response_mask', 'mask', 'weights'].some((key) => dataOf(key))
    if (!hasMask && !advantages.some((value) => value !== 0))
      throw new LossRefusal('a datum without any response token')
  }
  const weight = mask.reduce((sum, value) => sum + value, 0)
  if (!isPolicyLoss || behaviour.policyLoss === 'cross-entropy') {
    return {
      losses: logprobs.map((p, t) => -mask[t]! * p),
      coefficients: [...mask],
      weight,
    }
  }
  const q = dataOf('logprobs')
  if (!q || q.length !== count || advantages.length !== count) {
    throw new LossRefusal('logprobs and advantages must have the length of target_tokens')
  }
  const scale =
    behaviour.policyLoss === 'normalized-advantages'
      ? 1 / Math.max(...advantages.map((value) => Math.abs(value)), 1e-9)
      : 1
  const isClipped = name === 'ppo' || behaviour.policyLoss === 'clipped'
  const { clip_low_threshold: low = 0.8, clip_high_threshold: high = 1.2 } = config
  const losses: number[] = []
  const coefficients: number[] = []
  logprobs.forEach((p, t) => {
    const ratio = Math.exp(p - q[t]!)
    const advantage = advantages[t]! * scale
    const plain = ratio * advantage
    const clipped = Math.min(Math.max(ratio, low), high) * advantage
    const isActive = !isClipped || plain <= clipped
    losses.push(-mask[t]! * (isActive ? plain : clipped))
    coefficients.push(isActive ? mask[t]! * plain : 0)
  })
  return { losses, coefficients, weight }
}

/** Factor of a datum's coefficients on arrival, and divisor of the whole gradient at the optimizer step. */
export function reductionFactors(
  reduction: Reduction,
  weight: number,
  callDatums: number,
): { readonly now: number; readonly count: number } {
  const mean = 1 / Math.max(weight, 1e-9)
  switch (reduction) {
    case 'token-sum':
      return { now: 1, count: 0 }
    case 'sequence-mean':
      return { now: mean, count: 0 }
    case 'call-mean':
      return { now: mean / callDatums, count: 0 }
    case 'datum-mean':
      return { now: mean, count: 1 }
    case 'token-mean':
      return { now: 1, count: weight }
  }
}

/**
 * Turns rewards into advantages: how much better a rollout was than the others of its group, which share its question and
 * document. MemAgent, arXiv 2507.02259, section 3.2.
 */
import { ConfigurationError } from '@memagent/core'

export interface AdvantageOptions {
  /**
   * `none`: A = R - mean(R), as in the paper (and Dr. GRPO, arXiv 2503.20783). `deviation`: divided by the group's standard
   * deviation, as in GRPO (arXiv 2402.03300). @default 'none'
   */
  readonly normalization?: 'none' | 'deviation' | undefined
  /**
   * What is subtracted. `group-mean`: as in the paper. `none`: A = R; with rewards of 0 and 1 and ratios of 1, the gradient is
   * that of the log-likelihood of the right rollouts, and wrong ones teach nothing: rejection sampling (arXiv 2308.01825 from
   * the start's rollouts, RAFT, arXiv 2304.06767, from the policy's own). @default 'group-mean'
   */
  readonly baseline?: 'group-mean' | 'none' | undefined
}

/** Added to a deviation before dividing by it, as GRPO's implementations do. */
const deviationFloor = 1e-6

/**
 * @param rewards [G] of the rollouts of one group
 * @returns [G] advantages; all exactly 0 if the rewards are equal, as in a group of one
 * @throws ConfigurationError for a reward that is not a finite number
 */
export function groupAdvantages(rewards: readonly number[], options: AdvantageOptions = {}): number[] {
  const at = rewards.findIndex((reward) => !Number.isFinite(reward))
  if (at >= 0) {
    throw new ConfigurationError({
      code: 'train/reward-not-finite',
      message: `The reward of rollout ${at} of a group is ${rewards[at]}; rewards must be finite numbers.`,
      hint: 'Check what the rewards are computed from.',
    })
  }
  const scale = options.normalization === 'deviation' ? deviation(rewards) + deviationFloor : 1
  return aboveBaseline(rewards, options.baseline).map((value) => value / scale)
}

/** All 0 if the rewards differ only by rounding, even without a baseline: both choices learn from the same groups. */
function aboveBaseline(rewards: readonly number[], baseline: AdvantageOptions['baseline']): number[] {
  if (!hasSignal(rewards)) return rewards.map(() => 0)
  const centre = baseline === 'none' ? 0 : mean(rewards)
  return rewards.map((reward) => reward - centre)
}

/**
 * Combines step rewards with the final one: A = alpha * A_final + (1 - alpha) * A_step, each centred within the group, a step
 * among the same step of the other rollouts (ReMemR1, arXiv 2509.23040, equation 8: alpha = 0.8).
 * @param final [G] advantages of the final rewards
 * @param steps [G] of [steps of that rollout] rewards; rollouts may differ in their number of steps
 * @param same [G] of [steps of that rollout] names; steps of equal names are compared. @default their position
 * @returns [G] of [steps of that rollout]
 */
export function stepAdvantages(
  final: readonly number[],
  steps: readonly (readonly number[])[],
  alpha: number,
  same: readonly (readonly string[])[] = steps.map((rewards) => rewards.map((_, step) => String(step))),
): number[][] {
  const advantages = steps.map((rewards, rollout) => rewards.map(() => alpha * final[rollout]!))
  const all = steps.flatMap((rewards, rollout) =>
    rewards.map((reward, step) => ({ reward, rollout, step, name: same[rollout]![step]! })),
  )
  const byName = new Map<string, typeof all>(all.map(({ name }) => [name, []]))
  for (const one of all) byName.get(one.name)!.push(one)
  for (const compared of byName.values()) {
    aboveBaseline(
      compared.map(({ reward }) => reward),
      'group-mean',
    ).forEach((difference, i) => {
      const { rollout, step } = compared[i]!
      advantages[rollout]![step]! += (1 - alpha) * difference
    })
  }
  return advantages
}

/**
 * Which conversations of a rollout get its advantage. Credit decides only the advantage: all conversations stay in the loss,
 * in its denominator and under its KL term, so the choices differ in nothing else.
 *
 * - `all`: every conversation that led to the answer gets the whole advantage (MemAgent).
 * - `split`: every conversation gets the advantage divided by their number.
 * - `final`: only the answer gets it, which the paper finds insufficient.
 */
export type Credit = 'all' | 'split' | 'final'

/**
 * @param kinds of the rollout's conversations, in order (`update`, `answer`, ...)
 * @returns [conversations] factors of the advantage
 */
export function creditFactors(kinds: readonly string[], credit: Credit): number[] {
  switch (credit) {
    case 'all':
      return kinds.map(() => 1)
    case 'split':
      return kinds.map(() => 1 / kinds.length)
    case 'final':
      return kinds.map((kind) => (kind === 'answer' ? 1 : 0))
  }
}

/** Smaller differences are rounding. */
const leastDifference = 1e-9

/** Whether the rewards of a group differ: equal ones carry no signal (DAPO, arXiv 2503.14476, 3.2). */
export function hasSignal(rewards: readonly number[]): boolean {
  return Math.max(...rewards) - Math.min(...rewards) > leastDifference
}

/** Whether training learns from a conversation. */
export const hasAdvantage = ({ advantage }: { readonly advantage: number }): boolean =>
  Math.abs(advantage) > leastDifference

/** Whether anything can be learned from these conversations. */
export const anyAdvantage = (conversations: readonly { readonly advantage: number }[]): boolean =>
  conversations.some(hasAdvantage)

export const mean = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Population standard deviation. */
export function deviation(values: readonly number[]): number {
  const centre = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)))
}

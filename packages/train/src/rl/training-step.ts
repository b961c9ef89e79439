/** One step of reinforcement learning: rollouts, what they are scored with, and the updates that learn from them. */
import type { Task } from '@memagent/tasks'
import type { Policy } from '../policy/policy.ts'
import type { TrainingConversation } from './batch-loss.ts'
import { learningRateAt, lengthsAt, type RlConfig, rescores } from './config.ts'
import type { OnProgress, TrainingProgress } from './progress.ts'
import { drawRolloutBatch, type Reading, seedOf } from './rollout-batch.ts'
import type { SamplesAhead } from './samples-ahead.ts'
import { describeRollouts, type StepMetrics } from './step-metrics.ts'
import {
  isInstructive,
  rescored,
  splitIntoUpdates,
  trainingConversations,
  withReference,
} from './training-conversations.ts'
import { hasAdvantage, learn, meanDifference } from './update.ts'

export interface TrainingStepOptions {
  readonly config: RlConfig
  readonly policy: Policy
  readonly reading: Reading
  readonly task: Task
  readonly ahead: SamplesAhead
  /** Steps done before. */
  readonly step: number
  /** Samples drawn in all of them. */
  readonly drawnBefore: number
  /** Called as a phase begins. */
  readonly follow: (phase: TrainingProgress['phase']) => OnProgress
  readonly now: () => number
  /** Before each optimizer step. */
  readonly onOptimStep: () => void
  readonly signal?: AbortSignal | undefined
}

/** @throws what reading throws, and what the policy does */
export async function trainStep(
  options: TrainingStepOptions,
): Promise<{ readonly metrics: StepMetrics; readonly samplesDrawn: number }> {
  const { config, policy, step, now, signal } = options
  const startMs = now()
  const credit = { ...config.loss, steps: config.reward.steps }
  const snapshot = await policy.snapshot()
  const batch = await drawRolloutBatch({
    ...config.rollouts,
    ...options.reading,
    sampling: { temperature: config.rollouts.temperature, topP: config.rollouts.topP },
    policy: snapshot,
    task: options.task,
    ahead: options.ahead,
    seed: config.seed,
    lengths: lengthsAt(config, step),
    reward: config.reward,
    isInstructive: (group) => isInstructive(group, credit),
    drawnBefore: options.drawnBefore,
    onProgress: options.follow('rollouts'),
    signal,
  }).finally(() => snapshot.close())
  const generationMs = now()
  const { conversations, samplerMismatch } = await scored(
    trainingConversations(batch.groups, credit),
    options,
  )
  const referenceMs = now()
  const learningRate = learningRateAt(config, step)
  const updates = splitIntoUpdates(conversations, config.updates, seedOf('updates', config.seed, step))
  const { seconds, ...update } = await learn(policy, updates, {
    loss: config.loss,
    optimizer: { ...config.optimizer, learningRate },
    now,
    signal,
    onProgress: options.follow('learning'),
    onOptimStep: options.onOptimStep,
  })
  const metrics: StepMetrics = {
    ...update,
    ...(samplerMismatch === undefined ? {} : { samplerMismatch }),
    ...describeRollouts(batch),
    learningRate,
    seconds: {
      ...seconds,
      generation: (generationMs - startMs) / 1000,
      reference: (referenceMs - generationMs) / 1000,
      total: (now() - startMs) / 1000,
    },
  }
  return { metrics, samplesDrawn: batch.drawn }
}

/**
 * With the log-probabilities that the loss wants beside the sampler's. Where nothing can be learned, nothing is asked for.
 * @returns also how far the sampler's own were off, where they were computed anew
 */
async function scored(
  conversations: readonly TrainingConversation[],
  { config, policy, follow, signal }: TrainingStepOptions,
): Promise<{
  readonly conversations: readonly TrainingConversation[]
  readonly samplerMismatch?: number
}> {
  const wantsReference = config.loss.klCoefficient > 0
  if (!hasAdvantage(conversations) || !(rescores(config) || wantsReference)) return { conversations }
  follow('scoring')({ done: 0, total: conversations.length, share: 0 })
  const referred = (those: readonly TrainingConversation[]) =>
    wantsReference ? withReference(those, policy.reference, signal) : those
  if (!rescores(config)) return { conversations: await referred(conversations) }
  const anew = await rescored(conversations, policy, signal)
  const [sampled, present] = [conversations, anew].map((all) => all.map(({ oldLogprobs }) => oldLogprobs))
  return { conversations: await referred(anew), samplerMismatch: meanDifference(sampled!, present!) }
}

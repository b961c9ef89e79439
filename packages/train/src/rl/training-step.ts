/** One step of reinforcement learning: rollouts, what they are scored with, and the updates that learn from them. */
import { learningRateAt, lengthsAt, rescores } from './config.ts'
import { learn } from './learn.ts'
import { drawRolloutBatch, seedOf } from './rollout-batch.ts'
import { describeRollouts, type StepMetrics } from './step-metrics.ts'
import {
  isInstructive,
  scoreConversations,
  splitIntoUpdates,
  trainingConversations,
} from './training-conversations.ts'
import type { TrainingRun } from './training-run.ts'

/** @throws what reading throws, and what the policy does */
export async function trainStep(
  run: TrainingRun,
): Promise<{ readonly metrics: StepMetrics; readonly samplesDrawn: number }> {
  const { policy, step, now, signal } = run
  const { config, engine, credit } = run.parts
  const startMs = now()

  const snapshot = await policy.snapshot()
  const batch = await drawRolloutBatch({
    ...config.rollouts,
    ...run.reading,
    sampling: { temperature: config.rollouts.temperature, topP: config.rollouts.topP },
    policy: snapshot,
    task: run.parts.task,
    ahead: run.samplesAhead,
    seed: config.seed,
    lengths: lengthsAt(config, step),
    reward: run.parts.reward,
    overlong: config.reward.overlong,
    isInstructive: (group) => isInstructive(group, credit),
    drawnBefore: run.drawn,
    onProgress: run.follow('rollouts'),
    signal,
  }).finally(() => snapshot.close())
  const rolledOutMs = now()

  const conversations = trainingConversations(batch.groups, credit)
  const wanted = { wantsReference: config.loss.klCoefficient > 0, rescores: rescores(config, engine) }
  const onScoring = run.follow('scoring')
  const scored = await scoreConversations(policy, conversations, { ...wanted, onProgress: onScoring, signal })
  const scoredMs = now()

  const learningRate = learningRateAt(config, step)
  const seed = seedOf('updates', config.seed, step)
  const { seconds, ...learned } = await learn(
    policy,
    splitIntoUpdates(scored.conversations, config.updates, seed),
    {
      loss: config.loss,
      optimizer: { ...config.optimizer, learningRate },
      now,
      signal,
      onProgress: run.follow('learning'),
      onOptimStep: run.onOptimStep,
    },
  )
  const { samplerMismatch = learned.samplerMismatch } = scored
  const generation = (rolledOutMs - startMs) / 1000
  const reference = (scoredMs - rolledOutMs) / 1000
  const all = { ...seconds, generation, reference, total: (now() - startMs) / 1000 }
  const metrics = { ...learned, samplerMismatch, ...describeRollouts(batch), learningRate, seconds: all }
  return { metrics, samplesDrawn: batch.drawn }
}

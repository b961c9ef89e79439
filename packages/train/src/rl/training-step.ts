/** One step of reinforcement learning: rollouts, their scoring, and the updates that learn from them. */
import { learningRateAt, stageAt } from '../schedule.ts'
import { rescores } from './config.ts'
import { learn } from './learn.ts'
import { seedOf } from './readings.ts'
import { drawRolloutBatch } from './rollout-batch.ts'
import { type StepResult, stepMetrics } from './step-metrics.ts'
import {
  isInstructive,
  scoreConversations,
  splitIntoUpdates,
  trainingConversations,
} from './training-conversations.ts'
import type { TrainingRun } from './training-run.ts'

/** @throws what reading throws, and what the policy does */
export async function trainStep(run: TrainingRun): Promise<StepResult> {
  const { policy, step, signal, onOptimStep } = run
  const { config, engine, task, reward, credit } = run.parts
  const { loss, rollouts, curriculum } = config
  const startMs = performance.now()

  const isFromStart = rollouts.from === 'start'
  const sampler = isFromStart ? policy.reference : await policy.snapshot()
  const batch = await drawRolloutBatch({
    ...rollouts,
    ...run.reading,
    sampling: { temperature: rollouts.temperature, topP: rollouts.topP },
    policy: sampler,
    task,
    ahead: run.samplesAhead,
    seed: config.seed,
    lengths: stageAt(curriculum, step)!.lengths,
    reward,
    overlong: config.reward.overlong,
    isInstructive: (group) => isInstructive(group, credit),
    drawnBefore: run.drawn,
    onProgress: run.follow('rollouts'),
    signal,
  }).finally(() => (isFromStart ? undefined : sampler.close()))
  const rolledOutMs = performance.now()

  const conversations = trainingConversations(batch.groups, credit)
  const wanted = { wantsReference: loss.klCoefficient > 0, rescores: rescores(config, engine) }
  const onScoring = run.follow('scoring')
  const scored = await scoreConversations(policy, conversations, { ...wanted, onProgress: onScoring, signal })
  const scoredMs = performance.now()

  const updates = splitIntoUpdates(scored.conversations, config.updates, seedOf('updates', config.seed, step))
  const learningRate = learningRateAt(config.optimizer, curriculum, step)
  const optimizer = { ...config.optimizer, learningRate }
  const onProgress = run.follow('learning')
  const learned = await learn(policy, updates, { loss, optimizer, signal, onProgress, onOptimStep })

  const times = { startMs, rolledOutMs, scoredMs, endMs: performance.now() }
  const metrics = stepMetrics(batch, scored, learned, learningRate, times)
  return { metrics, samplesDrawn: batch.drawn }
}

/** Learning rate and lengths of each step, from the configuration. */
import { warmupThenDecay } from '@memagent/engine'
import type { RlConfig } from './config.ts'

export const totalSteps = ({ curriculum }: RlConfig) => curriculum.reduce((sum, { steps }) => sum + steps, 0)

/** Learning rate of step `step` (0-based). */
export const learningRateAt = (config: RlConfig, step: number): number =>
  warmupThenDecay(step, {
    peak: config.optimizer.learningRate,
    final: config.optimizer.finalLearningRate ?? config.optimizer.learningRate,
    warmupSteps: config.optimizer.warmupSteps,
    totalSteps: totalSteps(config),
  })

/** Lengths of the documents at step `step` (0-based). */
export function lengthsAt({ curriculum }: RlConfig, step: number): readonly number[] {
  let first = 0
  for (const stage of curriculum) {
    if (step < first + stage.steps) return stage.lengths
    first += stage.steps
  }
  return curriculum.at(-1)!.lengths
}

/** A warning about a warm-up that is longer than the training. */
export function warmupNotices(config: RlConfig): string[] {
  const { warmupSteps, learningRate } = config.optimizer
  const steps = totalSteps(config)
  if (warmupSteps <= steps) return []
  return [
    `The training of ${steps} ${steps === 1 ? 'step' : 'steps'} ends within its warm-up of ${warmupSteps}: it never has the learning rate of ${learningRate}. Set optimizer.warmupSteps.`,
  ]
}

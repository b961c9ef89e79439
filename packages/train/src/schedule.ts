/** Stages of a training, one after another, and the learning rate of each step. Steps count from 0. */
import { warmupThenDecay } from '@memagent/engine'

interface Stage {
  readonly steps: number
}

interface Rates {
  readonly learningRate: number
  /** @default the same */
  readonly finalLearningRate?: number | undefined
  readonly warmupSteps: number
  /** @default those of the stages */
  readonly decaySteps?: number | undefined
}

export const totalSteps = (stages: readonly Stage[]): number =>
  stages.reduce((sum, { steps }) => sum + steps, 0)

/** Undefined after the last. */
export const stageAt = <One extends Stage>(stages: readonly One[], step: number): One | undefined =>
  stages.find((_, i) => step < totalSteps(stages.slice(0, i + 1)))

export const learningRateAt = (rates: Rates, stages: readonly Stage[], step: number): number =>
  warmupThenDecay(step, {
    peak: rates.learningRate,
    final: rates.finalLearningRate ?? rates.learningRate,
    warmupSteps: rates.warmupSteps,
    totalSteps: rates.decaySteps ?? totalSteps(stages),
  })

/** A warning about a warm-up that is longer than the training. */
export function warmupNotices({ warmupSteps, learningRate }: Rates, stages: readonly Stage[]): string[] {
  const steps = totalSteps(stages)
  if (warmupSteps <= steps) return []
  return [
    `The training of ${steps} ${steps === 1 ? 'step' : 'steps'} ends within its warm-up of ${warmupSteps}: it never has the learning rate of ${learningRate}. Set optimizer.warmupSteps.`,
  ]
}

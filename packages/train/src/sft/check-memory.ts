/** Says which setting makes supervised training larger than the memory of this machine. */
import { ConfigurationError } from '@memagent/core'
import { parameterShapes } from '@memagent/engine'
import { stageAt } from '../schedule.ts'
import type { SftConfig, SftStage } from './config.ts'

/**
 * @throws ConfigurationError for a model with a matrix that cannot be allocated, and for a stage whose attention mask, the
 *   least that a step needs, cannot be
 */
export function checkMemory({ model, stages }: Pick<SftConfig, 'model' | 'stages'>): void {
  for (const [name, shape] of parameterShapes({ ...model, rmsNormEpsilon: 1e-5 })) {
    try {
      new Float32Array(shape.reduce((product, dimension) => product * dimension, 1))
    } catch (cause) {
      throw new ConfigurationError({
        code: 'train/memory',
        message: `The model does not fit into memory: ${name} is ${shape.join(' by ')}.`,
        hint: 'Lower the sizes in model.',
        cause,
      })
    }
  }
  for (const [i, stage] of stages.entries()) {
    try {
      new Float32Array(stage.rows * stage.rowTokens ** 2)
    } catch (cause) {
      throw tooLarge(stage, i, cause)
    }
  }
}

/** @param step counted from 0 @returns for an error of too little memory, one that names the stage of the step; any other as it is */
export function memoryFailure(error: unknown, stages: readonly SftStage[], step: number): unknown {
  const stage = stageAt(stages, step)
  const isOfMemory =
    error instanceof Error &&
    /allocation failed|allocate memory|bad[_ ]alloc|invalid (typed )?array length/i.test(error.message)
  return isOfMemory && stage ? tooLarge(stage, stages.indexOf(stage), error) : error
}

const tooLarge = ({ rows, rowTokens }: SftStage, i: number, cause: unknown) =>
  new ConfigurationError({
    code: 'train/memory',
    message: `A step of stages.${i} does not fit into memory: ${rows} rows of ${rowTokens} tokens.`,
    hint: `Lower stages.${i}.rows, or stages.${i}.rowTokens: memory grows with its square.`,
    details: { stage: i, rows, rowTokens },
    cause,
  })

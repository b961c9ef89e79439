/** Checks how a generator is to compute, before anything starts: with no room for a sequence, it would wait for ever. */
import { EngineError } from '../errors.ts'

/** @throws EngineError naming the option */
export function checkGeneratorOptions(options: {
  readonly threads?: number | undefined
  readonly maxBatch?: number | undefined
}): void {
  checkCount('threads', options.threads)
  checkCount('maxBatch', options.maxBatch)
}

/** @throws EngineError unless it is undefined or a whole number of at least `least` */
export function checkCount(option: string, value: number | undefined, least = 1): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  throw new EngineError({
    code: 'engine/bad-option',
    message: `${option} is ${value}, not a whole number of at least ${least}.`,
    details: { option, value },
  })
}

/** Checks a generator's options up front: with no room for a sequence, it would wait forever. */
import { EngineError } from '../errors.ts'

/** @throws EngineError naming the option */
export function checkGeneratorOptions(options: {
  readonly threads?: number | undefined
  readonly maxBatch?: number | undefined
}): void {
  checkCount('threads', options.threads)
  checkCount('maxBatch', options.maxBatch)
}

/** @throws EngineError unless the value is undefined or an integer of at least `least` */
export function checkCount(option: string, value: number | undefined, least = 1): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  throw new EngineError({
    code: 'engine/bad-option',
    message: `${option} is ${value}, not a whole number of at least ${least}.`,
    details: { option, value },
  })
}

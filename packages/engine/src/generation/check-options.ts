/** Checks a generator's options up front: with no room for a sequence, it would wait forever. */
import { EngineError } from '../errors.ts'

/** @throws EngineError naming the option */
export function checkGeneratorOptions(options: {
  readonly threads?: number | undefined
  readonly maxBatch?: number | undefined
}): void {
  checkThreads(options.threads)
  checkCount('maxBatch', options.maxBatch)
}

/** The runtime starts every thread it is asked for: thousands stall the machine. */
const mostThreads = 256

/** @throws EngineError unless the value is undefined or a number of threads */
export function checkThreads(threads: number | undefined): void {
  checkCount('threads', threads)
  if (threads === undefined || threads <= mostThreads) return
  throw new EngineError({
    code: 'engine/bad-option',
    message: `threads is ${threads}, more than ${mostThreads}.`,
    hint: 'More threads than the machine has cores make nothing faster.',
    details: { option: 'threads', value: threads },
  })
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

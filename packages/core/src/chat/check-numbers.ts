/**
 * Checks the numbers of a server's options. Comparisons with NaN are false, so a call would be retried for ever, without a pause.
 */
import { ConfigurationError } from '../errors.ts'
import type { RetryPolicy } from './retry.ts'

/** @throws ConfigurationError naming the option, unless it is undefined or at least `least` */
function checkNumber(option: string, value: number | undefined, least: number): void {
  if (value === undefined || (typeof value === 'number' && value >= least)) return
  throw new ConfigurationError({
    code: 'chat/bad-option',
    message: `${option} is ${value}, not a number of at least ${least}.`,
    details: { option },
  })
}

/** Infinity means no limit. @throws ConfigurationError */
export function checkRetry({ attempts, patienceMs, baseDelayMs, maxDelayMs }: RetryPolicy): void {
  checkNumber('retry.attempts', attempts, 1)
  checkNumber('retry.patienceMs', patienceMs, 0)
  checkNumber('retry.baseDelayMs', baseDelayMs, 0)
  checkNumber('retry.maxDelayMs', maxDelayMs, 0)
}

/** @throws ConfigurationError */
export function checkServerNumbers(options: {
  readonly timeoutMs?: number | undefined
  readonly idleTimeoutMs?: number | undefined
  readonly contextWindow?: number | undefined
}): void {
  checkNumber('timeoutMs', options.timeoutMs, 1)
  checkNumber('idleTimeoutMs', options.idleTimeoutMs, 1)
  checkNumber('contextWindow', options.contextWindow, 1)
}

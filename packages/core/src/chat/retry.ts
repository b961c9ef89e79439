/**
 * Retries of one call: exponential back-off with full jitter, and the server's own wish where it states one. Whether
 * an error is worth another attempt was decided where it was made (`isRetryable`); nothing is guessed here.
 */
import { ChatError, MemAgentError } from '../errors.ts'
import { timerMs } from './timer-limit.ts'

export interface RetryPolicy {
  /** Attempts in all; 1 never retries. @default 5 */
  readonly attempts?: number | undefined
  /** Upper bound of the first delay; it doubles with every attempt. @default 500 */
  readonly baseDelayMs?: number | undefined
  /** @default 30_000 */
  readonly maxDelayMs?: number | undefined
  /** A server that asks for more patience than this is not waited for. @default 120_000 */
  readonly maxRetryAfterMs?: number | undefined
  /** No attempt starts later than this after the first. @default 1_800_000 */
  readonly maxElapsedMs?: number | undefined
}

/** What is about to be tried again, for progress displays. */
export interface RetryNotice {
  /** The attempt that failed, from 1. */
  readonly attempt: number
  readonly delayMs: number
  readonly error: MemAgentError
}

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export interface RetryEffects {
  readonly random: () => number
  readonly now: () => number
  readonly sleep: Sleep
  readonly signal?: AbortSignal | undefined
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined
}

/** Runs `attempt` until it succeeds, fails for good, or the policy ends. @throws the last error; an abort throws its reason */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  effects: RetryEffects,
): Promise<T> {
  const { attempts = 5, baseDelayMs = 500, maxDelayMs = 30_000 } = policy
  const { maxRetryAfterMs = 120_000, maxElapsedMs = 1_800_000 } = policy
  const start = effects.now()
  for (let count = 1; ; count++) {
    effects.signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      effects.signal?.throwIfAborted()
      if (!MemAgentError.isInstance(error) || !error.isRetryable) throw error
      const asked = error.details.retryAfterMs
      const backOff = effects.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (count - 1))
      const delayMs = typeof asked === 'number' ? asked + backOff / 10 : backOff
      const tooPatient = typeof asked === 'number' && asked > maxRetryAfterMs
      if (count >= attempts || tooPatient || effects.now() - start + delayMs > maxElapsedMs) {
        throw afterAttempts(error, count)
      }
      effects.onRetry?.({ attempt: count, delayMs, error })
      await effects.sleep(delayMs, effects.signal)
    }
  }
}

/** The same error, saying how often it was tried. */
function afterAttempts(error: MemAgentError, attempts: number): MemAgentError {
  if (attempts === 1) return error
  const Kind = error instanceof ChatError ? (error.constructor as typeof ChatError) : ChatError
  return new Kind({
    code: error.code,
    message: `${error.message} (${attempts} attempts)`,
    hint: error.hint,
    details: { ...error.details, attempts },
    isRetryable: error.isRetryable,
    cause: error.cause ?? error,
  })
}

/** Waits; an abort ends the wait at once and throws the signal's reason. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, timerMs(ms))
    signal?.addEventListener('abort', onAbort, { once: true })
  })

/** Milliseconds from `retry-after-ms` or `retry-after` (seconds or an HTTP date); undefined when absent or nonsense. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const milliseconds = headers.get('retry-after-ms')
  if (milliseconds !== null && /^\s*\d+(\.\d+)?\s*$/.test(milliseconds)) return Number(milliseconds)
  const after = headers.get('retry-after')
  if (after === null) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Number(after) * 1000
  const date = Date.parse(after)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * Retries one call: exponential back-off with full jitter, or the wait that the server asks for. Whether an error is worth
 * a retry was decided where it was made (`isRetryable`); nothing is guessed here.
 */
import { ChatError, MemAgentError } from '../errors.ts'
import type { Sleep } from '../waiting.ts'
import type { WaitNotice } from './chat.ts'
import { showDuration, toFlag } from './duration-text.ts'

export interface RetryPolicy {
  /** Total attempts; 1 never retries. @default 5, or as many as the patience allows while the server is busy or away */
  readonly attempts?: number | undefined
  /** How long a call is retried after its first failure, in milliseconds. @default 900_000 */
  readonly patienceMs?: number | undefined
  /** Upper bound of the first delay; it doubles with every attempt. @default 500 */
  readonly baseDelayMs?: number | undefined
  /** @default 60_000 */
  readonly maxDelayMs?: number | undefined
}

export interface RetryEffects {
  readonly call: WaitNotice['call']
  readonly random: () => number
  readonly now: () => number
  readonly sleep: Sleep
  readonly signal?: AbortSignal | undefined
  readonly onWait?: ((wait: WaitNotice) => void) | undefined
}

/** Runs `attempt` until it succeeds, fails for good, or the policy ends. @throws the last error; an abort throws its reason */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  effects: RetryEffects,
): Promise<T> {
  const { patienceMs = 900_000, baseDelayMs = 500, maxDelayMs = 60_000 } = policy
  let firstFailureMs: number | undefined
  let waitedMs = 0
  for (let count = 1; ; count++) {
    effects.signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      effects.signal?.throwIfAborted()
      if (!MemAgentError.isInstance(error) || !error.isRetryable) throw error
      const nowMs = effects.now()
      firstFailureMs ??= nowMs
      // The clock may be set back during a run.
      const elapsedMs = Math.max(waitedMs, nowMs - firstFailureMs)
      const askedMs = error.details.retryAfterMs as number | undefined
      const backOffMs = effects.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (count - 1))
      const delayMs = askedMs === undefined ? backOffMs : askedMs + backOffMs / 10
      const attempts = policy.attempts ?? (isBusy(error) ? Number.POSITIVE_INFINITY : 5)
      if (count >= attempts) throw givenUp(error, { count, elapsedMs })
      if (elapsedMs + delayMs > patienceMs) throw givenUp(error, { count, elapsedMs, patienceMs, askedMs })
      const { code } = error
      const seconds = delayMs / 1000
      effects.onWait?.({ call: effects.call, reason: reasonOf(error), code, seconds, attempt: count + 1 })
      await effects.sleep(delayMs, effects.signal)
      waitedMs += delayMs
    }
  }
}

/** True if only waiting helps: rate limits, a server that is overloaded, restarting or gone, and a stated wait. */
export function isBusy({ code, details }: MemAgentError): boolean {
  const { status, retryAfterMs } = details
  return (
    retryAfterMs !== undefined ||
    code === 'chat/rate-limited' ||
    code === 'chat/unreachable' ||
    status === 502 ||
    status === 503 ||
    status === 529
  )
}

const reasons: Readonly<Record<string, string>> = {
  'chat/rate-limited': 'rate limit',
  'chat/timeout': 'no answer in time',
  'chat/unreachable': 'the server cannot be reached',
  'chat/connection': 'the connection was lost',
  'chat/broken-response': 'the reply was cut off',
  'chat/server-fault': 'a server error',
}

function reasonOf(error: MemAgentError): string {
  const { status } = error.details
  const reason =
    isBusy(error) && typeof status === 'number' && status >= 500 ? 'the server is busy' : undefined
  const named = reason ?? reasons[error.code] ?? error.code
  return typeof status === 'number' ? `${named} (${status})` : named
}

interface Effort {
  readonly count: number
  readonly elapsedMs: number
  /** Set when the patience ran out. */
  readonly patienceMs?: number | undefined
  readonly askedMs?: number | undefined
}

/** The same error, with how long and how often the call was tried, and what wait was asked for. */
function givenUp(error: MemAgentError, { count, elapsedMs, patienceMs, askedMs }: Effort): MemAgentError {
  const tried = elapsedMs < 1000 ? `${count} attempts` : `${count} attempts in ${showDuration(elapsedMs)}`
  const asks =
    patienceMs === undefined || askedMs === undefined
      ? ''
      : `. The server asks for a wait of ${showDuration(askedMs)}, longer than ${elapsedMs < 1000 ? 'the' : 'what is left of the'} patience of ${showDuration(patienceMs)}`
  const message = `${error.message}${count === 1 ? '' : ` (${tried})`}${asks}`
  const longer = toFlag(askedMs === undefined ? 4 * (patienceMs ?? 0) : elapsedMs + askedMs + askedMs / 10)
  const more =
    patienceMs === undefined
      ? undefined
      : `${askedMs === undefined ? 'Run again later' : `Run again in ${showDuration(askedMs)}`}, or raise the patience: --patience ${longer} (in code: retry.patienceMs).`
  const Kind = error instanceof ChatError ? (error.constructor as typeof ChatError) : ChatError
  return new Kind({
    code: error.code,
    message,
    hint: [error.hint, more].filter((part) => part !== undefined).join(' ') || undefined,
    details: { ...error.details, attempts: count, seconds: elapsedMs / 1000 },
    isRetryable: error.isRetryable,
    cause: error.cause,
  })
}

/** Limits how long a tool call waits. */
import { setTimeout } from 'node:timers/promises'

/** @returns undefined if the work takes longer; it continues @throws what the work throws before that */
export async function within<Result extends object | true>(
  ms: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  const timer = new AbortController()
  const late = setTimeout(ms, undefined, timer).catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
  }
}

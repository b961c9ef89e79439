/** A call of a tool waits only so long. */
import { setTimeout } from 'node:timers/promises'

/** @returns undefined: it takes longer, and goes on. @throws what the work throws until then */
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

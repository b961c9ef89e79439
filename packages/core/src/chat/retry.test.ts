import { describe, expect, test } from 'vitest'
import { ChatError, RateLimitedError } from '../errors.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { retryAfterMs, sleep, withRetries } from './retry.ts'

function fault(details: Record<string, unknown> = {}): ChatError {
  return new RateLimitedError({ code: 'x', message: 'slow down', isRetryable: true, details })
}

/** Time stands still but for sleeping. */
function virtualTime(random = 1) {
  const slept: number[] = []
  return {
    slept,
    effects: {
      random: () => random,
      now: () => slept.reduce((sum, ms) => sum + ms, 0),
      sleep: async (ms: number) => void slept.push(ms),
    },
  }
}

describe('withRetries', () => {
  test('doubles the delay up to the cap and ends with the number of attempts', async () => {
    const { slept, effects } = virtualTime()
    const run = withRetries(
      () => Promise.reject(fault()),
      { attempts: 5, baseDelayMs: 100, maxDelayMs: 300 },
      effects,
    )
    await expect(run).rejects.toThrow('slow down (5 attempts)')
    await expect(run).rejects.toBeInstanceOf(RateLimitedError)
    expect(slept).toEqual([100, 200, 300, 300])
  })

  test('draws the delay between nothing and the bound', async () => {
    const { slept, effects } = virtualTime(0.25)
    await withRetries(() => Promise.reject(fault()), { attempts: 2, baseDelayMs: 100 }, effects).catch(
      () => undefined,
    )
    expect(slept).toEqual([25])
  })

  test('waits as long as the server asks, and a little more so that not all come back at once', async () => {
    const { slept, effects } = virtualTime(0.5)
    const results = [fault({ retryAfterMs: 3000 }), 'done']
    const run = async () => {
      const next = results.shift()
      if (next instanceof Error) throw next
      return next
    }
    expect(await withRetries(run, { baseDelayMs: 100 }, effects)).toBe('done')
    expect(slept).toEqual([3005])
  })

  test('gives up at once when the server asks for too much patience, or the time is over', async () => {
    const { slept, effects } = virtualTime()
    const patient = withRetries(
      () => Promise.reject(fault({ retryAfterMs: 5000 })),
      { maxRetryAfterMs: 4000 },
      effects,
    )
    await expect(patient).rejects.toThrow('slow down')
    expect(slept).toEqual([])
    const long = withRetries(() => Promise.reject(fault()), { attempts: 99, maxElapsedMs: 2000 }, effects)
    await expect(long).rejects.toThrow('slow down (3 attempts)')
  })

  test('does not repeat what cannot succeed', async () => {
    const { slept, effects } = virtualTime()
    const error = new ChatError({ code: 'x', message: 'no' })
    await expect(withRetries(() => Promise.reject(error), {}, effects)).rejects.toBe(error)
    expect(slept).toEqual([])
  })

  test('an abort ends a pending wait with its reason', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    const run = withRetries(
      () => Promise.reject(fault({ retryAfterMs: 60_000 })),
      {},
      {
        random: Math.random,
        now: Date.now,
        sleep,
        signal: controller.signal,
      },
    )
    setTimeout(() => controller.abort(reason), 5)
    await expect(run).rejects.toBe(reason)
  })
})

describe('retryAfterMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  test.each([
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%o -> %s', (headers, expected) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(expected)
  })
})

describe('createConcurrencyLimit', () => {
  test('runs at most N at once, in order, and frees the place of a failed task', async () => {
    const limit = createConcurrencyLimit(2)
    const started: number[] = []
    let [active, peak] = [0, 0]
    const tasks = Array.from({ length: 7 }, (_, i) =>
      limit(async () => {
        started.push(i)
        peak = Math.max(peak, ++active)
        await sleep(1)
        active--
        if (i === 1) throw new ChatError({ code: 'x', message: 'failed' })
        return i
      }),
    )
    const results = await Promise.allSettled(tasks)
    expect(peak).toBe(2)
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  })

  test('a task that is aborted while it waits never starts and takes no place', async () => {
    const limit = createConcurrencyLimit(1)
    const controller = new AbortController()
    const first = limit(() => sleep(5))
    const second = limit(async () => 'second', controller.signal)
    controller.abort(new Error('stop'))
    await expect(second).rejects.toThrow('stop')
    expect(await limit(async () => 'third')).toBe('third')
    await first
  })

  test('refuses a number of places that is none', () => {
    expect(() => createConcurrencyLimit(0)).toThrow('concurrency must be a positive integer, not 0')
  })
})

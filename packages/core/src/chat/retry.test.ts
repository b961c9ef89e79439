import { describe, expect, test } from 'vitest'
import { ChatError, RateLimitedError } from '../errors.ts'
import { sleep } from '../waiting.ts'
import type { WaitNotice } from './chat.ts'
import { withRetries } from './retry.ts'

function fault(details: Record<string, unknown> = {}): ChatError {
  return new RateLimitedError({ code: 'chat/rate-limited', message: 'slow down', isRetryable: true, details })
}

/** Time passes only while sleeping. */
function virtualTime(random = 1) {
  const slept: number[] = []
  return {
    slept,
    effects: {
      call: 'chat' as const,
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

  test('draws the delay between zero and the bound', async () => {
    const { slept, effects } = virtualTime(0.25)
    await withRetries(() => Promise.reject(fault()), { attempts: 2, baseDelayMs: 100 }, effects).catch(
      () => undefined,
    )
    expect(slept).toEqual([25])
  })

  test('waits as long as the server asks, plus a little so that not all calls return at once', async () => {
    const { slept, effects } = virtualTime(0.5)
    const results = [fault({ retryAfterMs: 3000 }), 'done']
    const run = async () => {
      const next = results.shift()
      if (next instanceof Error) throw next
      return next
    }
    expect(await withRetries(run, { baseDelayMs: 100 }, effects)).toBe('done')
    expect(slept).toEqual([3025 - 20])
  })

  test('waits a quarter of an hour for a rate limit without a stated wait, a minute at a time', async () => {
    const { slept, effects } = virtualTime()
    const error = await withRetries(() => Promise.reject(fault()), {}, effects).catch((reason) => reason)
    expect(slept.slice(0, 9)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    expect(effects.now()).toBeGreaterThan(14 * 60_000)
    expect(effects.now()).toBeLessThanOrEqual(15 * 60_000)
    expect(error.message).toBe('slow down (21 attempts in 14 min)')
    expect(error.hint).toBe(
      'Run again later, or raise the patience: --patience 60m (in code: retry.patienceMs).',
    )
    expect(error.details).toMatchObject({ attempts: 21 })
  })

  test.each([
    [
      'a server that restarts',
      new ChatError({ code: 'x', message: 'no', isRetryable: true, details: { status: 503 } }),
      15,
    ],
    [
      'a server that went away',
      new ChatError({ code: 'chat/unreachable', message: 'no', isRetryable: true }),
      15,
    ],
    [
      'a fault that may last',
      new ChatError({
        code: 'chat/server-fault',
        message: 'no',
        isRetryable: true,
        details: { status: 500 },
      }),
      5,
    ],
  ])('%s is waited for', async (_, error, leastAttempts) => {
    const { slept, effects } = virtualTime()
    await withRetries(() => Promise.reject(error), {}, effects).catch(() => undefined)
    if (leastAttempts === 5) expect(slept).toHaveLength(4)
    else expect(effects.now()).toBeGreaterThan(14 * 60_000)
  })

  test('fails at once when the server asks for a wait beyond the patience, and names it', async () => {
    const { slept, effects } = virtualTime()
    const hour = fault({ retryAfterMs: 3_600_000 })
    const error = await withRetries(() => Promise.reject(hour), {}, effects).catch((reason) => reason)
    expect(slept).toEqual([])
    expect(error).toBeInstanceOf(RateLimitedError)
    expect(error.message).toBe(
      'slow down. The server asks for a wait of 1 h, longer than the patience of 15 min',
    )
    expect(error.hint).toBe(
      'Run again in 1 h, or raise the patience: --patience 66m (in code: retry.patienceMs).',
    )
    const patient = virtualTime()
    const results = [hour, 'done']
    const run = async () => {
      const next = results.shift()
      if (next instanceof Error) throw next
      return next
    }
    expect(await withRetries(run, { patienceMs: 66 * 60_000 }, patient.effects)).toBe('done')
  })

  test('the patience counts elapsed time by the clock or by the waits, whichever is more', async () => {
    const { effects } = virtualTime()
    const asking = fault({ retryAfterMs: 60_000 })
    const standing = { ...effects, now: () => 0 }
    const error = await withRetries(() => Promise.reject(asking), { patienceMs: 130_000 }, standing).catch(
      (reason) => reason,
    )
    expect(error.message).toMatch(
      /^slow down \(3 attempts in 2 min\)\. The server asks for a wait of 60 s, longer than what is left/,
    )
    let clock = 0
    const slow = { ...effects, now: () => (clock += 100_000) }
    await expect(withRetries(() => Promise.reject(fault()), { patienceMs: 150_000 }, slow)).rejects.toThrow(
      '(3 attempts in 3 min)',
    )
  })

  test('reports every wait before it begins', async () => {
    const { slept, effects } = virtualTime()
    const waits: WaitNotice[] = []
    const told: number[] = []
    const onWait = (wait: WaitNotice) => {
      waits.push(wait)
      told.push(slept.length)
    }
    const failures = [
      fault({ status: 429, retryAfterMs: 12_000 }),
      new ChatError({
        code: 'chat/server-fault',
        message: 'no',
        isRetryable: true,
        details: { status: 503 },
      }),
      new ChatError({ code: 'chat/connection', message: 'no', isRetryable: true }),
    ]
    const run = async () => {
      const next = failures.shift()
      if (next) throw next
    }
    await withRetries(run, {}, { ...effects, random: () => 0.5, onWait })
    expect(told).toEqual([0, 1, 2])
    expect(waits).toEqual([
      { call: 'chat', reason: 'rate limit (429)', code: 'chat/rate-limited', seconds: 12.025, attempt: 2 },
      {
        call: 'chat',
        reason: 'the server is busy (503)',
        code: 'chat/server-fault',
        seconds: 0.5,
        attempt: 3,
      },
      { call: 'chat', reason: 'the connection was lost', code: 'chat/connection', seconds: 1, attempt: 4 },
    ])
  })

  test('does not retry what cannot succeed', async () => {
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
        call: 'chat',
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

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { retrieveFuture } from './futures.ts'
import { Refusals } from './refusals.ts'
import { faultsOf, status } from './testing/faults.ts'
import { scriptedTransport } from './testing/scripted-fetch.ts'
import { openTestPolicy } from './testing/test-policy.ts'
import { request } from './testing/training-example.ts'

describe('a server without room', () => {
  it('is reported after a minute, once for all requests, and again after ten', () => {
    let now = 0
    const notices: string[] = []
    const refusals = new Refusals(
      () => now,
      (message) => notices.push(message),
    )
    const refusedAt = (ms: number, since = 0) => {
      now = ms
      refusals.refused('samples', since)
    }
    refusedAt(0)
    refusedAt(59_999)
    expect(notices).toEqual([])
    refusedAt(61_000)
    refusedAt(61_500, 1000)
    expect(notices).toEqual([
      'The server has had no room for samples for 61 s (429, too many requests); requests are repeated until it has.',
    ])
    refusedAt(661_000)
    expect(notices).toHaveLength(2)
    // Another request, refused for a moment.
    refusedAt(2_000_000, 1_999_000)
    expect(notices).toHaveLength(2)
  })

  it('is reported while a sample waits for it', async () => {
    let now = 0
    const sleep = async (ms: number) => {
      now += ms
    }
    await using test = await openTestPolicy('skyrl-jax', {
      behaviour: { faults: faultsOf('asample', Array(70).fill(status(429))) },
      effects: { sleep, now: () => now },
    })
    const snapshot = await test.policy.snapshot()
    await snapshot.sample(request)
    expect(test.notices).toEqual([expect.stringMatching(/no room for samples for 60 s/)])
  })

  it('is reported while a result is pending', async () => {
    const { transport } = scriptedTransport([...Array(9).fill({ status: 429 }), { body: { value: 7 } }])
    const told: string[] = []
    const result = await retrieveFuture(
      { requestId: 'f', what: 'forward', schema: z.unknown(), resubmit: async () => 'g' },
      {
        transport,
        pollTimeoutMs: 1000,
        futureRead: 'repeatable',
        onNotice: () => undefined,
        refusals: new Refusals(transport.effects.now, (message) => told.push(message)),
      },
    )
    expect(result).toEqual({ value: 7 })
    expect(told).toEqual([expect.stringMatching(/no room for forward for \d+ s/)])
  })
})

import { describe, expect, it } from 'vitest'
import { type Fault, faultsOf, status } from './testing/faults.ts'
import { openTestPolicy } from './testing/test-policy.ts'
import { assertClose, expectedAfter, request, sequences, train } from './testing/training-example.ts'

describe('sampling', () => {
  it('stays within its limit, and waits when the server has no room, longer for a long prompt', async () => {
    const faults = faultsOf('asample', [status(429), undefined, status(429, { 'retry-after-ms': '250' })])
    await using test = await openTestPolicy('skyrl-jax', {
      behaviour: { faults },
      sampling: { maxSamples: 3 },
    })
    const snapshot = await test.policy.snapshot()
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, seed) => snapshot.sample({ ...request, seed })),
    )
    expect(new Set(responses.map(({ tokens }) => tokens.join())).size).toBeGreaterThan(6)
    expect(test.server.peakSamples).toBeLessThanOrEqual(3)
    expect(test.pauses.toSorted((a, b) => a - b)).toEqual([250, 1000])
    expect(test.server.callsOf('asample')[0]!.headers['x-tinker-sampling-backpressure']).toBe('1')
    const numbers = test.server.callsOf('asample').map(({ body }) => Number(body!.seq_id))
    expect(new Set(numbers).size).toBe(12)
    expect(Math.min(...numbers)).toBe(0)

    test.server.setFaults(faultsOf('asample', [status(429)]))
    const long = { ...request, promptTokens: Array(70_000).fill(1) }
    await expect(snapshot.sample(long, AbortSignal.timeout(2000))).rejects.toThrow()
    expect(test.pauses.at(-1)).toBe(5000)
  })

  it('sends stop tokens as a list, and equal seeds give equal responses', async () => {
    await using test = await openTestPolicy('tinker')
    const snapshot = await test.policy.snapshot()
    const [a, b, c] = await Promise.all(
      [7, 7, -8].map((seed) => snapshot.sample({ ...request, seed, stopTokens: [3, 5], maxTokens: 20 })),
    )
    expect(a).toEqual(b)
    expect(a).not.toEqual(c)
    const { sampling_params } = test.server.callsOf('asample')[0]!.body as never as {
      sampling_params: Record<string, unknown>
    }
    expect(sampling_params).toEqual({
      max_tokens: 20,
      temperature: 1,
      top_p: 1,
      top_k: -1,
      seed: 7,
      stop: [3, 5],
    })
  })

  it('is repeated only if the server failed on its own', async () => {
    await using test = await openTestPolicy('tinker')
    const snapshot = await test.policy.snapshot()
    const error = (category: string): Fault => ({
      kind: 'status',
      status: 200,
      body: { error: 'broke', category },
    })
    test.server.setFaults(faultsOf('retrieve_future', [error('server'), error('unknown')]))
    expect((await snapshot.sample(request)).tokens.length).toBe(6)
    test.server.setFaults(faultsOf('retrieve_future', [error('user')]))
    await expect(snapshot.sample(request)).rejects.toMatchObject({ code: 'tinker/request-failed' })
    test.server.setFaults(faultsOf('retrieve_future', [error('server'), error('server'), error('server')]))
    await expect(test.policy.forward(sequences)).rejects.toMatchObject({ code: 'tinker/request-failed' })
  })

  it('stops with the reason of an abort', async () => {
    await using test = await openTestPolicy('skyrl-jax', { behaviour: { jobMs: 20 } })
    const snapshot = await test.policy.snapshot()
    const controller = new AbortController()
    const sampling = snapshot.sample(request, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 3)
    await expect(sampling).rejects.toThrow('enough')
  })

  it('refuses a snapshot whose weights the server has replaced, after finishing running calls', async () => {
    await using test = await openTestPolicy('skyrl-gpu', { behaviour: { jobMs: 5 } })
    const first = await test.policy.snapshot()
    const before = await test.policy.forward(sequences)
    await train(test.policy)
    const underWay = first.logprobs(sequences)
    const second = await test.policy.snapshot()
    assertClose(await underWay, before)
    await expect(first.sample(request)).rejects.toMatchObject({ code: 'tinker/stale-snapshot' })
    assertClose(await second.logprobs(sequences), await expectedAfter('skyrl-gpu'))
    await second.close()
    await expect(second.sample(request)).rejects.toMatchObject({ code: 'tinker/closed' })
  })
})

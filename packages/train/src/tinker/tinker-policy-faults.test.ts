import { describe, expect, it } from 'vitest'
import { type Fault, type Faults, faultsOf, tryAgain } from './testing/faults.ts'
import { openTestPolicy } from './testing/test-policy.ts'
import {
  expectedAfter,
  gradients,
  largestDifference,
  request,
  sequences,
  step,
  train,
} from './testing/training-example.ts'

const expectClose = (
  actual: readonly ArrayLike<number>[],
  expected: readonly ArrayLike<number>[],
  tolerance = 5e-5,
) => expect(largestDifference(actual, expected)).toBeLessThan(tolerance)

const status = (code: number, headers?: Record<string, string>): Fault => ({
  kind: 'status',
  status: code,
  headers,
})
const numbered = ['forward', 'forward_backward', 'optim_step', 'save_weights', 'save_weights_for_sampler']

describe('a policy on a server that fails', () => {
  it('arrives at the same weights through faults of every kind', async () => {
    const submissions = [
      status(503),
      { kind: 'reset' },
      { kind: 'lose-answer' },
      status(429, { 'retry-after': '3' }),
      undefined,
      status(408),
    ] as const
    const polls = [
      tryAgain(),
      { kind: 'reset' },
      status(500),
      status(410),
      status(429),
      { kind: 'lose-answer' },
      status(400),
      tryAgain('paused_rate_limit'),
      status(402),
    ] as const
    const faults: Faults = ({ name, index }) => {
      if (name === 'retrieve_future') return index % 2 ? polls[(index >> 1) % polls.length] : undefined
      return numbered.includes(name) ? submissions[index % submissions.length] : undefined
    }
    await using test = await openTestPolicy('skyrl-jax', { behaviour: { faults }, changes: { maxDatums: 1 } })
    await train(test.policy)
    const snapshot = await test.policy.snapshot()
    const path = await test.policy.saveState('through')
    await train(test.policy)
    test.server.setFaults(undefined)
    expectClose(await test.policy.forward(sequences), await expectedAfter('skyrl-jax', 2))
    expectClose(await snapshot.logprobs(sequences), await expectedAfter('skyrl-jax', 1))
    expect(path).toContain('through')
    // Whatever was sent twice under a number was the same, byte for byte.
    const sent = test.server.calls.filter(
      ({ body }) => body?.seq_id !== undefined && body.model_id !== undefined,
    )
    const byNumber = new Map<unknown, string>()
    for (const { body, bytes } of sent) {
      const content = Buffer.from(bytes).toString()
      expect(byNumber.get(body!.seq_id) ?? content).toBe(content)
      byNumber.set(body!.seq_id, content)
    }
    expect([...byNumber.keys()].sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: byNumber.size }, (_, i) => i + 1),
    )
    expect(test.pauses).toContain(3000)
  })

  it('keeps calls in order that are made at the same time', async () => {
    await using test = await openTestPolicy('skyrl-jax', { changes: { maxDatums: 1 } })
    const { policy } = test
    await Promise.all([
      policy.forward(sequences),
      policy.snapshot(),
      policy.forwardBackward(sequences, gradients),
      policy.saveState('a'),
      policy.forward(sequences),
    ])
    await policy.optimStep(step)
    const numbers = test.server.calls.flatMap(({ name, body }) =>
      numbered.includes(name) ? [body!.seq_id] : [],
    )
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
    expectClose(await policy.forward(sequences), await expectedAfter('skyrl-jax'))
  })

  it('does not repeat a conflict of training calls, and trains no further on weights it does not know', async () => {
    await using test = await openTestPolicy('skyrl-gpu')
    await test.policy.forwardBackward(sequences, gradients)
    test.server.setFaults(faultsOf('forward_backward', [status(409)]))
    await expect(test.policy.optimStep(step)).rejects.toMatchObject({ code: 'tinker/status-409' })
    expect(test.server.callsOf('forward_backward').length).toBe(1)
    expect(test.server.callsOf('optim_step').length).toBe(0)
    await expect(test.policy.forward(sequences)).rejects.toMatchObject({ code: 'tinker/unknown-weights' })
  })

  it('goes on after a request that was the caller’s fault', async () => {
    await using test = await openTestPolicy('tinker')
    const bad = { promptTokens: [1], responseTokens: [9999] }
    await expect(test.policy.forward([bad])).rejects.toThrow('A token is outside the vocabulary')
    await expect(
      test.policy.forwardBackward(sequences, [...gradients.slice(1), Float32Array.of(Number.NaN)]),
    ).rejects.toMatchObject({ code: 'train/gradients' })
    await train(test.policy)
    expectClose(await test.policy.forward(sequences), await expectedAfter('tinker'))
  })

  it('does not compute again what it knows of the present weights, and forgets it with them', async () => {
    await using test = await openTestPolicy('skyrl-jax')
    const forwards = () => test.server.callsOf('forward').length
    const before = await test.policy.forward(sequences)
    before[0]!.fill(0)
    const again = await test.policy.forwardBackward(sequences, gradients)
    expect(forwards()).toBe(1)
    again[1]!.fill(0)
    await test.policy.optimStep(step)
    expectClose(await test.policy.forwardBackward(sequences, gradients), await expectedAfter('skyrl-jax'))
    expect(forwards()).toBe(2)
    await test.policy.optimStep(step)
    expectClose(await test.policy.forward(sequences), await expectedAfter('skyrl-jax', 2))
  })

  it('leaves nothing behind of a batch that was given up', async () => {
    await using test = await openTestPolicy('skyrl-jax', { behaviour: { jobMs: 10 } })
    const controller = new AbortController()
    const given = test.policy.forwardBackward(sequences, gradients, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(given).rejects.toThrow('enough')
    await train(test.policy)
    expectClose(await test.policy.forward(sequences), await expectedAfter('skyrl-jax'))
  })

  it('says that the server has forgotten what was asked', async () => {
    await using test = await openTestPolicy('skyrl-jax', { behaviour: { jobMs: 50, longPollMs: 5 } })
    const asked = test.policy.forward(sequences)
    setTimeout(() => test.server.forgetFutures(), 20)
    await expect(asked).rejects.toMatchObject({
      code: 'tinker/status-404',
      hint: expect.stringContaining('restarted'),
    })
  })
})

describe('results that can be read once', () => {
  const lost: Faults = faultsOf('retrieve_future', [{ kind: 'lose-answer' }])

  it('are computed again when they change nothing', async () => {
    await using test = await openTestPolicy('verl-tinker')
    const before = await test.policy.forward(sequences)
    test.server.setFaults(lost)
    expectClose(await test.policy.forward(sequences), before)
    test.server.setFaults(lost)
    const snapshot = await test.policy.snapshot()
    test.server.setFaults(lost)
    const { tokens } = await snapshot.sample(request)
    expect(tokens.length).toBe(6)
    expectClose(await snapshot.logprobs(sequences), before)
  })

  it('are the end of training when they changed the weights', async () => {
    await using test = await openTestPolicy('verl-tinker')
    await test.policy.forwardBackward(sequences, gradients)
    test.server.setFaults(lost)
    await expect(test.policy.optimStep(step)).rejects.toMatchObject({ code: 'tinker/result-lost' })
    await expect(test.policy.optimStep(step)).rejects.toMatchObject({ code: 'tinker/unknown-weights' })
  })

  it('are waited for by one poll at a time', async () => {
    await using test = await openTestPolicy('verl-tinker', { behaviour: { jobMs: 30, longPollMs: 5 } })
    await Promise.all([test.policy.forward(sequences), test.policy.forward(sequences.slice(1))])
    expect(test.server.callsOf('retrieve_future').length).toBeGreaterThan(4)
  })
})

describe('sampling', () => {
  it('keeps to its limit, and waits when the server has no room: longer with a long prompt', async () => {
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

  it('is repeated when the server failed for reasons of its own, and only then', async () => {
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

  it('refuses a snapshot whose weights the server has replaced, after what was under way', async () => {
    await using test = await openTestPolicy('skyrl-gpu', { behaviour: { jobMs: 5 } })
    const first = await test.policy.snapshot()
    const before = await test.policy.forward(sequences)
    await train(test.policy)
    const underWay = first.logprobs(sequences)
    const second = await test.policy.snapshot()
    expectClose(await underWay, before)
    await expect(first.sample(request)).rejects.toMatchObject({ code: 'tinker/stale-snapshot' })
    expectClose(await second.logprobs(sequences), await expectedAfter('skyrl-gpu'))
    await second.close()
    await expect(second.sample(request)).rejects.toMatchObject({ code: 'tinker/closed' })
  })
})

describe('settings', () => {
  it('without effect on this server are told of once', async () => {
    await using test = await openTestPolicy('skyrl-gpu')
    await train(test.policy)
    await train(test.policy)
    expect(test.notices).toEqual([
      'A server of the profile skyrl-gpu clips by its own configuration: clipNorm 0.5 has no effect.',
      'A server of the profile skyrl-gpu takes beta1, beta2, eps, weight_decay from its own configuration; yours have no effect.',
    ])
    const { adam_params } = test.server.callsOf('optim_step')[0]!.body as { adam_params: unknown }
    expect(adam_params).toEqual({ learning_rate: 0.01 })
  })

  it('that heed the request travel in it, and its gradient norm comes back', async () => {
    await using test = await openTestPolicy('tinker', {
      behaviour: { gradientNormMetric: 'optim/grad_norm:mean' },
    })
    const { gradientNorm } = await train(test.policy)
    expect(gradientNorm).toBeGreaterThan(0.5)
    await test.policy.optimStep({ ...step, clipNorm: Number.POSITIVE_INFINITY })
    const sent = test.server.callsOf('optim_step').map(({ body }) => body!.adam_params)
    const common = { learning_rate: 0.01, beta1: 0.9, beta2: 0.95, eps: 0.1, weight_decay: 0.1 }
    expect(sent).toEqual([
      { ...common, grad_clip_norm: 0.5 },
      { ...common, grad_clip_norm: 0 },
    ])
  })

  it('that cannot be are refused', async () => {
    await expect(openTestPolicy('skyrl-jax', { loraRank: 0 })).rejects.toMatchObject({
      code: 'tinker/tuning',
    })
    await expect(openTestPolicy('verl-tinker', { loraRank: 8 })).rejects.toMatchObject({
      code: 'tinker/tuning',
    })
    await expect(openTestPolicy('skyrl-jax', { baseModel: 'gpt' })).rejects.toMatchObject({
      code: 'tinker/unknown-model',
    })
    await expect(openTestPolicy('skyrl-jax', { restoreFrom: 'tinker://x/weights/y' })).rejects.toMatchObject({
      code: 'tinker/status-404',
    })
    await using test = await openTestPolicy('skyrl-jax')
    await expect(test.policy.saveState('a/b')).rejects.toMatchObject({ code: 'train/state-name' })
  })
})

describe('close', () => {
  it('unloads the model once, ends the heartbeats, and refuses what comes later', async () => {
    await using test = await openTestPolicy('skyrl-jax', { heartbeatMs: 5 })
    await Promise.all([test.policy.close(), test.policy.close()])
    expect(test.server.callsOf('unload_model').length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 10))
    const beats = test.server.callsOf('session_heartbeat').length
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(test.server.callsOf('session_heartbeat').length).toBe(beats)
    await expect(test.policy.forward(sequences)).rejects.toMatchObject({ code: 'tinker/closed' })
  })

  it('tells of a model that could not be unloaded, and is closed all the same', async () => {
    await using test = await openTestPolicy('skyrl-jax')
    test.server.setFaults(faultsOf('unload_model', [status(404)]))
    await test.policy.close()
    expect(test.notices[0]).toContain('could not be unloaded')
  })
})

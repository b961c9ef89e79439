import { describe, expect, it } from 'vitest'
import { type Faults, faultsOf, status, tryAgain } from './testing/faults.ts'
import { openTestPolicy } from './testing/test-policy.ts'
import {
  assertClose,
  expectedAfter,
  gradients,
  request,
  sequences,
  step,
  train,
} from './testing/training-example.ts'

const numbered = ['forward', 'forward_backward', 'optim_step', 'save_weights', 'save_weights_for_sampler']

describe('a policy on a server that fails', () => {
  it('reaches the same weights through every kind of fault', async () => {
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
    assertClose(await test.policy.forward(sequences), await expectedAfter('skyrl-jax', 2))
    assertClose(await snapshot.logprobs(sequences), await expectedAfter('skyrl-jax', 1))
    expect(path).toContain('through')
    // Requests sent twice under one number are the same, byte for byte.
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

  it('keeps concurrent calls in order', async () => {
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
    assertClose(await policy.forward(sequences), await expectedAfter('skyrl-jax'))
  })

  it('does not repeat a training call after a conflict, and stops training on weights in an unknown state', async () => {
    await using test = await openTestPolicy('skyrl-gpu')
    await test.policy.forwardBackward(sequences, gradients)
    test.server.setFaults(faultsOf('forward_backward', [status(409)]))
    await expect(test.policy.optimStep(step)).rejects.toMatchObject({ code: 'tinker/status-409' })
    expect(test.server.callsOf('forward_backward').length).toBe(1)
    expect(test.server.callsOf('optim_step').length).toBe(0)
    await expect(test.policy.forward(sequences)).rejects.toMatchObject({ code: 'tinker/unknown-weights' })
  })

  it('continues after a request that was the caller’s fault', async () => {
    await using test = await openTestPolicy('tinker')
    const bad = { promptTokens: [1], responseTokens: [9999] }
    await expect(test.policy.forward([bad])).rejects.toThrow('A token is outside the vocabulary')
    await expect(
      test.policy.forwardBackward(sequences, [...gradients.slice(1), Float32Array.of(Number.NaN)]),
    ).rejects.toMatchObject({ code: 'train/gradients' })
    await train(test.policy)
    assertClose(await test.policy.forward(sequences), await expectedAfter('tinker'))
  })

  it('caches results for the current weights, and drops them when the weights change', async () => {
    await using test = await openTestPolicy('skyrl-jax')
    const forwards = () => test.server.callsOf('forward').length
    const before = await test.policy.forward(sequences)
    before[0]!.fill(0)
    const again = await test.policy.forwardBackward(sequences, gradients)
    expect(forwards()).toBe(1)
    again[1]!.fill(0)
    await test.policy.optimStep(step)
    assertClose(await test.policy.forwardBackward(sequences, gradients), await expectedAfter('skyrl-jax'))
    expect(forwards()).toBe(2)
    await test.policy.optimStep(step)
    assertClose(await test.policy.forward(sequences), await expectedAfter('skyrl-jax', 2))
  })

  it('leaves nothing of an abandoned batch behind', async () => {
    await using test = await openTestPolicy('skyrl-jax', { behaviour: { jobMs: 10 } })
    const controller = new AbortController()
    const given = test.policy.forwardBackward(sequences, gradients, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(given).rejects.toThrow('enough')
    await train(test.policy)
    assertClose(await test.policy.forward(sequences), await expectedAfter('skyrl-jax'))
  })

  it('reports that the server has forgotten a request', async () => {
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

  it('are computed again if they change no weights', async () => {
    await using test = await openTestPolicy('verl-tinker')
    const before = await test.policy.forward(sequences)
    test.server.setFaults(lost)
    assertClose(await test.policy.forward(sequences), before)
    test.server.setFaults(lost)
    const snapshot = await test.policy.snapshot()
    test.server.setFaults(lost)
    const { tokens } = await snapshot.sample(request)
    expect(tokens.length).toBe(6)
    assertClose(await snapshot.logprobs(sequences), before)
  })

  it('end training if they changed the weights', async () => {
    await using test = await openTestPolicy('verl-tinker')
    await test.policy.forwardBackward(sequences, gradients)
    test.server.setFaults(lost)
    await expect(test.policy.optimStep(step)).rejects.toMatchObject({ code: 'tinker/result-lost' })
    await expect(test.policy.optimStep(step)).rejects.toMatchObject({ code: 'tinker/unknown-weights' })
  })

  it('are polled for one at a time', async () => {
    await using test = await openTestPolicy('verl-tinker', { behaviour: { jobMs: 30, longPollMs: 5 } })
    await Promise.all([test.policy.forward(sequences), test.policy.forward(sequences.slice(1))])
    expect(test.server.callsOf('retrieve_future').length).toBeGreaterThan(4)
  })
})

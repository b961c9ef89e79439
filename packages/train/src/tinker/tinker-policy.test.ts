import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProfileName, tinkerProfiles } from './profiles.ts'
import { openTestPolicy, type TestPolicy } from './testing/test-policy.ts'
import {
  assertClose,
  expectedAfter,
  gradients,
  request,
  sequences,
  step,
  train,
} from './testing/training-example.ts'

describe('forward passes of a policy', () => {
  const passes = ({ server }: TestPolicy) => server.callsOf('forward').length

  it('are not repeated for the gradient of the same tokens, whatever objects hold them', async () => {
    await using test = await openTestPolicy('skyrl-jax')
    const logprobs = await test.policy.forward(sequences)
    const before = passes(test)
    const told = sequences.map((sequence) => ({ ...sequence, advantage: 1 }))
    expect(await test.policy.forwardBackward(told, gradients)).toEqual(logprobs)
    expect(passes(test)).toBe(before)
    // Another prompt before the same response is another sequence.
    const others = sequences.map((sequence) => ({ ...sequence, promptTokens: [...sequence.promptTokens, 1] }))
    await test.policy.forwardBackward(others, gradients)
    expect(passes(test)).toBeGreaterThan(before)
  })
})

describe.each(Object.keys(tinkerProfiles) as ServerProfileName[])('a policy on %s', (name) => {
  let test: TestPolicy
  beforeAll(async () => {
    test = await openTestPolicy(name)
  })
  afterAll(() => test[Symbol.asyncDispose]())

  it('samples from what it computes: log-probabilities of samples and of forward agree', async () => {
    const snapshot = await test.policy.snapshot()
    const responses = await Promise.all([1, 2, 3].map((seed) => snapshot.sample({ ...request, seed })))
    const sampled = responses.map((response) => ({
      promptTokens: request.promptTokens,
      responseTokens: response.tokens,
    }))
    const logprobs = responses.map((response) => response.logprobs!)
    assertClose(await test.policy.forward(sampled), logprobs)
    assertClose(await snapshot.logprobs(sampled), logprobs)
  })

  it('requests an evaluation sample once, and ends with the stop token', async () => {
    const snapshot = await test.policy.snapshot()
    const asked = test.server.callsOf('asample').length
    const greedy = await snapshot.sample({ ...request, temperature: 0 })
    expect(test.server.callsOf('asample').length).toBe(asked + 1)
    expect(greedy.stopReason).toBe('length')
    const stop = greedy.tokens[2]!
    const stopped = await snapshot.sample({ ...request, temperature: 0, stopTokens: [stop] })
    expect(stopped.tokens).toEqual(greedy.tokens.slice(0, greedy.tokens.indexOf(stop) + 1))
    expect(stopped.stopReason).toBe('stop')
  })

  it('takes exactly the step of the sum of all tokens’ gradients, however the batch is split', async () => {
    const before = await test.policy.forward(sequences)
    const snapshot = await test.policy.snapshot()
    assertClose(
      await test.policy.forwardBackward(sequences.slice(0, 2), gradients.slice(0, 2)),
      before.slice(0, 2),
    )
    await test.policy.forwardBackward(sequences.slice(2), gradients.slice(2))
    await test.policy.optimStep(step)
    assertClose(await test.policy.forward(sequences), await expectedAfter(name))
    // Calls of one datum each, against whole batches in the policy above.
    await using split = await openTestPolicy(name, { server: undefined, changes: { maxDatums: 1 } })
    await train(split.policy)
    assertClose(await split.policy.forward(sequences), await test.policy.forward(sequences))
    expect(split.server.callsOf('forward_backward').length).toBeGreaterThanOrEqual(sequences.length)

    // The earlier snapshot has not changed.
    assertClose(await snapshot.logprobs(sequences), before)
    if (tinkerProfiles[name].reference === 'base-sampler') {
      assertClose(await test.policy.reference.logprobs(sequences), before)
    } else {
      await expect(test.policy.reference.logprobs(sequences)).rejects.toThrow('no reference policy')
    }
  })

  it('reports once that the server does not delete saved states, and continues', async () => {
    await using test = await openTestPolicy(name, { behaviour: { deletesCheckpoints: false } })
    for (const state of ['first', 'second']) await test.policy.deleteState(await test.policy.saveState(state))
    expect(test.notices.filter((notice) => notice.includes('does not delete saved states'))).toHaveLength(1)
    await train(test.policy)
  })

  it('continues from a saved state exactly as without the pause', async () => {
    const options = { changes: {}, behaviour: { maxModels: 3 } }
    await using first = await openTestPolicy(name, options)
    await train(first.policy)
    const path = await first.policy.saveState('step-1')
    await train(first.policy)
    await using second = await openTestPolicy(name, { server: first.server, restoreFrom: path })
    await train(second.policy)
    const after = await second.policy.forward(sequences)
    assertClose(after, await first.policy.forward(sequences), 1e-6)
    assertClose(after, await expectedAfter(name, 2))
    if (tinkerProfiles[name].reference === 'base-sampler') {
      assertClose(
        await second.policy.reference.logprobs(sequences),
        await first.policy.reference.logprobs(sequences),
        1e-6,
      )
    }
  })
})

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
    await train(test.policy)
    assertClose(await test.policy.forward(sequences), await expectedAfter(name, 2))
  })

  it('reports once that the server does not delete saved states, and continues', async () => {
    await using test = await openTestPolicy(name, { behaviour: { deletesCheckpoints: false } })
    for (const state of ['first', 'second']) await test.policy.deleteState(await test.policy.saveState(state))
    expect(test.notices.filter((notice) => notice.includes('does not delete saved states'))).toHaveLength(1)
    await train(test.policy)
  })
})

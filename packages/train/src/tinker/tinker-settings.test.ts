import { describe, expect, it } from 'vitest'
import { faultsOf, status } from './testing/faults.ts'
import { openTestPolicy } from './testing/test-policy.ts'
import { sequences, step, train } from './testing/training-example.ts'

describe('settings', () => {
  it('without effect on this server are reported once', async () => {
    await using test = await openTestPolicy('skyrl-gpu')
    await train(test.policy)
    await train(test.policy)
    expect(test.notices).toEqual([
      'A server of the profile skyrl-gpu clips according to its own configuration: clipNorm 0.5 has no effect.',
      'A server of the profile skyrl-gpu takes beta1, beta2, eps, weight_decay from its own configuration; yours have no effect.',
    ])
    const { adam_params } = test.server.callsOf('optim_step')[0]!.body as { adam_params: unknown }
    expect(adam_params).toEqual({ learning_rate: 0.01 })
  })

  it('with effect travel in the request, and the gradient norm comes back', async () => {
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

  it('that are impossible are refused', async () => {
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
  it('unloads the model once, stops the heartbeats, and refuses later calls', async () => {
    await using test = await openTestPolicy('skyrl-jax', { heartbeatMs: 5 })
    await Promise.all([test.policy.close(), test.policy.close()])
    expect(test.server.callsOf('unload_model').length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 10))
    const beats = test.server.callsOf('session_heartbeat').length
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(test.server.callsOf('session_heartbeat').length).toBe(beats)
    await expect(test.policy.forward(sequences)).rejects.toMatchObject({ code: 'tinker/closed' })
  })

  it('reports a model that could not be unloaded, and closes anyway', async () => {
    await using test = await openTestPolicy('skyrl-jax')
    test.server.setFaults(faultsOf('unload_model', [status(404)]))
    await test.policy.close()
    expect(test.notices[0]).toContain('could not be unloaded')
  })
})

import { describe, expect, it } from 'vitest'
import { TinkerConformanceError } from './errors.ts'
import { type ServerProfileName, tinkerProfiles } from './profiles.ts'
import type { ServerBehaviour } from './testing/server-behaviour.ts'
import { openTestPolicy } from './testing/test-policy.ts'

const names = Object.keys(tinkerProfiles) as ServerProfileName[]

/** The check that made the client reject the server; undefined if it trains. */
async function refusal(name: ServerProfileName, behaviour: Partial<ServerBehaviour>): Promise<unknown> {
  try {
    await using _ = await openTestPolicy(name, { behaviour, conformance: 'full' })
    return undefined
  } catch (error) {
    if (error instanceof TinkerConformanceError) return error.details.check
    throw error
  }
}

describe.each(names)('the conformance check of %s', (name) => {
  it('accepts a server that matches its profile, and leaves nothing behind', async () => {
    await using test = await openTestPolicy(name, { conformance: 'full' })
    const [first, second] = test.server.callsOf('create_model')
    expect(second!.body!.model_seq_id).toBe(1)
    expect(first!.body!.base_model).toBe(second!.body!.base_model)
    expect(test.server.callsOf('unload_model').length).toBe(1)
    expect(test.notices).toEqual([])
  })

  const averages = tinkerProfiles[name].reduction === 'datum-mean'
  const byStep = name === 'tinker' || name === 'skyrl-jax'
  const wrong: [string, Partial<ServerBehaviour>, string][] = [
    [
      'the mean over a datum, added up',
      { reduction: 'sequence-mean' },
      averages ? 'datums' : 'token-weights',
    ],
    ['the mean over all tokens', { reduction: 'token-mean' }, averages ? 'datum-weights' : 'datums'],
    ['the mean over the datums of each call', { reduction: 'call-mean' }, averages ? 'calls' : 'datums'],
    averages
      ? ['the sum over all tokens', { reduction: 'token-sum' }, 'datums']
      : ['the mean over datums of token means', { reduction: 'datum-mean' }, 'datums'],
    [
      'cross entropy under the name of importance sampling',
      { policyLoss: 'cross-entropy' },
      byStep ? 'gradient-sign' : 'gradient-scale',
    ],
    ['advantages that it normalizes', { policyLoss: 'normalized-advantages' }, 'gradient-scale'],
    ['steps uphill', { gradientSign: -1 }, 'gradient-sign'],
    ['zeros for log-probabilities of samples', { sampledLogprobs: 'zeros' }, 'zero-logprobs'],
    ['no log-probabilities of samples', { sampledLogprobs: 'none' }, 'sample'],
    ['log-probabilities of prompts that are one token off', { promptLogprobs: 'shifted' }, 'prompt-logprobs'],
    ['too few log-probabilities of prompts', { promptLogprobs: 'wrong-length' }, 'prompt-logprobs'],
    ['another model in training than in the sampler', { forwardOffset: 0.5 }, 'sample'],
  ]
  it.each(wrong)('refuses %s', async (_, behaviour, check) => {
    expect(await refusal(name, behaviour)).toBe(check)
  })
})

describe('the conformance check', () => {
  it('refuses a mask that the server does not know, where the mask decides', async () => {
    expect(await refusal('skyrl-jax', { maskKey: 'mask' })).toBe('token-weights')
    expect(await refusal('skyrl-jax', { maskKey: 'none' })).toBe('token-weights')
  })

  it('rejects a server that requires a mask if the profile has none', async () => {
    expect(await refusal('tinker', { requiresMask: true })).toBe('gradient')
  })

  it('refuses a server that drops the clipping of a request, or clips on its own', async () => {
    expect(await refusal('tinker', { gradientClip: 'none' })).toBe('gradient-clip')
    expect(await refusal('tinker', { gradientClip: 1 })).toBe('gradient-scale')
    expect(await refusal('skyrl-jax', { gradientClip: 1 })).toBe('gradient-scale')
  })

  it('refuses a server that ignores optimizer settings which its profile lists', async () => {
    expect(await refusal('skyrl-jax', { optimizerFields: 'learning-rate' })).toBe('gradient-sign')
  })

  it('rejects unmeasurable gradients, and says how to continue without the check', async () => {
    expect(await refusal('skyrl-gpu', { gradientNormMetric: undefined })).toBe('gradient-norm')
    const behaviour = { gradientNormMetric: undefined }
    await using test = await openTestPolicy('skyrl-gpu', { behaviour, conformance: 'forward' })
    expect(test.server.callsOf('forward_backward')).toEqual([])
  })

  it.each(names)('tolerates the rounding of half precision: %s', async (name) => {
    for (const noise of [0.002, 0.01]) expect(await refusal(name, { noise })).toBeUndefined()
    expect(await refusal(name, { noise: 0.01, reduction: 'sequence-mean' })).toMatch(/token-weights|datums/)
  })

  it('refuses a reference that the server does not have', async () => {
    expect(await refusal('skyrl-jax', { servesBaseModel: false })).toBe('reference')
  })

  it('reports what it found', async () => {
    await expect(
      openTestPolicy('skyrl-jax', { behaviour: { reduction: 'token-sum' }, conformance: 'full' }),
    ).rejects.toThrow(/skyrl-jax says \(datums\): a datum given twice at half the gradient has 1\.\d\d times/)
  })
})

import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy.ts'
import type { TrainingConversation } from './batch-loss.ts'
import { learn } from './learn.ts'

const conversation = (
  advantage: number,
  change: Partial<TrainingConversation> = {},
): TrainingConversation => ({
  promptTokens: [1],
  responseTokens: [2, 3],
  logprobs: Float32Array.of(-1, -2),
  // Far from the reference: the KL term has a gradient.
  referenceLogprobs: Float32Array.of(-3, -0.5),
  advantage,
  rollout: String(advantage),
  ...change,
})

/** Records its calls; after an optimizer step every log-probability is one higher. */
function counting() {
  const calls: string[] = []
  const present = (sequences: readonly { readonly responseTokens: readonly number[] }[]) => {
    const raised = calls.filter((call) => call === 'step').length
    return sequences.map(({ responseTokens }) => Float32Array.from(responseTokens, (_, t) => raised - 1 - t))
  }
  const policy = {
    forward: async (sequences: Parameters<Policy['forward']>[0]) => {
      calls.push('forward')
      return present(sequences)
    },
    forwardBackward: async (sequences: Parameters<Policy['forward']>[0]) => {
      calls.push('backward')
      return present(sequences)
    },
    optimStep: async () => {
      calls.push('step')
      return { gradientNorm: 0.5 }
    },
  } as Partial<Policy> as Policy
  return { policy, calls }
}
const options = {
  loss: { clipLow: 0.2, clipHigh: 0.2, klCoefficient: 0.1, aggregation: 'token-mean' },
  optimizer: { learningRate: 1, beta1: 0.9, beta2: 0.9, epsilon: 1, weightDecay: 0.1, clipNorm: 1 },
} as const

describe('learn', () => {
  it('makes no optimizer step when no answer was better than another, whatever the KL term', async () => {
    const { policy, calls } = counting()
    const metrics = await learn(policy, [[conversation(0)], [conversation(0)]], options)
    expect(calls).toEqual([])
    expect(metrics).toMatchObject({ optimizerSteps: 0, gradientNorm: undefined, samplerMismatch: undefined })
    // The weights have not changed since sampling, so the measurements still hold.
    expect(metrics).toMatchObject({ tokens: 4, entropy: 1.5, clippedHigh: 0, clippedLow: 0 })
  })

  it('learns only from updates with signal, the first of them on-policy', async () => {
    const { policy, calls } = counting()
    const batches = [[conversation(0)], [conversation(1)], [conversation(0)], [conversation(-1)]]
    const metrics = await learn(policy, batches, options)
    expect(calls).toEqual(['backward', 'step', 'forward', 'backward', 'step'])
    expect(metrics).toMatchObject({ tokens: 8, optimizerSteps: 2, gradientNorm: 0.5, samplerMismatch: 0 })
  })

  it('ends where an engine reports a gradient that is not finite', async () => {
    const { policy } = counting()
    const diverging = { ...policy, optimStep: async () => ({ gradientNorm: Number.NaN }) }
    await expect(learn(diverging, [[conversation(1)]], options)).rejects.toMatchObject({
      code: 'engine/diverged',
    })
  })

  it('makes none if every gradient is clipped away', async () => {
    const { policy, calls } = counting()
    // After the first step every ratio is e.
    const batches = [[conversation(1)], [conversation(1)]]
    const loss = { ...options.loss, klCoefficient: 0 }
    const metrics = await learn(policy, batches, { ...options, loss })
    expect(calls).toEqual(['backward', 'step', 'forward'])
    expect(metrics).toMatchObject({ optimizerSteps: 1, clippedHigh: 0.5 })
  })
})

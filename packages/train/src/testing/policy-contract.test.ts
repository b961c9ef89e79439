/** A contract that nothing fails proves nothing: each of these policies breaks one promise and must be caught. */
import { temporaryFolder } from '@memagent/core/testing'
import type { Weights } from '@memagent/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmbeddedPolicy } from '../policy/embedded-policy.ts'
import { loadTrainingState } from '../policy/embedded-state.ts'
import type { Policy, SampleRequest } from '../policy/policy.ts'
import { tinyConfig as config, tinyWeights } from '../tinker/testing/tiny-model.ts'
import { policyContract } from './policy-contract.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const create = (weights: Weights, restoreFrom?: string) =>
  createEmbeddedPolicy({ config, weights, folder: folder.path, threads: 1, batchTokens: 128, restoreFrom })

type Create = (restoreFrom?: string) => Promise<Policy>
const good: Create = (restoreFrom) => create(tinyWeights(1), restoreFrom)

/** A good policy with other verbs in place of some of its own. */
const changed =
  (change: (policy: Policy) => Partial<Policy>): Create =>
  async (restoreFrom) => {
    const policy = await good(restoreFrom)
    return { ...policy, ...change(policy) }
  }
const withSample = (change: (request: SampleRequest) => SampleRequest): Create =>
  changed((policy) => ({
    snapshot: async () => {
      const frozen = await policy.snapshot()
      return { ...frozen, sample: (request, signal) => frozen.sample(change(request), signal) }
    },
  }))
const withGradients = (change: (value: number, sequences: number) => number): Create =>
  changed(({ forwardBackward }) => ({
    forwardBackward: (sequences, gradients, ...rest) =>
      forwardBackward(
        sequences,
        gradients.map((values) => values.map((value) => change(value, sequences.length))),
        ...rest,
      ),
  }))

const sampling = 'samples by its seed, at its temperature,'
const broken: Record<string, { readonly create: Create; readonly caught: string }> = {
  'samples beyond the limit': {
    create: withSample((request) => ({ ...request, maxTokens: 30 })),
    caught: sampling,
  },
  'samples beyond a stop token': {
    create: withSample((request) => ({ ...request, stopTokens: [] })),
    caught: sampling,
  },
  'samples the same for every seed': {
    create: withSample((request) => ({ ...request, seed: 1 })),
    caught: sampling,
  },
  'scores in an order of its own': {
    create: changed(({ forward }) => ({
      forward: (sequences, signal) =>
        forward(
          sequences.toSorted((a, b) => a.responseTokens.length - b.responseTokens.length),
          signal,
        ),
    })),
    caught: 'gives log-probabilities in the requested order',
  },
  'scores although it was told to stop': {
    create: changed(({ forward }) => ({ forward: (sequences) => forward(sequences) })),
    caught: 'stops when told to',
  },
  'climbs instead of descending': {
    create: withGradients((value) => -value),
    caught: 'moves along a gradient',
  },
  'averages what it is to sum': {
    create: withGradients((value, sequences) => value / sequences),
    caught: 'sums gradients over tokens and sequences',
  },
  'takes what is not finite for nothing': {
    create: withGradients((value) => (Number.isNaN(value) ? 0 : value)),
    caught: 'refuses gradients that do not fit or are not finite',
  },
  'decays weights unasked': {
    create: changed(({ optimStep }) => ({ optimStep: (step) => optimStep({ ...step, weightDecay: 0.1 }) })),
    caught: 'is not moved by a gradient of zero',
  },
  'has a learning rate of its own': {
    create: changed(({ optimStep }) => ({ optimStep: (step) => optimStep({ ...step, learningRate: 0.01 }) })),
    caught: 'sums gradients over tokens and sequences',
  },
  'gives snapshots of what it becomes': {
    create: changed(({ snapshot, forward }) => ({
      snapshot: async () => ({ ...(await snapshot()), logprobs: forward }),
    })),
    caught: 'leaves snapshots and the reference unchanged',
  },
  'forgets its optimizer when it is saved': {
    create: async (restoreFrom) => {
      if (restoreFrom === undefined) return good()
      const { weights } = await loadTrainingState(folder.join(restoreFrom))
      return { ...(await create(weights)), reference: (await good()).reference }
    },
    caught: 'continues from a saved state as if nothing had happened',
  },
  'keeps states that it was to delete': {
    create: changed(() => ({ deleteState: async () => undefined })),
    caught: 'deletes a saved state, and no other',
  },
  'stays open': {
    create: changed(() => ({ close: async () => undefined })),
    caught: 'closes its snapshots with it',
  },
}

/** One that the tiny model samples before the limit: another would not show who ignores it. */
const stopToken = 1

describe.each(Object.entries(broken))('a policy that %s', (_, { create, caught }) => {
  it(`fails: ${caught}`, async () => {
    const checks = policyContract({ create, vocabularySize: config.vocabularySize, stopToken })
    const check = checks.find(({ name }) => name.startsWith(caught))
    await expect(check!.run()).rejects.toMatchObject({ name: 'AssertionError' })
  })
})

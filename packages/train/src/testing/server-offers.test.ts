import { describe, expect, it } from 'vitest'
import { resolveProfile } from '../tinker/profiles.ts'
import { startProtocolServer } from '../tinker/testing/protocol-server.ts'
import { type ServerBehaviour, serverBehaviours } from '../tinker/testing/server-behaviour.ts'
import { impatience } from '../tinker/testing/test-policy.ts'
import { askForOffers } from './server-offers.ts'

async function offersOf(name: keyof typeof serverBehaviours, change: Partial<ServerBehaviour> = {}) {
  // One model at a time, like some servers.
  const server = await startProtocolServer({ ...serverBehaviours[name], maxModels: 1, ...change })
  try {
    const { sleep } = impatience()
    const asked = { baseUrl: server.baseUrl, apiKey: 'tml-test', effects: { sleep } }
    return await askForOffers({ ...asked, profile: resolveProfile(name) }, 'tiny-qwen3')
  } finally {
    await server.close()
  }
}

describe('askForOffers', () => {
  it('finds what there is', async () => {
    expect(await offersOf('skyrl-jax')).toEqual({
      loraRank: 8,
      hasReference: true,
      reportsGradientNorm: true,
      wires: ['json', 'proto'],
      missing: [],
    })
    expect(await offersOf('tinker')).toMatchObject({ wires: ['proto', 'json'], reportsGradientNorm: false })
  })

  it('finds what is missing, and why', async () => {
    const offers = await offersOf('skyrl-gpu', { tuning: ['full'], speaksProtobuf: false })
    expect(offers).toMatchObject({ loraRank: 0, hasReference: false, wires: ['json'] })
    expect(offers.missing).toEqual([
      expect.stringMatching(/^LoRA: .*does not train with rank 8/),
      expect.stringMatching(/^a reference: /),
      expect.stringMatching(/^the encoding proto: .*415/),
    ])
  })

  it('fails when the server serves another model or is broken', async () => {
    await expect(offersOf('skyrl-jax', { baseModel: 'another' })).rejects.toMatchObject({
      code: 'tinker/unknown-model',
    })
    await expect(offersOf('skyrl-jax', { tuning: [] })).rejects.toThrow(/does not train with rank 8/)
    await expect(offersOf('skyrl-jax', { apiKey: 'tml-other' })).rejects.toMatchObject({
      details: { status: 401 },
    })
  })
})

import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { SampledResponse, SampleRequest } from '../policy/policy.ts'
import { Lockstep } from './lockstep.ts'

const response: SampledResponse = { tokens: [], logprobs: new Float32Array(), stopReason: 'stop' }

/** Batches of `rollout/request`, as sampled. @param waves of each rollout: how many requests it makes at once, in turn */
async function batchesOf(waves: readonly (readonly number[])[], delay: (rollout: number) => number) {
  const batches: string[][] = []
  let sampling = 0
  const lockstep = new Lockstep(async ({ seed }) => {
    if (sampling++ === 0) batches.push([])
    batches.at(-1)!.push(`${Math.floor(seed / 100)}/${seed % 100}`)
    await setTimeout(seed % 3)
    sampling--
    return response
  }, waves.keys())
  await Promise.all(
    waves.map(async (counts, rollout) => {
      const { sample } = lockstep.of(rollout)
      let made = 0
      for (const count of counts) {
        await setTimeout(delay(rollout))
        const requests = Array.from(
          { length: count },
          () => ({ seed: 100 * rollout + made++ }) as SampleRequest,
        )
        await Promise.all(requests.map((request) => sample(request, undefined)))
      }
      lockstep.end(rollout)
    }),
  )
  return batches
}

describe('rollouts in step', () => {
  const waves = [
    [1, 1, 1],
    [3, 2],
    [2, 1, 4],
  ]
  const expected = [
    ['0/0', '1/0', '1/1', '1/2', '2/0', '2/1'],
    ['0/1', '1/3', '1/4', '2/2'],
    ['0/2', '2/3', '2/4', '2/5', '2/6'],
  ]

  it.each([
    ['the first', 0],
    ['the second', 1],
    ['the third', 2],
  ])('are sampled together with all that each asks at once, when %s is the last to ask', async (_, late) => {
    expect(await batchesOf(waves, (rollout) => (rollout === late ? 9 : 1))).toEqual(expected)
  })
})

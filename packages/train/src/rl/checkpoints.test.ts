import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRunState } from './checkpoints.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const best = { step: 1, score: 0.5, evaluation: 'x', state: 'best-state' }
const state = {
  fingerprint: 'a',
  step: 2,
  evaluatedAt: -1,
  drawn: 4,
  optimizerSteps: 2,
  policy: 'state-a',
  best,
}

async function load(changes: object) {
  await writeFile(folder.join('run.json'), JSON.stringify({ ...state, ...changes }))
  return loadRunState(folder.path, { fingerprint: 'a', parts: { loss: '1', seed: '2' } })
}

describe('the state of a run', () => {
  it('is what run.json says', async () => {
    expect(await load({})).toEqual(state)
    const first = { ...state, best: undefined, content: 'c', evaluatedAt: 2 }
    expect(await load(first)).toEqual(first)
  })

  it('of another run is refused by the parts of the configuration that differ, where it has them', async () => {
    const other = (parts?: object) => load({ fingerprint: 'b', parts })
    await expect(other()).rejects.toThrow(/another configuration or model\.$/)
    await expect(other({ loss: '1', seed: '3' })).rejects.toThrow(
      /another .* model \(what differs: seed\)\.$/,
    )
    await expect(other({ seed: '3' })).rejects.toThrow(/another .* model \(what differs: loss and seed\)\.$/)
  })

  it.each([
    ['step is "two"', { step: 'two' }],
    ['drawn is -1', { drawn: -1 }],
    ['policy is missing', { policy: undefined }],
    ['best.score is null', { best: { ...best, score: null } }],
  ])('is refused by its field where %s', async (problem, changes) => {
    await expect(load(changes)).rejects.toMatchObject({
      code: 'train/checkpoint-damaged',
      message: expect.stringContaining(`run.json is damaged: ${problem}.`),
    })
  })
})

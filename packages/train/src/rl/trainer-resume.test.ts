/** What a training run goes on from, and what it refuses to go on from. */
import { cp, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { loadModelFolder } from '@memagent/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTraining, shortTraining } from '../testing/short-training.ts'
import { makeTinyReader } from '../testing/tiny-reader.ts'
import type { RlConfig } from './config.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let model: string
let expected: Map<string, Float32Array>
const configOf = (name: string, steps = 3, change = ''): RlConfig =>
  shortTraining(folder.join(name), model, change, { steps })
const finalWeights = async ({ output }: RlConfig) => (await loadModelFolder(join(output, 'model'))).weights
const runFile = ({ output }: RlConfig) => join(output, 'run.json')
const stateOf = async (config: RlConfig) => JSON.parse(await readFile(runFile(config), 'utf8'))
const changeState = async (config: RlConfig, changes: object) =>
  writeFile(runFile(config), JSON.stringify({ ...(await stateOf(config)), ...changes }))

beforeAll(async () => {
  model = await makeTinyReader(folder.join('model'))
  await runTraining(configOf('undisturbed'))
  expected = await finalWeights(configOf('undisturbed'))
})

describe('an output folder', () => {
  it('can be copied: each copy goes on from its own state', async () => {
    const [first, copy] = [configOf('first'), configOf('copy')]
    await runTraining(configOf('first', 2))
    await cp(first.output, copy.output, { recursive: true })
    await runTraining(configOf('first', 5))
    const events = await runTraining(copy)
    expect(events[0]).toMatchObject({ type: 'training-start', step: 2 })
    expect(await finalWeights(copy)).toEqual(expected)
  })

  it('can be moved', async () => {
    await runTraining(configOf('before', 2))
    const moved = configOf('moved')
    await rename(configOf('before').output, moved.output)
    await runTraining(moved)
    expect(await finalWeights(moved)).toEqual(expected)
  })

  it('of an older run, which recorded whole paths, goes on as well', async () => {
    await runTraining(configOf('older', 2))
    const config = configOf('older')
    const { policy } = await stateOf(config)
    await changeState(config, { policy: join(config.output, policy), optimizerSteps: undefined })
    await runTraining(config)
    expect(await finalWeights(config)).toEqual(expected)
    expect((await stateOf(config)).optimizerSteps).toBe(6)
  })

  it('is refused when its state is not that of its step', async () => {
    await runTraining(configOf('mixed', 2))
    const config = configOf('mixed')
    await changeState(config, { step: 1, optimizerSteps: 2 })
    await expect(runTraining(config)).rejects.toMatchObject({
      code: 'train/state-of-another-step',
      message: expect.stringMatching(/step 1 after 2 optimizer steps, and its state state-\w has 4/),
    })
  })
})

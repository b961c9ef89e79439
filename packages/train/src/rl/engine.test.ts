import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { overwrite } from '@memagent/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readerFolder, shortAnswers } from '../testing/short-training.ts'
import { parseRlConfig, type RlConfig } from './config.ts'
import { createTrainingEngine } from './engine.ts'
import { runIdentityOf } from './run-identity.ts'

const folder = readerFolder(beforeAll, afterAll)

const configOf = (server: string, klCoefficient: number) =>
  parseRlConfig(
    `
output: ${folder.join('run')}
engine: { kind: tinker, baseModel: a/model, server: ${server}, tokenizer: ${folder.join('model')} }
task: { name: facts-in-prose }
curriculum: [{ steps: 1, lengths: [12] }]
rollouts: { groups: 2, groupSize: 3 }
loss: { klCoefficient: ${klCoefficient} }
optimizer: { learningRate: 0.01 }
evaluation: { every: 2, samples: 4, lengths: [12] }`,
    'server.yaml',
  )

const engineOf = ({ engine, output, loss }: RlConfig) =>
  createTrainingEngine(engine!, { output, needsReference: loss.klCoefficient > 0 })

describe('the engine of a server', () => {
  it('is refused with a KL term when there is no reference, before any request to the server', async () => {
    await expect(engineOf(configOf('skyrl-gpu', 0.001))).rejects.toMatchObject({
      code: 'tinker/no-reference',
      hint: expect.stringContaining('klCoefficient 0'),
    })
    await engineOf(configOf('skyrl-gpu', 0))
    await engineOf(configOf('skyrl-jax', 0.001))
  })

  it('is the same run at another address, with another check, or with the tokenizer elsewhere', async () => {
    const config = configOf('skyrl-jax', 0)
    const fingerprintOf = async (changes: object) => {
      const changed = { ...config, engine: { ...config.engine, ...changes } } as RlConfig
      const parts = {
        engine: await engineOf(changed),
        workflow: overwrite,
        task: shortAnswers,
        evaluationTask: shortAnswers,
        evaluationContent: undefined,
      }
      return runIdentityOf(changed, parts).fingerprint
    }
    const copy = folder.join('copy')
    await cp(folder.join('model'), copy, { recursive: true })
    const same = await fingerprintOf({})
    const free = { baseUrl: 'http://other:8000', conformance: 'none', tokenizer: copy }
    expect(await fingerprintOf(free)).toBe(same)
    expect(await fingerprintOf({ loraRank: 8 })).not.toBe(same)
    expect(await fingerprintOf({ server: 'skyrl-gpu' })).not.toBe(same)
  })

  it('can be described by the fields of a profile', async () => {
    await engineOf(configOf('{ extends: skyrl-gpu, reference: base-sampler }', 0.001))
  })

  it.each([
    [
      'unknown',
      /server.yaml[\s\S]*engine.server cannot be "unknown" .There is no server profile "unknown"[\s\S]*skyrl-jax/,
    ],
    ['{ extends: skyrl-gpu, reduction: median }', /engine.server cannot be [\s\S]*reduction/],
    ['{ name: mine }', /engine.server cannot be [\s\S]*reference[\s\S]*"extends"/],
    ['7', /engine.server cannot be [\s\S]*a name or an object, not 7/],
  ])('%s is no server', (server, message) => {
    expect(() => configOf(server, 0)).toThrow(message)
  })
})

describe('the embedded engine', () => {
  it('writes how a model was trained to read where the one that it starts from has no profile', async () => {
    const bare = folder.join('bare')
    await cp(folder.join('model'), bare, { recursive: true })
    await rm(join(bare, 'profile.json'))
    const budget = { window: 448, question: 16, chunk: 24, memory: 8, output: 8 }
    const trained = { output: folder.join('bare-run'), workflows: ['edits'], budget }
    const engine = await createTrainingEngine({ kind: 'embedded', startFrom: bare, threads: 1 }, trained)
    const policy = await engine.createPolicy()
    await engine.exportModel!(await policy.saveState('state'), folder.join('exported'))
    await policy.close()
    const profile = JSON.parse(await readFile(folder.join('exported', 'profile.json'), 'utf8'))
    expect(profile).toEqual({ name: 'bare-run', budget, workflows: ['edits'] })
  })
})

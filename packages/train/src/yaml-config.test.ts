import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from './yaml-config.ts'

describe('readConfig', () => {
  let folder: string
  let file: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-'))
    file = join(folder, 'a.yaml')
    await writeFile(file, 'seed: 1\noptimizer: { rate: 0.1 }\nstages:\n  - { steps: 5, rows: 2 }\n')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('gives the file as it is without settings', async () => {
    expect(await readConfig(file)).toBe(
      'seed: 1\noptimizer: { rate: 0.1 }\nstages:\n  - { steps: 5, rows: 2 }\n',
    )
  })

  it('sets fields of maps and lists, new ones too, as numbers, texts, lists and maps', async () => {
    const text = await readConfig(file, [
      'seed=2',
      'optimizer.rate=1e-4',
      'stages.0.steps=7',
      'loss.credit=final',
      'lengths=[1, 2]',
      'name=a=b',
    ])
    expect(parse(text)).toEqual({
      seed: 2,
      optimizer: { rate: 1e-4 },
      stages: [{ steps: 7, rows: 2 }],
      loss: { credit: 'final' },
      lengths: [1, 2],
      name: 'a=b',
    })
  })

  it('names a setting that fits nowhere', async () => {
    await expect(readConfig(file, ['seed.deeper=1'])).rejects.toThrow(/seed\.deeper=1 does not fit .*a\.yaml/)
    await expect(readConfig(file, ['seed'])).rejects.toThrow(/expected FIELD=VALUE/)
    await expect(readConfig(join(folder, 'none.yaml'), ['seed=1'])).rejects.toThrow(/Cannot read/)
  })
})

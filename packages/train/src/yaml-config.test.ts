import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldPaths } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { parseRlConfig } from './rl/config.ts'
import { parseSftConfig } from './sft/config.ts'
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

  it('leaves the file as it is when there are no settings', async () => {
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

  it('names a setting that does not fit the file', async () => {
    await expect(readConfig(file, ['seed.deeper=1'])).rejects.toThrow(/seed\.deeper=1 does not fit .*a\.yaml/)
    await expect(readConfig(file, ['seed'])).rejects.toThrow(/expected FIELD=VALUE/)
    await expect(readConfig(join(folder, 'none.yaml'), ['seed=1'])).rejects.toThrow(/Cannot read/)
  })
})

describe.each([
  ['recipes/nano/rl.yaml', parseRlConfig],
  ['recipes/nano/sft.yaml', parseSftConfig],
] as const)('the settings of %s', (recipe, parseAs) => {
  const text = readFileSync(join(import.meta.dirname, '../../..', recipe), 'utf8')
  const paths = fieldPaths(parse(text)).filter(
    (path) => !path.slice(0, -1).some((name) => /options$/i.test(String(name))),
  )

  it('are named with line, value and what is allowed when they are wrong', () => {
    expect(paths.length).toBeGreaterThan(30)
    for (const path of paths) {
      const document = parseDocument(text)
      document.setIn(path, document.createNode([[null]]))
      const yaml = document.toString()
      expect(() => parseAs(yaml, recipe), path.join('.')).toThrow(
        new RegExp(
          `${recipe} is not .*\\n  line \\d+: ${path.join('\\.')}(\\.0)? cannot be .*null.* \\(it takes .{4,}\\)`,
        ),
      )
    }
  })

  it('are named, with the nearest known field, when they are unknown', () => {
    for (const path of paths.filter((each) => typeof each.at(-1) === 'string')) {
      const document = parseDocument(text)
      const misspelt = [...path.slice(0, -1), `${path.at(-1)}z`]
      document.setIn(misspelt, 1)
      const yaml = document.toString()
      const line = yaml.split('\n').findIndex((each) => each.includes(`${misspelt.at(-1)}:`)) + 1
      expect(() => parseAs(yaml, recipe), misspelt.join('.')).toThrow(
        `line ${line}: ${misspelt.join('.')} is unknown (did you mean ${path.at(-1)}?)`,
      )
    }
  })
})

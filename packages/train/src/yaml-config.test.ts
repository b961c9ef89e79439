import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldPaths } from '@memagent/core/testing'
import { describe, expect, it } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { z } from 'zod'
import { parseRlConfig } from './rl/config.ts'
import { parseSftConfig } from './sft/config.ts'
import { parseConfig, readConfig } from './yaml-config.ts'

const yaml = 'seed: 1\noptimizer: { rate: 0.1 }\nstages:\n  - { steps: 5, rows: 2 }\n'

it('a configuration that cannot be read is named', async () => {
  await expect(readConfig('none.yaml')).rejects.toThrow('Cannot read the training configuration none.yaml')
})

describe('settings that override those of a file', () => {
  const parsed = (settings?: readonly string[]) => parseConfig(z.unknown(), yaml, 'a.yaml', settings)

  it('may be none', () => {
    expect(parsed()).toEqual(parse(yaml))
  })

  it('set fields of maps and lists, new ones too, as numbers, texts, lists and maps', () => {
    const settings = [
      'seed=2',
      'optimizer.rate=1e-4',
      'stages.0.steps=7',
      'loss.credit=final',
      'lengths=[1, 2]',
      'name=a=b',
      'parts={ one: 1 }',
    ]
    expect(parsed(settings)).toEqual({
      seed: 2,
      optimizer: { rate: 1e-4 },
      stages: [{ steps: 7, rows: 2 }],
      loss: { credit: 'final' },
      lengths: [1, 2],
      name: 'a=b',
      parts: { one: 1 },
    })
  })

  it('set those of an empty file', () => {
    expect(parseConfig(z.unknown(), '# Nothing yet.\n', 'a.yaml', ['loss.credit=final'])).toEqual({
      loss: { credit: 'final' },
    })
  })

  it('are named where they do not fit it', () => {
    expect(() => parsed(['seed.deeper=1'])).toThrow(/^--set seed\.deeper does not fit a\.yaml: /)
    expect(() => parsed(['seed'])).toThrow('--set seed does not fit a.yaml: expected FIELD=VALUE')
    expect(() => parsed(['seed=['])).toThrow(/^--set seed=\[ does not fit a\.yaml: /)
  })

  it('have no line: what is wrong with them is told by their names, and lines are those of the file', () => {
    const text = readFileSync(join(import.meta.dirname, '../../..', 'recipes/nano/sft.yaml'), 'utf8')
    const line = text.split('\n').findIndex((each) => each.startsWith('optimizer:')) + 1
    const wrong = text.replace(/^optimizer:/m, 'optimizers:')
    const settings = [
      'stages=[{ steps: 10 }]',
      'seed=0',
      'seed=many',
      'foo=1',
      'bar.deeper=1',
      'evaluation.every=-1',
    ]
    let message = ''
    try {
      parseSftConfig(wrong, 'sft.yaml', settings)
    } catch (error) {
      message = (error as Error).message
    }
    const told = message.split('\n').slice(1)
    expect(told).toContainEqual(expect.stringMatching(/^ {2}--set foo: foo is unknown /))
    expect(told).toContainEqual(expect.stringMatching(/^ {2}--set bar\.deeper: bar is unknown /))
    expect(told).toContainEqual(expect.stringMatching(/^ {2}--set seed: seed cannot be "many" /))
    expect(told).toContainEqual(expect.stringMatching(/^ {2}--set stages: stages\.0\.\w+ is missing /))
    expect(told).toContainEqual(expect.stringMatching(/^ {2}--set evaluation\.every: /))
    expect(told).toContainEqual(
      expect.stringMatching(new RegExp(`^  line ${line}: optimizers is unknown .*optimizer`)),
    )
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

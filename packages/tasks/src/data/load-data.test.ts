import { spawnSync } from 'node:child_process'
import { ConfigurationError } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { lazy, lines, parseData, words } from './load-data.ts'

const rows = z.record(z.string(), z.strictObject({ unit: z.enum(['cm', 'kg']), statements: lines }))
const level = 'level:\n  unit: cm\n  statements: |\n    It is {value}.\n\n    ~ "Now: {value}," # he said\n'

describe('a table of data', () => {
  it('holds records in the order of the file, with a line of a block for an item', () => {
    const catches = 'catch:\n  unit: kg\n  statements: It weighs {value}.\n'
    expect(parseData(`# Two.\n${level}\n${catches}`, rows, 'rows.yaml')).toEqual({
      level: { unit: 'cm', statements: ['It is {value}.', '~ "Now: {value}," # he said'] },
      catch: { unit: 'kg', statements: ['It weighs {value}.'] },
    })
    expect(Object.keys(parseData(`${catches}\n${level}`, rows, 'rows.yaml'))).toEqual(['catch', 'level'])
  })

  it('may hold entries of several words', () => {
    const text = 'colours: |\n  red, dark blue,\n  green\n'
    expect(parseData(text, z.strictObject({ colours: words }), 'words.yaml').colours).toEqual([
      'red',
      'dark blue',
      'green',
    ])
  })

  it.each([
    [
      'a wrong field',
      `${level}load:\n  unit: kilo\n  statements: ''\n`,
      /line 8: load\.unit cannot be "kilo"/,
    ],
    ['a missing field', `load:\n  unit: kg\n`, /line 1: load\.statements is missing/],
    ['a field too many', `${level}  units: 2\n`, /level\.units is unknown/],
    ['two records of one name', level + level, /rows\.yaml is not valid YAML: Map keys must be unique/],
    ['no YAML at all', 'level: [', /rows\.yaml is not valid YAML/],
  ])('names file, line, record and field of %s', (_, yaml, message) => {
    expect(() => parseData(yaml, rows, 'rows.yaml')).toThrow(message)
    expect(() => parseData(yaml, rows, 'rows.yaml')).toThrow(ConfigurationError)
    expect(() => parseData(yaml, rows, 'rows.yaml')).toThrow(/rows\.yaml/)
  })
})

describe('lazy', () => {
  it('calls the function once, when its result is first needed', () => {
    let calls = 0
    const value = lazy(() => {
      calls += 1
      return undefined
    })
    expect(calls).toBe(0)
    expect([value(), value(), calls]).toEqual([undefined, undefined, 1])
  })
})

describe('tables of data', () => {
  it('are read when a sample is drawn, not when the package is imported', () => {
    const script = `
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const { readFileSync } = fs
      fs.readFileSync = (path, ...options) => {
        if (String(path).includes('/tasks/data/')) console.log('reads')
        return readFileSync(path, ...options)
      }
      syncBuiltinESMExports()
      const { createFact, createRandom } = await import('@memagent/tasks')
      console.log('imported')
      createFact(createRandom(1), { split: 'train', templates: 'train' })
      console.log('drawn')`
    const args = ['--conditions=@memagent/source', '--input-type=module', '--eval', script]
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^imported\n(reads\n)+drawn\n$/)
  })
})

import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ConfigurationError } from '../errors.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { choosePrompts, parsePromptFile } from './choose-prompts.ts'
import { parseYamlSettings, readSettingsFile } from './yaml-settings.ts'

const folder = temporaryFolder(beforeAll, afterAll)

const file = { name: 'mine.yaml', what: 'list of things', area: 'things' }
const schema = z.strictObject({ things: z.array(z.unknown()) })
const ten = (name: string) => `[${Array(10).fill(name).join(', ')}]`

describe('settings in YAML', () => {
  it('may refer to what stands in the file already', () => {
    expect(parseYamlSettings(schema, 'things: [&a { b: 1 }, *a]', file)).toEqual({
      things: [{ b: 1 }, { b: 1 }],
    })
  })

  it.each([
    [
      'references to references without end',
      `things: [&a ${ten('x')}, &b ${ten('*a')}, &c ${ten('*b')}, ${ten('*c')}]`,
    ],
    ['a list that holds itself', 'things: &a [*a]'],
    ['a reference to nothing', 'things: [*a]'],
    ['nesting without end', `things: ${'['.repeat(20_000)}`],
    ['two documents', 'things: []\n---\nthings: []'],
  ])('are refused with %s, and the file is named', (_, yaml) => {
    const parsed = () => parseYamlSettings(schema, yaml, file)
    expect(parsed).toThrow(ConfigurationError)
    expect(parsed).toThrow(/^mine\.yaml is not valid YAML: /)
  })
})

describe('a file of settings', () => {
  it.each([
    ['latin1', Buffer.from('a: F\u00fcgen', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffa: x', 'utf16le')],
  ])('is UTF-8, and not %s', async (name, bytes) => {
    const path = folder.join(`${name}.yaml`)
    await writeFile(path, bytes)
    await expect(readSettingsFile({ ...file, name: path })).rejects.toMatchObject({
      code: 'things/no-config',
      message: `Cannot read the list of things ${path}: it is not UTF-8.`,
    })
  })

  it('is called what it is where there is none', async () => {
    await expect(choosePrompts('./none.yaml')).rejects.toThrow(
      'Cannot read the set of prompts ./none.yaml: there is no such file.',
    )
  })
})

it('a list is no file of prompts: the error says what is', () => {
  expect(() => parsePromptFile('- a', 'mine.yaml')).toThrow(
    'line 1: the whole cannot be ["a"] (it takes the fields name, markers, and others by name)',
  )
})

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ConfigurationError } from '../errors.ts'
import { parseYamlSettings } from './yaml-settings.ts'

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

/** Generated files are as committed; every YAML file of the repository is valid by its schema and by our own parsers. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseBenchConfig, parseReportConfig } from '@memagent/bench'
import { parsePromptFile, parseYamlSettings } from '@memagent/core/settings'
import { factKindRows } from '@memagent/tasks'
import { parseRlConfig, parseSftConfig } from '@memagent/train'
import { Ajv } from 'ajv'
import { configurationSchema } from 'memagent'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { generatedFiles, jsonSchemas, ofCommands } from './generated/files.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

it.each([...generatedFiles()])('%s is what `npm run generate` writes', (path, text) => {
  expect(read(path)).toBe(text)
})

const ajv = new Ajv({ allErrors: true, strictTypes: false })
const schemas = jsonSchemas()
for (const [path, schema] of schemas) ajv.addSchema(schema, path)
const validate = (schema: string, yaml: string): readonly string[] => {
  const check = ajv.getSchema(schema)!
  return check(parse(yaml))
    ? []
    : check.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const facts = 'packages/tasks/data/facts/schema.json'

/** Our own parsers. */
const parsers: Readonly<Record<string, (yaml: string, name: string) => unknown>> = {
  [ofCommands('bench')]: parseBenchConfig,
  [ofCommands('report')]: parseReportConfig,
  [ofCommands('train-rl')]: parseRlConfig,
  [ofCommands('train-sft')]: parseSftConfig,
  [ofCommands('prompts')]: parsePromptFile,
  [ofCommands('configuration')]: (yaml, name) =>
    parseYamlSettings(configurationSchema, yaml, { name, what: 'configuration', area: 'cli' }),
  [facts]: (yaml, name) => parseYamlSettings(factKindRows, yaml, { name, what: 'table', area: 'task' }),
}

/** Tables of other shapes, one file each. */
const ownShape = /^packages.*(names|words)\.yaml$/

const yamlFiles = ['recipes', 'examples', 'packages/tasks/data/facts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => !ownShape.test(path)),
)

describe.each(yamlFiles)('%s', (file) => {
  const yaml = read(file)
  const [, reference = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(yaml) ?? []

  it('names its schema in the first line, and is valid by it and by our own code', () => {
    const schema = relative(root, resolve(root, dirname(file), reference))
    expect([...schemas.keys()]).toContain(schema)
    expect(validate(schema, yaml)).toEqual([])
    expect(() => parsers[schema]!(yaml, file)).not.toThrow()
  })
})

const bench = read('recipes/bench/matrix.yaml')
const rl = read('recipes/nano/rl.yaml')
const sft = read('recipes/nano/sft.yaml')

describe('what is wrong is wrong for everybody', () => {
  it.each<[name: string, what: string, yaml: string]>([
    ['bench', 'a field that nobody knows', `${bench}\nmetods: [bm25]\n`],
    ['bench', 'a number of samples that is none', bench.replace(/^samples: .*$/m, 'samples: 0')],
    ['bench', 'a length that is none', bench.replace(/^lengths: .*$/m, 'lengths: [8 thousand]')],
    ['bench', 'a task without a name', 'tasks: [{ options: { hops: 2 } }]'],
    ['bench', 'a part of the window that is text', 'model: { budget: { chunk: large } }'],
    ['report', 'a section of another kind', 'pages: [{ file: a.md, sections: [{ kind: table }] }]'],
    ['train-rl', 'no curriculum', rl.replace(/^curriculum:\n( .*\n)+/m, '')],
    ['train-rl', 'another engine', rl.replace(/kind: embedded/, 'kind: remote')],
    ['train-rl', 'a group of one', rl.replace(/groupSize: \d+/, 'groupSize: 1')],
    ['train-sft', 'a row that is no multiple of 64', sft.replace(/rowTokens: \d+/, 'rowTokens: 65')],
    ['train-sft', 'a part of the window that is missing', sft.replace(/question: \d+, /, '')],
    ['prompts', 'a template that is no text', 'update: { user: x }'],
    ['prompts', 'a marker that is no list', "markers: '[END]'"],
    [
      'facts',
      'a subject that there is not',
      'a: { subjects: [cloud], value: town, statements: "{Subject}: {value}", questions: "{subject}?" }',
    ],
    ['configuration', 'a chunk that is no number', 'chunk: large'],
    ['configuration', 'an option of another command', 'dry-run: true'],
    ['configuration', 'a probability above 1', 'top-p: 1.5'],
  ])('%s: %s', (name, _, yaml) => {
    const schema = name === 'facts' ? facts : ofCommands(name)
    expect(validate(schema, yaml)).not.toEqual([])
    expect(() => parsers[schema]!(yaml, 'wrong.yaml')).toThrow('wrong.yaml is not a valid')
  })

  it.each<[what: string, yaml: string]>([
    ['a task that there is not', 'tasks: [{ name: multi-hob }]'],
    ['an option that the task does not have', 'tasks: [{ name: multi-hop, options: { hop: 2 } }]'],
    ['an option that the method does not have', 'methods: [{ name: bm25, options: { chunk: 2 } }]'],
    ['an option that the task needs', 'tasks: [{ name: longbench }]'],
  ])('an editor also sees %s', (_, yaml) => {
    expect(validate(ofCommands('bench'), yaml)).not.toEqual([])
  })
})

it('every setting says what it is for', () => {
  const silent: string[] = []
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties' && !path.endsWith('.if')) {
        // `min` and `max` are described by the range that holds them.
        for (const [name, field] of Object.entries(value as Record<string, { description?: string }>)) {
          const isReference = '$ref' in field || 'allOf' in field
          if (!field.description && !isReference && !/^(min|max)$/.test(name)) silent.push(`${path}.${name}`)
        }
      }
      walk(value, `${path}.${key}`)
    }
  }
  for (const [name, schema] of schemas) walk(schema, name)
  expect(silent).toEqual([])
})

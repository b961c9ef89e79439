/**
 * What is written from declarations and committed: JSON Schemas of the files that people write, and the tables of settings
 * in the documentation. `npm run generate` writes them; a test compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { benchConfigSchema, methodFactory, methodNames, reportConfigSchema } from '@memagent/bench'
import { describeSettings, jsonSchemaOf, promptSetSchema } from '@memagent/core/settings'
import { factKindRows, questionRowSchema, type TaskName, tasks } from '@memagent/tasks'
import { rlConfigSchema, sftConfigSchema } from '@memagent/train'
import { configurationSchema } from 'memagent'
import type { z } from 'zod'

const root = resolve(import.meta.dirname, '../..')

interface Declared {
  readonly name: string
  readonly description: string
  readonly options: z.ZodObject
}

// biome-ignore lint/suspicious/noExplicitAny: JSON Schemas are trees of anything.
type Json = any

const declaredTasks: readonly Declared[] = await Promise.all(
  (Object.keys(tasks) as TaskName[]).map((name) => tasks[name].definition()),
)
const declaredMethods: readonly Declared[] = await Promise.all(
  methodNames.map(async (name) => ({ name, ...(await methodFactory(name)) })),
)

/** Schemas by the path of their file. */
export function jsonSchemas(): ReadonlyMap<string, object> {
  const bench = jsonSchemaOf(benchConfigSchema) as Json
  const [{ items: task }, { items: method }] = [bench.properties.tasks, bench.properties.methods]
  withOptionsByName(task.anyOf[1], declaredTasks, ['options'], taskOptions)
  withOptionsByName(method.anyOf[1], declaredMethods, ['options'])
  bench.definitions = definitionsOf(declaredMethods)
  const rl = jsonSchemaOf(rlConfigSchema) as Json
  withOptionsByName(rl.properties.task, declaredTasks, ['options', 'evaluationOptions'], taskOptions)
  const { $schema } = bench
  return new Map([
    [
      ofCommands('task-options'),
      titled('Options of tasks', { $schema, definitions: definitionsOf(declaredTasks) }),
    ],
    [ofCommands('bench'), titled('Configuration of `memagent bench run`', bench)],
    [
      ofCommands('report'),
      titled('Configuration of `memagent bench report`', jsonSchemaOf(reportConfigSchema)),
    ],
    [ofCommands('train-rl'), titled('Configuration of `memagent train rl`', rl)],
    [ofCommands('train-sft'), titled('Configuration of `memagent train sft`', jsonSchemaOf(sftConfigSchema))],
    [ofCommands('prompts'), titled('Prompts of a workflow', jsonSchemaOf(promptSetSchema))],
    ['packages/tasks/data/facts/schema.json', titled('Kinds of facts, by name', jsonSchemaOf(factKindRows))],
    [
      ofCommands('configuration'),
      titled("Defaults of the command line's options", jsonSchemaOf(configurationSchema)),
    ],
  ])
}

/** The schema of a file that the command line reads. */
export const ofCommands = (name: string) => `packages/cli/schemas/${name}.json`

/** Beside the schemas that refer to it: they are read from any folder, so the reference is relative. */
const taskOptions = 'task-options.json'

const titled = (title: string, { $schema, ...schema }: Readonly<Record<string, unknown>>): object => ({
  $schema,
  title,
  ...schema,
})

/** Groups names by the options that they share. */
function namesByOptions(declared: readonly Declared[]): readonly [options: z.ZodObject, names: string[]][] {
  const namesOf = new Map<z.ZodObject, string[]>()
  for (const { name, options } of declared) namesOf.set(options, [...(namesOf.get(options) ?? []), name])
  return [...namesOf]
}

const definitionName = (names: readonly string[]) => `options-of-${names[0]}`

const definitionsOf = (declared: readonly Declared[]): Json =>
  Object.fromEntries(
    namesByOptions(declared).map(([options, names]) => {
      const { $schema: _, required: __, ...rest } = jsonSchemaOf(options) as Json
      return [definitionName(names), rest]
    }),
  )

/** Makes the name choose the options, defined in a file or the schema itself; a name that is a path may have any. */
function withOptionsByName(
  schema: Json,
  declared: readonly Declared[],
  fields: readonly string[],
  file = '',
): void {
  const [first] = fields
  const { description } = schema.properties.name
  schema.properties.name = {
    description,
    anyOf: [{ enum: declared.map(({ name }) => name) }, { type: 'string', pattern: '[/\\\\]' }],
  }
  schema.allOf = namesByOptions(declared).map(([options, names]) => {
    const { required } = jsonSchemaOf(options) as Json
    const reference = { $ref: `${file}#/definitions/${definitionName(names)}` }
    const given = (field: string) =>
      field === first && required ? { allOf: [reference, { required }] } : reference
    return {
      if: { properties: { name: { enum: names } }, required: ['name'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: {
        properties: Object.fromEntries(fields.map((field) => [field, given(field)])),
        ...(required && { required: [first] }),
      },
    }
  })
}

type Row = readonly string[]

const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

const settingsTable = (schema: z.ZodType, what = 'setting'): string =>
  table(
    [what, 'takes', 'default', 'meaning'],
    describeSettings(schema).map(({ name, takes, isRequired, description, ...setting }) => [
      `\`${name}\``,
      takes.length > 200 ? `${takes.slice(0, takes.lastIndexOf(', ', 200))}, ...` : takes,
      isRequired ? 'required' : (setting.default ?? ''),
      description,
    ]),
  )

const optionTables = (declared: readonly Declared[]): string =>
  declared
    .map(
      ({ name, description, options }) =>
        `### \`${name}\`\n\n${description}\n\n${settingsTable(options, 'option')}`,
    )
    .join('\n\n')

const methodsTable = () =>
  table(
    ['method', 'what it does', 'options'],
    declaredMethods.map(({ name, description, options }) => [
      `\`${name}\``,
      description,
      describeSettings(options)
        .map((option) => `\`${option.name}\``)
        .join(', '),
    ]),
  )

/** Tables by the name of their mark, `<!-- settings: bench -->`. */
const tables: Readonly<Record<string, () => string>> = {
  bench: () => settingsTable(benchConfigSchema),
  methods: methodsTable,
  'train-rl': () => settingsTable(rlConfigSchema),
  'train-sft': () => settingsTable(sftConfigSchema),
  tasks: () => optionTables(declaredTasks),
  questions: () => settingsTable(questionRowSchema, 'field'),
}

const pages = ['docs/benchmark.md', 'docs/custom-tasks.md', 'docs/training.md', 'docs/tasks.md']

const filled = (page: string): string =>
  page.replaceAll(/(<!-- settings: ([\w-]+) -->\n)[\s\S]*?(<!-- \/settings -->)/g, (_, from, name, to) => {
    return `${from}\n${tables[name]!()}\n\n${to}`
  })

/** What the files should hold, by path. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const schemas = [...jsonSchemas()].map(
    ([path, schema]) => [path, `${JSON.stringify(schema, null, 1)}\n`] as const,
  )
  return new Map([
    ...schemas,
    ...pages.map((path) => [path, filled(readFileSync(join(root, path), 'utf8'))] as const),
  ])
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of generatedFiles()) writeFileSync(join(root, path), text)
}

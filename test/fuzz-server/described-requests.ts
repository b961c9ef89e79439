/** Requests by the schemas of `/openapi.json`: right ones, and with values that are nearly right. */
import type { Random } from '@memagent/tasks'
import type { Described, Operation, Parameter, Schema } from './described.ts'
import type { Known } from './known.ts'
import { oddTexts, oddValue } from './odd-values.ts'
import type { Sent } from './valid-requests.ts'

const boundary = 'B'

export function describedRequest(described: Described, known: Known, random: Random): Sent {
  const operation = random.pick(described.operations)
  const headers: Record<string, string> = { host: 'localhost' }
  let path = operation.path.replace(/\{(\w+)\}/g, () =>
    encodeURIComponent(subjectOf(operation, known, random)),
  )
  const query = new URLSearchParams()
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path' || random.chance(0.5)) continue
    const value = parameterOf(parameter, described, random)
    if (parameter.in === 'query') query.set(parameter.name, value)
    else headers[parameter.name] = value.replace(/[^\x20-\x7e]/g, '')
  }
  if (query.size > 0) path += `?${query}`
  if (operation.form) return { ...operation, path, headers: formHeaders(headers), raw: formOf(random) }
  if (!operation.body) return { ...operation, path, headers, body: undefined }
  const body = madeBy(operation.body, { described, known, random })
  return { ...operation, path, headers: { ...headers, 'content-type': 'application/json' }, body }
}

/** Mostly something that exists. */
function subjectOf({ path }: Operation, known: Known, random: Random): string {
  if (random.chance(0.15)) return wellFormed(random.pick(oddTexts)) || 'x'
  const kind = /\/(\w+)s\/\{/.exec(path)?.[1] as keyof Known
  return random.pick(known[kind] ?? ['none'])
}

function parameterOf({ schema }: Parameter, described: Described, random: Random): string {
  const value = random.chance(0.2) ? oddValue(random) : madeBy(schema, { described, random })
  return wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 2000)
}

/** Paths cannot contain lone surrogates. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '?')

interface Making {
  readonly described: Described
  readonly random: Random
  readonly known?: Known
}

/** A value that the schema accepts, as far as it says. @param name of the field */
function madeBy(given: Schema, making: Making, name = ''): unknown {
  const { described, random, known } = making
  const schema = described.resolved(given)
  if (known && random.chance(0.7)) {
    if (name === 'model') return random.pick(known.model)
    if (name === 'files') return [random.pick(known.file)]
    if (name === 'file_id') return random.pick(known.file)
  }
  const options = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined
  if (options) return madeBy(random.pick(options), making, name)
  if ('const' in schema) return schema.const
  if (schema.enum) return random.pick(schema.enum as readonly unknown[])
  const { minimum = 0, maximum = 1000, minItems = 0, maxItems = 3 } = schema as Record<string, number>
  if (schema.type === 'object') return objectOf(schema, making)
  if (schema.type === 'array') {
    const length = Math.min(maxItems, random.between(minItems, Math.max(minItems, 3)))
    return Array.from({ length }, () => madeBy((schema.items ?? {}) as Schema, making))
  }
  if (schema.type === 'integer') return random.between(minimum, Math.max(minimum, Math.min(maximum, 1000)))
  if (schema.type === 'number') return minimum + random.next() * (maximum - minimum)
  if (schema.type === 'boolean') return random.chance(0.5)
  if (schema.type === 'null') return null
  if (schema.type === 'string') return random.chance(0.1) ? random.pick(oddTexts) : random.pick(texts)
  return oddValue(random)
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, making: Making): object {
  const fields = Object.entries(properties as Readonly<Record<string, Schema>>)
    .filter(([name]) => (required as readonly string[]).includes(name) || making.random.chance(0.3))
    .map(([name, schema]) => [name, madeBy(schema, making, name)])
  if (typeof additionalProperties === 'object')
    fields.push(['x', madeBy(additionalProperties as Schema, making)])
  return Object.fromEntries(fields)
}

const texts = [
  'What is the key?',
  'The key is 48213. '.repeat(3),
  'The sea is calm. '.repeat(99),
  'reader',
  'x',
]

const formHeaders = (headers: Readonly<Record<string, string>>) => ({
  ...headers,
  'content-type': `multipart/form-data; boundary=${boundary}`,
})

const contents = [
  ...[
    'The key is 48213.',
    'a,b\n1,2\n',
    '{"a": [1, "x"]}',
    '<html><p>Hm',
    '%PDF-1.4 broken',
    'PK\u0003\u0004broken',
  ],
  ...[
    '',
    '\u0089PNG\r\n\u001a\n',
    'From: a@b\r\nSubject: x\r\n\r\nHello',
    '\u00ff\u00fe\u0000\u0001',
    'word '.repeat(5000),
  ],
]
const filenames = [
  'a.txt',
  'a.pdf',
  'a.zip',
  'a.csv',
  'a.eml',
  '../../etc/passwd',
  'x'.repeat(2000),
  '\u202e.txt',
  '',
]

function formOf(random: Random): Buffer {
  const part = (name: string, value: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const file = part('file', random.pick(contents), `; filename="${random.pick(filenames)}"`)
  const parts = random.shuffle([file, part('purpose', random.pick(['user_data', 'pasted-text', '']))])
  return Buffer.from(`${parts.slice(0, random.between(1, 2)).join('')}--${boundary}--\r\n`, 'latin1')
}

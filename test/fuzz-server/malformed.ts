/** Malformed requests, by seed: of the right form with wrong values, of no form, and bytes that are no request at all. */
import { createRandom, type Random } from '@memagent/tasks'
import { type Sent, validRequests } from './valid-requests.ts'

export interface Malformed {
  readonly path: string
  /** What a socket is given. */
  readonly bytes: Buffer
  /** What was done, for people. */
  readonly by: string
}

/** Bodies come most often: they have the most forms. */
const bases = [...validRequests.slice(0, 3), ...validRequests.slice(0, 3), ...validRequests]

export function malformedRequest(seed: number): Malformed {
  const random = createRandom('malformed', seed)
  const base = random.pick(bases)
  if (base.body === undefined || random.chance(0.15)) return withOddHead(base, random)
  const body = structuredClone(base.body) as Container
  // Few that are read; without a stream as often as with one.
  if (random.chance(0.7)) body.memagent = undefined
  if (random.chance(0.5)) body.stream = false
  const changes = Array.from({ length: random.between(1, 3) }, () => changeBody(body, random))
  const text = JSON.stringify(body)
  if (random.chance(0.8)) return { path: base.path, by: changes.join(', '), bytes: bytesOf(base, text) }
  const broken = breakText(Buffer.from(text), random)
  return { path: base.path, by: `${changes.join(', ')}, bytes broken`, bytes: bytesOf(base, broken) }
}

type Container = Record<string, unknown>

/** A field anywhere in it, and what holds it. */
function randomPlace(body: Container, random: Random): { holder: Container; key: string; path: string } {
  const places: { holder: Container; key: string; path: string }[] = []
  const visit = (holder: Container, path: string) => {
    for (const key of Object.keys(holder)) {
      places.push({ holder, key, path: `${path}${key}` })
      const value = holder[key]
      if (typeof value === 'object' && value !== null) visit(value as Container, `${path}${key}.`)
    }
  }
  visit(body, '')
  // The fields at the top are as likely as all that are deeper.
  const top = places.filter(({ holder }) => holder === body)
  return random.pick(random.chance(0.5) ? top : places)
}

function changeBody(body: Container, random: Random): string {
  const { holder, key, path } = randomPlace(body, random)
  switch (random.int(5)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      return `without ${path}`
    case 1: {
      const name = random.pick([
        'x',
        '',
        '__proto__',
        'constructor',
        'toString',
        'tools',
        'type',
        'a.b',
        '\u0000',
      ])
      Object.defineProperty(holder, name, {
        value: oddValue(random),
        enumerable: true,
        configurable: true,
        writable: true,
      })
      return `${path} beside "${name}"`
    }
    case 2:
      if (Array.isArray(holder)) holder.push(...Array(random.pick([1, 3, 300])).fill(holder[Number(key)]))
      else holder[key] = [holder[key]]
      return `${path} repeated`
    default:
      holder[key] = oddValue(random)
      return `another ${path}`
  }
}

const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  'NaN',
  '0',
  'true',
  '\\boxed{1}',
  '</section>',
  '<|im_end|>',
  '😀'.repeat(99),
  'why '.repeat(900),
  '../../etc/passwd',
  'data:\n\nevent: x\n\n',
]
const oddNumbers = [0, -0, -1, 0.5, 1, 2, 3, 1e308, -1e308, 2 ** 31, 2 ** 53, 5e-324]

function oddValue(random: Random, depth = 0): unknown {
  const kind = random.int(depth > 3 ? 4 : 7)
  if (kind === 0) return random.pick([null, true, false])
  if (kind === 1) return random.pick(oddNumbers)
  if (kind <= 3) return random.pick(oddTexts)
  const values = Array.from({ length: random.int(4) }, () => oddValue(random, depth + 1))
  if (kind === 4) return values
  if (kind === 5)
    return Object.fromEntries(
      values.map((value) => [random.pick(['type', 'text', 'role', 'content', 'x']), value]),
    )
  return nested(random.pick([3, 200]))
}

const nested = (levels: number): unknown => (levels === 0 ? 'deep' : [nested(levels - 1)])

function breakText(bytes: Buffer, random: Random): Buffer {
  const at = random.int(bytes.length)
  const junk = Buffer.from(Array.from({ length: random.between(1, 20) }, () => random.int(256)))
  switch (random.int(4)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at)])
    case 2:
      return Buffer.concat([bytes, bytes])
    default:
      return junk
  }
}

function withOddHead(base: Sent, random: Random): Malformed {
  const body = base.body === undefined ? '' : JSON.stringify(base.body)
  const change = <Key extends keyof Sent>(key: Key, value: Sent[Key], text = body): Malformed => ({
    path: key === 'path' ? String(value) : base.path,
    by: `${key} ${JSON.stringify(value).slice(0, 80)}`,
    bytes: bytesOf({ ...base, [key]: value }, text),
  })
  const header = (name: string, value: string) => change('headers', { ...base.headers, [name]: value })
  switch (random.int(8)) {
    case 0:
      return change(
        'method',
        random.pick([
          'GET',
          'PUT',
          'DELETE',
          'OPTIONS',
          'HEAD',
          'PATCH',
          'TRACE',
          'CONNECT',
          'get',
          'BREW',
          '',
        ]),
      )
    case 1:
      return change('path', oddPath(base.path, random))
    case 2:
      return header(
        'content-type',
        random.pick([
          '',
          'text/plain',
          'application/jsonx',
          'multipart/form-data',
          'application/json; charset=utf-16',
          '\u00ff',
        ]),
      )
    case 3:
      return header(
        'content-length',
        random.pick(['0', '1', '-1', 'x', '99999', '1e9', '99999999999999999999', '5, 6']),
      )
    case 4:
      return header(
        'host',
        random.pick(['', 'evil', 'localhost:x', '[::1', 'localhost\u0000', 'a b', 'localhost/../x']),
      )
    case 5:
      return header(
        random.pick([
          'transfer-encoding',
          'expect',
          'upgrade',
          'accept-encoding',
          'content-encoding',
          'origin',
          'connection',
        ]),
        random.pick(['chunked', '100-continue', 'websocket', 'gzip', 'null', 'upgrade', 'x'.repeat(5000)]),
      )
    case 6:
      return header(
        random.pick(['authorization', 'x-api-key', 'anthropic-version', 'anthropic-beta']),
        random.pick(['', 'Bearer', 'Bearer \u00ff', '2023-01-01', 'x'.repeat(20_000)]),
      )
    default: {
      const bytes = bytesOf(base, body)
      return { path: base.path, by: 'bytes broken', bytes: breakText(bytes, random) }
    }
  }
}

const oddPath = (path: string, random: Random): string =>
  random.pick([
    `${path}/`,
    `/${path}`,
    `${path}?${'x=1&'.repeat(random.int(2000))}`,
    path.toUpperCase(),
    `${path}/../../../etc/passwd`,
    `${path}%00`,
    `${path}%ff%fe`,
    `${path}%`,
    '/v1/models/%2e%2e%2f%2e%2e',
    `/v1/models/${'x'.repeat(random.int(12_000))}`,
    'http://evil/v1/models',
    '*',
    '',
    '//evil/v1/models',
    '/v1/messages/batches',
    '/v1/responses/resp_1',
    path.replace('v1', 'v\u00e9'),
  ])

function bytesOf({ method, path, headers }: Sent, body: string | Buffer): Buffer {
  const content = Buffer.from(body as string)
  const all: Record<string, string> = {
    'content-length': String(content.length),
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), content])
}

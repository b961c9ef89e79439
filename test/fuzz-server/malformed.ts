/** Malformed requests, by seed: of the right form with wrong values, of no form, and bytes that are no request at all. */
import { createRandom, type Random } from '@memagent/tasks'
import type { Described } from './described.ts'
import { describedRequest } from './described-requests.ts'
import type { Known } from './known.ts'
import { oddValue } from './odd-values.ts'
import { type Sent, validRequests } from './valid-requests.ts'

export interface Malformed {
  readonly method: string
  readonly path: string
  /** What is written to the socket. */
  readonly bytes: Buffer
  /** It is as long as it says, and ends with its reply. */
  readonly isWhole: boolean
  /** What was changed, for reports. */
  readonly by: string
}

/** Requests with bodies come most often: they vary most. */
const bases = [...validRequests.slice(0, 3), ...validRequests.slice(0, 3), ...validRequests]

/** @param known what the server has at this moment */
export function malformedRequest(seed: number, described: Described, known: Known): Malformed {
  const random = createRandom('malformed', seed)
  const isDescribed = random.chance(0.6)
  const base = isDescribed ? describedRequest(described, known, random) : random.pick(bases)
  const { method, path } = base
  // By the schemas, except for odd values here and there.
  if (isDescribed && random.chance(0.5))
    return { method, path, by: 'as described', isWhole: true, bytes: bytesOf(base, contentOf(base)) }
  if (base.raw && random.chance(0.7))
    return {
      method,
      path,
      by: 'form broken',
      isWhole: true,
      bytes: bytesOf(base, breakText(base.raw, random)),
    }
  if (typeof base.body !== 'object' || base.body === null || random.chance(0.15))
    return withOddHead(base, random)
  const body = structuredClone(base.body) as Container
  if (Object.keys(body).length === 0) body.x = 1
  // Makes readings rare, and turns off half of the streams.
  if (random.chance(0.7)) body.memagent = undefined
  if ('stream' in body && random.chance(0.5)) body.stream = false
  const changes = Array.from({ length: random.between(1, 3) }, () => changeBody(body, random))
  const text = JSON.stringify(body)
  if (random.chance(0.8))
    return { method, path, by: changes.join(', '), isWhole: true, bytes: bytesOf(base, text) }
  const broken = breakText(Buffer.from(text), random)
  return {
    method,
    path,
    by: `${changes.join(', ')}, bytes broken`,
    isWhole: true,
    bytes: bytesOf(base, broken),
  }
}

const contentOf = ({ raw, body }: Sent): string | Buffer =>
  raw ?? (body === undefined ? '' : JSON.stringify(body))

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
  if (places.length === 0) return { holder: body, key: 'x', path: 'x' }
  // Half of the time, a field at the top.
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
  const body = contentOf(base)
  const change = <Key extends keyof Sent>(key: Key, value: Sent[Key], text = body): Malformed => ({
    method: key === 'method' ? String(value) : base.method,
    isWhole: key === 'path',
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
      return {
        method: '',
        path: base.path,
        by: 'bytes broken',
        isWhole: false,
        bytes: breakText(bytes, random),
      }
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

/**
 * Keys, header values and the query of a base URL appear in no error, message or event, whatever the server or the network says.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOpenAIEmbeddings } from '../embeddings/openai-embeddings.ts'
import { ConfigurationError, MemAgentError } from '../errors.ts'
import type { Fault } from '../testing/stub-faults.ts'
import { createStubServer, type StubServer } from '../testing/stub-server.ts'
import { user } from '../testing/stubbed-chat.ts'
import { createServerTokenizer } from '../tokenizers/server.ts'
import { hideAddresses, showAddress } from './address-text.ts'
import { parseHeaders } from './headers.ts'
import type { Fetch } from './http-exchange.ts'
import { createOpenAICompatibleModel } from './openai-compatible.ts'
import { createPatientFetch } from './patient-fetch.ts'
import { listServedModels } from './served-models.ts'

const faults = {
  status: [400, 401, 402, 403, 404, 409, 422, 429, 500, 503].map((status) => ({ kind: 'status', status })),
  'rate-limit': [{ kind: 'rate-limit' }, { kind: 'rate-limit', retryAfter: '7200' }],
  reset: [{ kind: 'reset' }],
  refuse: [{ kind: 'refuse' }],
  hang: [{ kind: 'hang' }],
  stall: [{ kind: 'stall' }],
  'truncated-json': [{ kind: 'truncated-json' }],
  html: [{ kind: 'html' }],
  redirect: [
    { kind: 'redirect', location: 'https://elsewhere/v1/chat/completions?token=SECRET' },
    { kind: 'redirect', location: '/v1/chat/completions/?token=SECRET' },
    { kind: 'redirect' },
  ],
  'event-stream': [{ kind: 'event-stream', isCut: true }],
  echo: [400, 401, 404, 429, 500].map((status) => ({ kind: 'echo', status })),
  'no-choices': [{ kind: 'no-choices' }],
  'empty-text': [{ kind: 'empty-text' }],
  'context-length': [{ kind: 'context-length' }],
  'cut-prompt': [{ kind: 'cut-prompt', tokens: 1 }],
} satisfies Record<Fault['kind'], readonly Fault[]>

let stub: StubServer
let fault: Fault | undefined
beforeAll(async () => {
  stub = await createStubServer({
    faults: () => fault,
    embed: (texts) => texts.map(() => [1]),
    isRecording: false,
  })
})
afterAll(() => stub.close())

const graphic = fc.constantFrom(...'abcXYZ0189-._~!"$&\'()*+,/:;=?@[]\\^`{|}%#<>')
const secret = fc.string({ unit: graphic, minLength: 12, maxLength: 24 }).map((text) => `Q7${text}Z`)
const secrets = fc.record({ apiKey: secret, header: secret, query: secret })
type Secrets = typeof secrets extends fc.Arbitrary<infer Value> ? Value : never

/** Every text reachable from a value: messages, stacks, hints, details, causes. */
function textsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  return Object.getOwnPropertyNames(value).flatMap((name) => [
    name,
    ...textsIn((value as Record<string, unknown>)[name], seen),
  ])
}

function expectHidden(told: unknown, { apiKey, header, query }: Secrets): void {
  const forms = [apiKey, header, query, 'SECRET'].flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
  ])
  expect(textsIn(told).filter((text) => forms.some((form) => text.includes(form)))).toEqual([])
}

function optionsFor({ apiKey, header, query }: Secrets, fetch: Fetch | undefined) {
  return {
    baseUrl: `${stub.baseUrl}?api-key=${encodeURIComponent(query)}&version=2`,
    model: 'stub',
    apiKey,
    headers: { 'X-Gateway-Key': header },
    timeoutMs: 60,
    retry: { attempts: 2 },
    fetch,
    sleep: async () => undefined,
  }
}

describe.each<[string, Fetch | undefined]>([
  ['the global fetch', undefined],
  ['the patient fetch', createPatientFetch()],
])('over %s', (_, fetch) => {
  it.each(Object.entries<readonly Fault[]>(faults))(
    'nothing secret is told of %s',
    async (_kind, variants) => {
      await fc.assert(
        fc.asyncProperty(secrets, fc.constantFrom(...variants), async (given, variant) => {
          fault = variant
          const waits: unknown[] = []
          const options = { ...optionsFor(given, fetch), onWait: (wait: unknown) => void waits.push(wait) }
          const chat = createOpenAICompatibleModel(options).generate(user('two words'), { maxTokens: 4 })
          const error = await chat.then(
            () => undefined,
            (reason: unknown) => reason,
          )
          if (variant.kind !== 'empty-text' && variant.kind !== 'cut-prompt') {
            expect(error).toBeInstanceOf(MemAgentError)
          }
          expectHidden([error, waits], given)
          if (variant.kind === 'event-stream') return
          const vectors = createOpenAIEmbeddings(options).embed(['text'])
          expectHidden([await vectors.catch((reason: unknown) => reason), waits], given)
        }),
        { numRuns: variants.length > 1 ? 25 : 8 },
      )
    },
  )
})

it('nor of a fetch that puts everything it was given into nested causes', async () => {
  const codes = [
    'ECONNREFUSED',
    'ECONNRESET',
    'UND_ERR_SOCKET',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'CERT_HAS_EXPIRED',
    'ETIMEDOUT',
    undefined,
  ]
  await fc.assert(
    fc.asyncProperty(secrets, fc.constantFrom(...codes), async (given, code) => {
      const fetch: Fetch = async (url, init) => {
        const all = `${url} ${JSON.stringify(init?.headers)} ${Object.values(init?.headers ?? {})}`
        const inner = Object.assign(new Error(`connect to ${all}`), { code, request: all })
        throw new TypeError(`Failed: ${all}`, { cause: new AggregateError([inner], all) })
      }
      const options = optionsFor(given, fetch)
      const model = createOpenAICompatibleModel(options)
      for (const call of [
        model.generate(user('a'), { maxTokens: 4 }),
        model.describe!(),
        listServedModels(options),
        createServerTokenizer(options),
      ]) {
        expectHidden(await call.catch((reason: unknown) => reason), given)
      }
    }),
    { numRuns: 50 },
  )
})

it('nor of base URLs, keys and headers that are refused', () => {
  const given = { apiKey: 'Q7-key-Z', header: 'Q7-header-Z', query: 'Q7-query-Z' }
  const make = (options: object) => () =>
    createOpenAICompatibleModel({ baseUrl: 'http://host/v1', model: 'm', ...options })
  for (const [options, message] of [
    [{ baseUrl: 'http://me:Q7-key-Z@host/v1' }, /holds a user name or password/],
    [{ baseUrl: 'me:Q7-key-Z@host:80/v1' }, /"host:80\/v1"/],
    [{ baseUrl: 'http://me:Q7-key-Z/@host/v1?key=Q7-query-Z' }, /is not a URL/],
    [{ baseUrl: 'host/v1?key=Q7-query-Z' }, /"host\/v1\?\.\.\." is not a URL/],
    [{ baseUrl: 'ftp://host/v1?key=Q7-query-Z' }, /"ftp:\/\/host\/v1\?\.\.\."/],
    [{ apiKey: 'Q7-key-Z\n' + 'x' }, /API key contains characters/],
    [{ apiKey: 'Q7-key-Z\u00E9' }, /API key contains characters/],
    [{ apiKey: 'Q7-key-Z x' }, /API key contains characters/],
    [{ headers: { 'X Key': 'Q7-header-Z' } }, /invalid name/],
    [{ headers: { 'X-Key': 'Q7-header-Z\r\nHost: evil' } }, /value of the header x-key/],
    [{ headers: { Host: 'Q7-header-Z' } }, /header host cannot be set/],
    [{ headers: { 'X-Key': 'Q7-header-Z', 'x-key': 'Q7-header-Z' } }, /given twice/],
  ] as const) {
    expect(make(options)).toThrow(ConfigurationError)
    expect(make(options)).toThrow(message)
    try {
      make(options)()
    } catch (error) {
      expectHidden(error, given)
    }
  }
})

it('nor of a header that is given twice, of which only the last would be sent', () => {
  const lines = ['X-Key: Q7-header-Z', 'x-key: Q7-other-Z']
  expect(() => parseHeaders(lines)).toThrow(/^The header x-key is given twice$/)
})

it('nor of a long message, where the cut would take the key apart', async () => {
  const given = { apiKey: 'Q7-key-0123456789-Z', header: 'Q7-header-Z', query: 'Q7-query-Z' }
  for (let before = 975; before <= 1000; before++) {
    fault = { kind: 'status', status: 400, message: `${'x'.repeat(before)}${given.apiKey} and more` }
    const call = createOpenAICompatibleModel(optionsFor(given, undefined)).generate(user('a'), {
      maxTokens: 4,
    })
    const { message } = await call.then(
      () => new Error('none'),
      (reason: Error) => reason,
    )
    expect(message).not.toContain('Q7')
  }
})

it('the place of the key is shown', async () => {
  fault = { kind: 'status', status: 401, message: 'Incorrect API key provided: Bearer Q7-key-Z' }
  const model = createOpenAICompatibleModel({ baseUrl: stub.baseUrl, model: 'stub', apiKey: 'Q7-key-Z' })
  await expect(model.generate(user('a'), { maxTokens: 4 })).rejects.toMatchObject({
    code: 'chat/key-refused',
    message: expect.stringContaining('Incorrect API key provided: Bearer [key]'),
  })
})

it('redacting a very short key tears no words apart', async () => {
  fault = { kind: 'status', status: 400, message: 'a message' }
  const model = createOpenAICompatibleModel({ baseUrl: stub.baseUrl, model: 'stub', apiKey: 'a' })
  await expect(model.generate(user('a'), { maxTokens: 4 })).rejects.toThrow('a message')
})

describe('addresses', () => {
  it.each([
    ['http://host:8000/v1', 'http://host:8000/v1'],
    ['https://me:secret@host/v1?key=secret#secret', 'https://host/v1?...'],
    ['http://[::1]:8000/v1?', 'http://[::1]:8000/v1'],
    ['no address', 'no address'],
  ])('%s is shown as %s', (address, shown) => {
    expect(showAddress(address)).toBe(shown)
  })

  it('of any length and form take no time', () => {
    for (const text of ['http://h/', 'http://h/?', 'http://me:']) {
      for (const sign of ['.', '?', '@', ':', '/', '#']) {
        const long = `${text}${sign.repeat(200_000)}x`
        expect(hideAddresses(long).length).toBeLessThanOrEqual(long.length + 4)
      }
    }
  })

  it('are found in texts, what was shown before is left as it is', () => {
    const text =
      'connect to "https://me:secret@host/v1?key=secret" or (http://other/x?y=secret), or http://a/v1; now.'
    const shown = 'connect to "https://host/v1?..." or (http://other/x?...), or http://a/v1; now.'
    expect(hideAddresses(text)).toBe(shown)
    expect(hideAddresses(shown)).toBe(shown)
  })
})

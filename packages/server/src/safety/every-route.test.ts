/** What holds for every route, including future ones. */
import { temporaryFolder } from '@memagent/core/testing'
import { openRunStore, type Store } from '@memagent/store'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../app.ts'
import { noter, servedModel } from '../testing/served.ts'

/** Everything that answers without a key if keys are needed: nobody's content. */
const open = new Set(['/healthz', '/readyz', '/openapi.json', '/', '/assets/some'])

const folder = temporaryFolder(beforeAll, afterAll)
let store: Store
beforeAll(async () => {
  store = await openRunStore(folder.join('runs.sqlite'))
})
afterAll(() => store.close())

const app = (more = {}) =>
  createApp({ models: [servedModel(noter)], store, uploads: folder.join('uploads'), ...more })

/** Every route with its own method, and some that do not exist. */
const routesOf = ({ routes }: Hono) => [
  ...new Map(
    routes
      .filter(({ method, path }) => !(method === 'ALL' && path === '/*') && method !== 'TRACE')
      .map(({ method, path }) => ({
        method: method === 'ALL' ? 'GET' : method,
        path: path.replace(/:\w+(\{[^}]*\})?/g, 'some').replaceAll('*', 'some'),
      }))
      .map((route) => [`${route.method} ${route.path}`, route]),
  ).values(),
  ...['/', '/v1', '/v1/none', '/api', '/api/none', '/.env', '/healthz/more', '//healthz', '/HEALTHZ'].map(
    (path) => ({ method: 'GET', path }),
  ),
]

it('what changes something is refused to pages of other sites, and to no page of its own', async () => {
  const server = app({ origins: ['https://app.example'] })
  const changing = routesOf(server).filter(({ method }) => method !== 'GET')
  expect(changing.length).toBeGreaterThan(10)
  for (const { method, path } of changing) {
    const ask = async (origin: string) => {
      const headers = { host: 'localhost', origin }
      return (await server.request(`http://localhost${path}`, { method, headers })).status
    }
    expect([path, await ask('https://evil.example'), await ask('null')]).toEqual([path, 403, 403])
    expect([403, 500]).not.toContain(await ask('http://localhost'))
    expect([403, 500]).not.toContain(await ask('https://app.example'))
  }
})

describe('where there are keys', () => {
  it('every route needs one, but for a short list', async () => {
    const guarded = app({ findKey: async () => undefined })
    const routes = routesOf(guarded)
    expect(routes.length).toBeGreaterThan(20)
    const answered: string[] = []
    for (const { method, path } of routes) {
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { origin: 'https://evil.example' }]) {
        const { status } = await guarded.request(`http://localhost${path}`, {
          method,
          headers: { host: 'localhost', ...headers },
        })
        // Requests of pages from other sites are refused before keys are checked.
        if (status !== 401 && !('origin' in headers && status === 403)) answered.push(path)
      }
    }
    expect(new Set(answered)).toEqual(open)
  })

  it('a browser may ask beforehand for a page that is named, and for no other', async () => {
    const guarded = app({ findKey: async () => undefined, origins: ['https://app.example'] })
    const ask = (origin: string) =>
      guarded.request('http://localhost/v1/chat/completions', {
        method: 'OPTIONS',
        headers: {
          ...{ host: 'localhost', origin, 'access-control-request-method': 'POST' },
          'access-control-request-headers': 'authorization',
        },
      })
    const named = await ask('https://app.example')
    expect([named.status, named.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example',
    ])
    const other = await ask('https://evil.example')
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })
})

it('every reply keeps a browser from guessing, framing, keeping and telling where it came from', async () => {
  const plain = app()
  for (const { method, path } of routesOf(plain)) {
    const { headers } = await plain.request(`http://localhost${path}`, {
      method,
      headers: { host: 'localhost' },
    })
    const found = Object.fromEntries(headers)
    expect([method, path, found]).toEqual([
      method,
      path,
      expect.objectContaining({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
      }),
    ])
    // The page is the only HTML, and it is ours.
    if (path !== '/') expect(found['content-type'] ?? '').not.toContain('text/html')
    expect(found['access-control-allow-origin']).toBeUndefined()
  }
})

it('no route answers TRACE', async () => {
  const plain = app()
  for (const { path } of routesOf(plain)) {
    // HTTP clients refuse to send it.
    const request = new Request(`http://localhost${path}`, { headers: { host: 'localhost' } })
    Object.defineProperty(request, 'method', { value: 'TRACE' })
    expect([path, (await plain.fetch(request)).status]).toEqual([path, 404])
  }
})

it('every route refuses another host', async () => {
  const plain = app()
  for (const { method, path } of routesOf(plain)) {
    const { status } = await plain.request(`http://localhost${path}`, {
      method,
      headers: { host: 'evil.example' },
    })
    expect([method, path, status]).toEqual([method, path, 403])
  }
})

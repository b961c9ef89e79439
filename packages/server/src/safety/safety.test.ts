/** A test for every line of what docs/serve.md promises about safety. */
import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listen } from '../listen.ts'
import { clientOf, noter, servedModel } from '../testing/served.ts'
import { createKey, hashOfKey } from './keys.ts'

const key = createKey()
const findKey = async (hash: string) => (hash === hashOfKey(key) ? { name: 'team', hash } : undefined)
const routes = [
  '/v1/models',
  '/v1/models/reader',
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1/unknown',
  '/',
  '/v1/../healthz/x',
]

interface Refused {
  readonly error: { readonly message: string }
}

describe('keys', () => {
  it.each(routes)('%s needs one where there are keys', async (route) => {
    const { app } = clientOf([servedModel(noter)], { findKey })
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      for (const authorization of [undefined, 'Bearer', 'Bearer wrong', `Basic ${key}`, `Bearer ${key}x`]) {
        const headers = { host: 'localhost', ...(authorization && { authorization }) }
        const { status } = await app.request(`http://localhost${route}`, { method, headers })
        expect(status).toBe(401)
      }
    }
  })

  it.each([{ authorization: `Bearer ${key}` }, { 'x-api-key': key }])('%o lets in', async (header) => {
    const { app } = clientOf([servedModel(noter)], { findKey })
    const headers: Record<string, string> = { host: 'localhost', ...header }
    expect((await app.request('http://localhost/v1/models', { headers })).status).toBe(200)
  })

  it('health needs none', async () => {
    const { app } = clientOf([servedModel(noter)], { findKey })
    for (const route of ['/healthz', '/readyz']) {
      expect((await app.request(`http://localhost${route}`, { headers: { host: 'localhost' } })).status).toBe(
        200,
      )
    }
  })
})

describe('other hosts and pages', () => {
  it.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:8642',
    '',
    '127.0.0.1.nip.io',
    'localhost@evil',
  ])('a request for the host %j is refused', async (host) => {
    const { app } = clientOf([servedModel(noter)])
    const { status } = await app.request('http://localhost/healthz', { headers: { host } })
    expect(status).toBe(403)
  })

  it('one that is refused is named, as data, with the option that makes it known', async () => {
    const { app } = clientOf([servedModel(noter)])
    const refused = async (host: string) =>
      ((await (await app.request('http://localhost/v1/models', { headers: { host } })).json()) as Refused)
        .error.message
    expect(await refused('Box.example:8642')).toMatch(/Host is "Box\.example:8642"\.\n.*--host box\.example$/)
    const odd = await refused(`"\u009b31m${'a'.repeat(5000)}`)
    expect(odd).toMatch(/Host is "\\"\?31ma+"\.\n.*--host NAME$/)
    expect(odd.length).toBeLessThan(300)
  })

  it.each(['localhost', 'LOCALHOST:8642', '127.0.0.1:1', '[::1]:8642'])('%s is this host', async (host) => {
    const { app } = clientOf([servedModel(noter)])
    expect((await app.request('http://localhost/healthz', { headers: { host } })).status).toBe(200)
  })

  it('no page of another origin may read replies, unless it is named', async () => {
    const ask = async (origins: string[]) => {
      const { app } = clientOf([servedModel(noter)], { origins })
      const headers = { host: 'localhost', origin: 'https://app.example' }
      const reply = await app.request('http://localhost/v1/models', { headers })
      return reply.headers.get('access-control-allow-origin')
    }
    expect(await ask([])).toBeNull()
    expect(await ask(['https://other.example'])).toBeNull()
    expect(await ask(['https://app.example'])).toBe('https://app.example')
  })

  it('replies carry the headers that keep a browser from guessing, framing and keeping', async () => {
    const { app } = clientOf([servedModel(noter)])
    for (const route of ['/v1/models', '/nothing']) {
      const { headers } = await app.request(`http://localhost${route}`, { headers: { host: 'localhost' } })
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('listening', () => {
  it('elsewhere than on this machine needs keys', async () => {
    const models = [servedModel(noter)]
    await expect(listen({ models, address: '0.0.0.0', port: 0 })).rejects.toMatchObject({
      code: 'server/needs-keys',
    })
  })

  it('knows the names that were added, and still its own', async () => {
    const server = await listen({ models: [servedModel(noter)], hosts: ['box.example'], port: 0 })
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(`${server.url}/healthz`, { headers: { host } }, (reply) => resolve(reply.resume().statusCode)).on(
          'error',
          reject,
        )
      })
    expect(await Promise.all(['box.example', 'localhost', 'evil.example'].map(statusFor))).toEqual([
      200, 200, 403,
    ])
    await server.stop()
  })

  it("an address that is not this machine's is what is told to be changed", async () => {
    const failing = listen({ models: [servedModel(noter)], address: '203.0.113.1', port: 0, findKey })
    await expect(failing).rejects.toMatchObject({
      ...{ code: 'server/cannot-listen', hint: expect.stringMatching(/--address.*203\.0\.113\.1 is none/) },
    })
  })

  it('a port that is taken is one clear error', async () => {
    const models = [servedModel(noter)]
    const first = await listen({ models, port: 0 })
    const port = Number(new URL(first.url).port)
    await expect(listen({ models, port })).rejects.toMatchObject({ code: 'server/cannot-listen' })
    await first.stop()
  })
})

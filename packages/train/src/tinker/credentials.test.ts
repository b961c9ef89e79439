import { describe, expect, it } from 'vitest'
import { officialBaseUrl, resolveAddress, tokenCredentials } from './credentials.ts'

describe('resolveAddress', () => {
  it('takes options before the environment, and the official service last', () => {
    const environment = { TINKER_BASE_URL: 'http://env:1/prefix/', TINKER_API_KEY: 'tml-env' }
    expect(resolveAddress({}, environment, 'api-key')).toEqual({
      baseUrl: 'http://env:1/prefix',
      apiKey: 'tml-env',
    })
    expect(resolveAddress({ baseUrl: 'http://own/', apiKey: 'tml-own' }, environment, 'api-key')).toEqual({
      baseUrl: 'http://own',
      apiKey: 'tml-own',
    })
    expect(resolveAddress({ apiKey: 'eyJ.a.b' }, {}, 'api-key').baseUrl).toBe(officialBaseUrl)
  })

  it('sends no key to a server that needs none', () => {
    expect(resolveAddress({ baseUrl: 'http://a', apiKey: 'secret' }, {}, 'none').apiKey).toBeUndefined()
  })

  it.each([
    [{ baseUrl: 'localhost:8000' }, 'tinker/base-url'],
    [{ baseUrl: 'nowhere' }, 'tinker/base-url'],
    [{ baseUrl: 'http://me:secret@a' }, 'tinker/base-url'],
    [{ baseUrl: 'http://a?key=secret' }, 'tinker/base-url'],
    [{ baseUrl: 'a?key=secret' }, 'tinker/base-url'],
    [{ baseUrl: 'http://a' }, 'tinker/no-api-key'],
    [{ baseUrl: 'http://a', apiKey: 'sk-other' }, 'tinker/api-key-form'],
  ])('refuses %j', (options, code) => {
    expect(() => resolveAddress(options, {}, 'api-key')).toThrow(expect.objectContaining({ code }))
    expect(() => resolveAddress(options, {}, 'api-key')).not.toThrow(/secret/)
  })
})

describe('tokenCredentials', () => {
  const minute = 60_000
  const tokenUntil = (ms: number) =>
    `eyJ.${Buffer.from(JSON.stringify({ exp: ms / 1000 })).toString('base64url')}.s`

  it('renews five minutes before expiry, once for all requests, and waits for it in the last minute', async () => {
    let now = 0
    let exchanges = 0
    const pending: (() => void)[] = []
    const credentials = tokenCredentials(
      () =>
        new Promise((resolve) => {
          const until = ++exchanges * 60 * minute
          pending.push(() => resolve(tokenUntil(until)))
        }),
      () => now,
    )
    const first = [credentials.current(), credentials.current()]
    pending.shift()!()
    expect(await Promise.all(first)).toEqual([tokenUntil(60 * minute), tokenUntil(60 * minute)])
    now = 54 * minute
    await credentials.current()
    expect(exchanges).toBe(1)
    now = 56 * minute
    expect(await credentials.current()).toBe(tokenUntil(60 * minute))
    expect(exchanges).toBe(2)
    now = 59.5 * minute
    const late = credentials.current()
    pending.shift()!()
    expect(await late).toBe(tokenUntil(120 * minute))
    expect(exchanges).toBe(2)
  })

  it('accepts a token without an expiry time', async () => {
    const credentials = tokenCredentials(async () => 'opaque', Date.now)
    expect(await credentials.current()).toBe('opaque')
  })
})

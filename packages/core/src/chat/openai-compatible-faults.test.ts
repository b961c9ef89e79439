import { afterEach, describe, expect, test } from 'vitest'
import {
  ChatError,
  ChatTimeoutError,
  type MemAgentError,
  OverlongPromptError,
  RateLimitedError,
} from '../errors.ts'
import type { Fault } from '../testing/stub-faults.ts'
import { call, failure, start, stop, user } from '../testing/stubbed-chat.ts'

afterEach(stop)

describe('passing faults end in the right answer', () => {
  const passing: [string, Fault, number[]?][] = [
    ['429 with Retry-After in seconds', { kind: 'rate-limit', retryAfter: '2' }, [2025]],
    ['429 with retry-after-ms', { kind: 'rate-limit', retryAfterMs: 70 }, [95]],
    ['429 without', { kind: 'rate-limit' }, [250]],
    ['500', { kind: 'status', status: 500 }, [250]],
    ['503 with Retry-After', { kind: 'status', status: 503, headers: { 'retry-after': '1' } }, [1025]],
    ['408', { kind: 'status', status: 408 }, [250]],
    ['409', { kind: 'status', status: 409 }, [250]],
    ['a reset in the middle of the body', { kind: 'reset' }, [250]],
    ['a reset before the answer', { kind: 'refuse' }, [250]],
    ['truncated JSON', { kind: 'truncated-json' }, [250]],
  ]
  test.each(passing)('%s', async (_, fault, expected) => {
    const { model, stub, slept } = await start({ faults: [fault] })
    expect((await model.generate(user('the answer'), call)).text).toBe('the answer')
    expect(stub.calls).toHaveLength(2)
    expect(slept).toEqual(expected)
  })

  test('a quota that is renewed soon is a rate limit, not an exhausted account', async () => {
    const message = 'You exceeded your current quota, please check your plan. Please retry in 31.5s.'
    const { model, slept } = await start({ faults: [{ kind: 'status', status: 429, message }] })
    expect((await model.generate(user('the answer'), call)).text).toBe('the answer')
    expect(slept).toEqual([31_525])
  })

  test.each([
    [
      429,
      'Request too large for gpt-4 in organization o on tokens per min (TPM): Limit 10000, Requested 12000. The input or output tokens must be reduced in order to run successfully.',
    ],
    [413, 'Request body too large for gpt-4o-mini model. Max size: 8000 tokens.'],
  ])(
    'a request that exceeds what may be sent in a minute (%d) is not sent again',
    async (status, message) => {
      const { model, slept } = await start({ faults: [{ kind: 'status', status, message }] })
      await expect(model.generate(user('a'), call)).rejects.toMatchObject({
        code: 'chat/overlong-prompt',
        hint: expect.stringContaining('lower the window budget'),
      })
      expect(slept).toEqual([])
    },
  )

  test('429 with an HTTP date', async () => {
    const { model, slept } = await start(
      { faults: [{ kind: 'rate-limit', retryAfter: 'Thu, 01 Jan 2026 00:00:09 GMT' }] },
      { now: () => Date.parse('2026-01-01T00:00:00Z') },
    )
    await model.generate(user('a'), call)
    expect(slept).toEqual([9025])
  })

  test('a server that never answers, and one that falls silent', async () => {
    const { model, stub } = await start(
      { faults: [{ kind: 'hang' }, { kind: 'stall' }] },
      { timeoutMs: 500, idleTimeoutMs: 400 },
    )
    expect((await model.generate(user('the answer'), call)).text).toBe('the answer')
    expect(stub.calls).toHaveLength(3)
  })

  test('a page or a 404 where calls have succeeded: a proxy that has lost its server', async () => {
    const page = { kind: 'html', status: 404 } as const
    const { model, slept } = await start({ faults: [undefined, page, { kind: 'status', status: 404 }] })
    await model.generate(user('a'), call)
    expect((await model.generate(user('the answer'), call)).text).toBe('the answer')
    expect(slept).toHaveLength(2)
  })

  test('a series of different faults, each reported before the next attempt', async () => {
    const notices: string[] = []
    const { model } = await start(
      { faults: [{ kind: 'refuse' }, { kind: 'rate-limit' }, { kind: 'truncated-json' }, { kind: 'reset' }] },
      { onWait: ({ attempt, code }) => notices.push(`${attempt} ${code}`) },
    )
    expect((await model.generate(user('the answer'), call)).text).toBe('the answer')
    expect(notices).toEqual([
      '2 chat/connection',
      '3 chat/rate-limited',
      '4 chat/broken-response',
      '5 chat/connection',
    ])
  })
})

describe('lasting faults end in one clear error', () => {
  const lasting: [string, Fault, typeof MemAgentError, string, RegExp, number][] = [
    [
      '429',
      { kind: 'rate-limit' },
      RateLimitedError,
      'chat/rate-limited',
      /rate of requests \(429\).*36 attempts in 15 min/,
      36,
    ],
    ['500', { kind: 'status', status: 500 }, ChatError, 'chat/server-fault', /failed \(500\): fault 500/, 5],
    ['a reset', { kind: 'reset' }, ChatError, 'chat/connection', /connection to .* broke/, 5],
    ['broken JSON', { kind: 'truncated-json' }, ChatError, 'chat/broken-response', /was cut off/, 5],
    ['no choices', { kind: 'no-choices' }, ChatError, 'chat/empty-response', /without a choice/, 1],
    ['a web page', { kind: 'html' }, ChatError, 'chat/wrong-url', /web page/, 1],
    [
      'a web page with 404',
      { kind: 'html', status: 404 },
      ChatError,
      'chat/wrong-url',
      /web page \(404\)/,
      1,
    ],
    ['404', { kind: 'status', status: 404 }, ChatError, 'chat/wrong-url', /does not exist/, 1],
    ['403', { kind: 'status', status: 403 }, ChatError, 'chat/key-refused', /refused the key/, 1],
    [
      'no quota',
      { kind: 'status', status: 429, code: 'insufficient_quota' },
      ChatError,
      'chat/quota-exhausted',
      /no quota left/,
      1,
    ],
    ['no money', { kind: 'status', status: 402 }, ChatError, 'chat/quota-exhausted', /no quota left/, 1],
    [
      'a parameter',
      { kind: 'status', status: 400, param: 'temperature', message: 'does not support 0' },
      ChatError,
      'chat/rejected-parameter',
      /rejected the request \(400\): does not support 0/,
      1,
    ],
    ['too long', { kind: 'context-length' }, OverlongPromptError, 'chat/overlong-prompt', /does not fit/, 1],
  ]
  test.each(lasting)('%s', async (_, fault, kind, code, message, calls) => {
    const { model, stub } = await start({ faults: () => fault })
    const error = await failure(model.generate(user('a'), call))
    expect(error).toBeInstanceOf(kind)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
    expect(stub.calls).toHaveLength(calls)
    expect(() => JSON.stringify(error.details)).not.toThrow()
  })

  test('a server that never answers', async () => {
    const { model } = await start(
      { faults: () => ({ kind: 'hang' }) },
      { timeoutMs: 30, retry: { attempts: 2 } },
    )
    const error = await failure(model.generate(user('a'), call))
    expect(error).toBeInstanceOf(ChatTimeoutError)
    expect(error.message).toMatch(/did not answer within 30 ms \(2 attempts\)/)
  })

  test('a prompt that is too long comes with the numbers', async () => {
    const { model } = await start({ contextWindow: 100 })
    const error = await failure(model.generate(user('word '.repeat(90)), call))
    expect(error.details).toMatchObject({ promptTokens: 90, maxTokens: 16, contextWindow: 100 })
  })

  test('an address where nobody listens fails at once if the server never answered', async () => {
    const { model, stub, slept } = await start()
    await stub.close()
    const error = await failure(model.generate(user('a'), call))
    expect(error.code).toBe('chat/unreachable')
    expect(error.message).toMatch(/nothing listens there \(ECONNREFUSED\)$/)
    expect(slept).toEqual([])
  })

  test('a server that went away is waited for', async () => {
    const { model, stub, slept } = await start()
    await model.generate(user('a'), call)
    await stub.close()
    const error = await failure(model.generate(user('a'), call))
    expect(error.message).toMatch(/36 attempts in 15 min/)
    expect(slept).toHaveLength(35)
  })

  test('a host that does not exist', async () => {
    const fetch = async () => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }),
      })
    }
    const { model } = await start({}, { fetch })
    const error = await failure(model.generate(user('a'), call))
    expect(error.message).toMatch(/no host with that name \(ENOTFOUND\)/)
    expect(error.hint).toMatch(/base URL/)
  })

  test.each([
    ['Proxy response (403) !== 200 when HTTP Tunneling', 'UND_ERR_ABORTED', /HTTP 403/, /NO_PROXY/],
    [
      'Failed to establish tunnel to api.example:443 via http://127.0.0.1:9: HTTP/1.1 407 Wanted',
      'ERR_PROXY_TUNNEL',
      /HTTP 407/,
      /a name and a password/,
    ],
  ])(
    'a proxy that refuses is not taken for a server that crashed: %s',
    async (words, code, message, hint) => {
      const fetch = async () => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(words), { code }) })
      }
      const { model, slept } = await start({}, { fetch })
      const error = await failure(model.generate(user('a'), call))
      expect(error.code).toBe('chat/proxy')
      expect(error.message).toMatch(message)
      expect(error.hint).toMatch(hint)
      expect(slept).toEqual([])
    },
  )

  const refused = { code: 'ECONNREFUSED', address: '127.0.0.1', port: 3128 }
  test.each([
    ['that nobody listens on', refused, '127.0.0.1:3128'],
    ['of several addresses', { code: 'ECONNREFUSED', errors: [refused] }, '127.0.0.1:3128'],
    ['without a host', { code: 'ENOTFOUND', hostname: 'proxy.example' }, 'proxy.example'],
  ])('a proxy %s is not taken for an absent server', async (_, fault, proxy) => {
    const fetch = async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), fault) })
    }
    const { model, slept } = await start({}, { fetch })
    const error = await failure(model.generate(user('a'), call))
    expect(error.code).toBe('chat/unreachable')
    expect(error.message).toContain(`No proxy at ${proxy}, between here and http://127.0.0.1:`)
    expect(error.hint).toMatch(/HTTPS_PROXY/)
    expect(slept).toEqual([])
  })

  test('an unknown model: the known ones are listed', async () => {
    const { model } = await start({ models: ['qwen', 'llama'] })
    const error = await failure(model.generate(user('a'), call))
    expect(error.code).toBe('chat/unknown-model')
    expect(error.hint).toBe('It knows: qwen, llama')
  })

  test('an error inside a 200', async () => {
    const fetch = async () => Response.json({ error: { message: 'slow down', code: 429 } })
    const { model } = await start({}, { fetch, retry: { attempts: 1 } })
    expect(await failure(model.generate(user('a'), call))).toBeInstanceOf(RateLimitedError)
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import {
  ChatError,
  ChatTimeoutError,
  ConfigurationError,
  MemAgentError,
  OverlongPromptError,
  RateLimitedError,
} from '../errors.ts'
import { chatContract } from '../testing/chat-contract.ts'
import { registerCases } from '../testing/contract-case.ts'
import type { Fault } from '../testing/stub-faults.ts'
import { createStubServer, type StubServer, type StubServerOptions } from '../testing/stub-server.ts'
import type { ChatModel } from './chat.ts'
import { createOpenAICompatibleModel, type OpenAICompatibleOptions } from './openai-compatible.ts'

const user = (content: string) => [{ role: 'user' as const, content }]
const call = { maxTokens: 16 }
const key = 'sk-verysecret-0123456789'

let server: StubServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A model before a stub server; waits between attempts take no time and are recorded. */
async function start(
  stub: StubServerOptions = {},
  options: Partial<OpenAICompatibleOptions> = {},
): Promise<{ model: ChatModel; stub: StubServer; slept: number[] }> {
  server = await createStubServer(stub)
  const slept: number[] = []
  const model = createOpenAICompatibleModel({
    baseUrl: server.baseUrl,
    model: 'stub',
    timeoutMs: 5000,
    random: () => 0.5,
    sleep: async (ms) => void slept.push(ms),
    ...options,
  })
  return { model, stub: server, slept }
}

async function failure(promise: Promise<unknown>): Promise<MemAgentError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(MemAgentError)
  return error as MemAgentError
}

describe('contract', () => {
  const cases = chatContract({
    create: async () => (await start({ contextWindow: 300, delayMs: 3 })).model,
    dispose: () => server?.close(),
    overlong: user('word '.repeat(300)),
    echoes: true,
    logprobs: true,
  })
  // A lone surrogate comes back as the replacement character it was sent as.
  registerCases(cases, test)
})

describe('a request', () => {
  test('carries the settings of the call, then of the model, then of the profile', async () => {
    const { model, stub } = await start(
      {},
      { apiKey: key, topP: 0.8, temperature: 0.3, extraBody: { top_k: 20, model: 'ignored' } },
    )
    await model.generate(user('hello'), {
      maxTokens: 7,
      temperature: 0,
      seed: 5,
      stop: ['\n'],
      logprobs: true,
    })
    expect(stub.calls[0]?.body).toEqual({
      model: 'stub',
      messages: [{ role: 'user', content: 'hello' }],
      stream: false,
      max_tokens: 7,
      temperature: 0,
      top_p: 0.8,
      seed: 5,
      stop: ['\n'],
      logprobs: true,
      top_k: 20,
    })
    expect(stub.calls[0]?.headers.authorization).toBe(`Bearer ${key}`)
  })

  test('keeps the number of calls at once within the limit', async () => {
    const { model, stub } = await start({ delayMs: 3 }, { concurrency: 3 })
    await Promise.all(Array.from({ length: 12 }, (_, i) => model.generate(user(`${i}`), call)))
    expect(stub.peakConcurrency).toBe(3)
  })

  test('learns once that a model wants max_completion_tokens', async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    const { model, stub, slept } = await start({
      faults: ({ body }) => ('max_tokens' in body ? { kind: 'status', status: 400, message } : undefined),
    })
    await model.generate(user('a'), call)
    await model.generate(user('b'), call)
    expect(stub.calls.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [16, undefined],
      [undefined, 16],
      [undefined, 16],
    ])
    expect(slept).toEqual([])
  })
})

describe('an answer', () => {
  test('has its reasoning split off, from the field and from the text', async () => {
    const { model } = await start({ respond: () => ({ text: '<think>b</think>\nParis', reasoning: 'a' }) })
    const result = await model.generate(user('capital of France?'), call)
    expect(result.text).toBe('Paris')
    expect(result.reasoning).toBe('a\n\nb')
  })

  test("keeps the server's word for why it ended", async () => {
    const { model } = await start({ respond: () => ({ text: 'no', finishReason: 'content_filter' }) })
    expect((await model.generate(user('a'), call)).finishReason).toEqual({
      unified: 'refusal',
      raw: 'content_filter',
    })
  })

  test('may be empty: that is for the caller to judge', async () => {
    const { model } = await start({ faults: [{ kind: 'empty-text' }] })
    expect(await model.generate(user('a'), call)).toMatchObject({
      text: '',
      finishReason: { unified: 'stop' },
    })
  })
})

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

  test('a row of different ones, each reported before the next attempt', async () => {
    const notices: string[] = []
    const { model } = await start(
      { faults: [{ kind: 'refuse' }, { kind: 'rate-limit' }, { kind: 'truncated-json' }, { kind: 'reset' }] },
      { onRetry: ({ attempt, error }) => notices.push(`${attempt} ${error.code}`) },
    )
    expect((await model.generate(user('the answer'), call)).text).toBe('the answer')
    expect(notices).toEqual([
      '1 chat/connection',
      '2 chat/rate-limited',
      '3 chat/broken-response',
      '4 chat/connection',
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
      /slow down \(429\).*5 attempts/,
      5,
    ],
    ['500', { kind: 'status', status: 500 }, ChatError, 'chat/server-fault', /failed \(500\): fault 500/, 5],
    ['a reset', { kind: 'reset' }, ChatError, 'chat/connection', /connection to .* broke/, 5],
    ['broken JSON', { kind: 'truncated-json' }, ChatError, 'chat/broken-response', /broke off/, 5],
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
    ['404', { kind: 'status', status: 404 }, ChatError, 'chat/wrong-url', /is not there/, 1],
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

  test('nobody listens there: said at once, before any answer', async () => {
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
    expect(error.message).toMatch(/5 attempts/)
    expect(slept).toHaveLength(4)
  })

  test('a host that does not exist', async () => {
    const fetch = async () => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }),
      })
    }
    const { model } = await start({}, { fetch })
    const error = await failure(model.generate(user('a'), call))
    expect(error.message).toMatch(/no host of that name \(ENOTFOUND\)/)
    expect(error.hint).toMatch(/base URL/)
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

describe('abort', () => {
  test('ends a pending wait between attempts', async () => {
    server = await createStubServer({ faults: () => ({ kind: 'rate-limit', retryAfter: '60' }) })
    const model = createOpenAICompatibleModel({ baseUrl: server.baseUrl, model: 'stub' })
    const controller = new AbortController()
    const reason = new Error('stop')
    const answer = model.generate(user('a'), { ...call, signal: controller.signal })
    setTimeout(() => controller.abort(reason), 60)
    await expect(answer).rejects.toBe(reason)
  })

  test('ends a call that never answers, and frees its place', async () => {
    const { model } = await start({ faults: [{ kind: 'hang' }] }, { concurrency: 1 })
    const controller = new AbortController()
    const hanging = model.generate(user('a'), { ...call, signal: controller.signal })
    const waiting = model.generate(user('b'), call)
    setTimeout(() => controller.abort(new Error('stop')), 30)
    await expect(hanging).rejects.toThrow('stop')
    expect((await waiting).text).toBe('b')
  })

  test('leaves no listeners on a signal that lives as long as the run', async () => {
    const { model } = await start()
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(signal, args)
    }
    for (let i = 0; i < 20; i++) await model.generate(user('a'), { ...call, signal })
    expect(listeners).toBe(0)
  })
})

describe('the key', () => {
  test('is in no error, not even when the server echoes it', async () => {
    const { model } = await start({ apiKey: 'another' }, { apiKey: key })
    const error = await failure(model.generate(user('a'), call))
    expect(error.code).toBe('chat/key-refused')
    const shown = `${error.stack} ${JSON.stringify(error)} ${JSON.stringify(error.details)} ${error.hint} ${error.cause}`
    expect(shown).not.toContain('verysecret')
    expect(error.message).toContain('Incorrect API key provided: Bearer [key]')
  })

  test('that no header can carry is refused without printing it', () => {
    for (const apiKey of ['sk-verysecret\nx', 'sk-verysecr\u00E9t', 'sk verysecret']) {
      const make = () => createOpenAICompatibleModel({ baseUrl: 'http://localhost/v1', model: 'm', apiKey })
      expect(make).toThrow(ConfigurationError)
      expect(make).not.toThrow(/verysecr/)
    }
  })

  test('in the URL is refused without printing it', () => {
    const make = () =>
      createOpenAICompatibleModel({ baseUrl: 'http://me:verysecret@localhost/v1', model: 'm' })
    expect(make).toThrow(/holds a user name or password/)
    expect(make).not.toThrow(/verysecret/)
  })
})

test.each(['localhost:8000', 'no url', 'ftp://x/v1', ''])('a base URL that is none: %s', (baseUrl) => {
  expect(() => createOpenAICompatibleModel({ baseUrl, model: 'm' })).toThrow(ConfigurationError)
})

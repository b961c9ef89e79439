import { afterEach, describe, expect, test } from 'vitest'
import { ConfigurationError } from '../errors.ts'
import { chatContract } from '../testing/chat-contract.ts'
import { registerCases } from '../testing/contract-case.ts'
import { call, failure, key, start, stop, user } from '../testing/stubbed-chat.ts'
import type { WaitNotice } from './chat.ts'
import { createOpenAICompatibleModel } from './openai-compatible.ts'

afterEach(stop)

describe('contract', () => {
  const cases = chatContract({
    create: async () => (await start({ contextWindow: 300, delayMs: 3 })).model,
    dispose: stop,
    overlong: user('word '.repeat(300)),
    echoes: true,
    logprobs: true,
  })
  // A lone surrogate comes back as the replacement character it was sent as.
  registerCases(cases, test)
})

describe('a request', () => {
  test('uses the settings of the call, then of the model, then of the profile', async () => {
    const { model, stub } = await start(
      {},
      { apiKey: key, sampling: { topP: 0.8, temperature: 0.3 }, extraBody: { top_k: 20, model: 'ignored' } },
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
  test('is split from its reasoning, in the field and in the text', async () => {
    const { model } = await start({ respond: () => ({ text: '<think>b</think>\nParis', reasoning: 'a' }) })
    const result = await model.generate(user('capital of France?'), call)
    expect(result.text).toBe('Paris')
    expect(result.reasoning).toBe('a\n\nb')
  })

  test('tells how much of the prompt the server had in its cache, in the words of each', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5 }
    const cachedOf = async (more: object, beside: object = {}) => {
      const answer = { choices: [{ message: { content: 'a' } }], usage: { ...usage, ...more }, ...beside }
      const { model } = await start({}, { fetch: async () => Response.json(answer) })
      return (await model.generate(user('a'), call)).usage
    }
    const told = { promptTokens: 100, completionTokens: 5 }
    expect(await cachedOf({ prompt_tokens_details: { cached_tokens: 64 } })).toEqual({
      ...told,
      cachedPromptTokens: 64,
    })
    expect(await cachedOf({ prompt_cache_hit_tokens: 32 })).toEqual({ ...told, cachedPromptTokens: 32 })
    expect(await cachedOf({}, { timings: { cache_n: 0 } })).toEqual({ ...told, cachedPromptTokens: 0 })
    // Never more than the prompt has.
    expect(await cachedOf({ prompt_tokens_details: { cached_tokens: 640 } })).toEqual({
      ...told,
      cachedPromptTokens: 100,
    })
    for (const nothing of [null, {}, { cached_tokens: null }, 'x']) {
      expect(await cachedOf({ prompt_tokens_details: nothing })).toEqual(told)
    }
  })

  test('have an unknown number of tokens where the server sends -1', async () => {
    for (const field of ['prompt_tokens', 'completion_tokens']) {
      const usage = { prompt_tokens: 100, completion_tokens: 5, [field]: -1 }
      const answer = { choices: [{ message: { content: 'a' } }], usage }
      const { model } = await start({}, { fetch: async () => Response.json(answer) })
      expect(await model.generate(user('a'), call)).toMatchObject({ text: 'a', usage: undefined })
    }
  })

  test("keeps the server's own finish reason", async () => {
    const { model } = await start({ respond: () => ({ text: 'no', finishReason: 'content_filter' }) })
    expect((await model.generate(user('a'), call)).finishReason).toEqual({
      unified: 'refusal',
      raw: 'content_filter',
    })
  })

  test('may be streamed although no stream was requested', async () => {
    const { model, slept } = await start({ faults: [{ kind: 'event-stream' }] })
    const result = await model.generate(user('the answer'), { ...call, logprobs: true })
    expect(result).toMatchObject({
      text: 'the answer',
      usage: { promptTokens: 2, completionTokens: 2 },
      finishReason: { unified: 'stop', raw: 'stop' },
    })
    expect(result.logprobs?.map(({ token }) => token)).toEqual(['the', ' answer'])
    expect(slept).toEqual([])
  })

  test('that is cut off within such a stream is retried, and the error names the stream', async () => {
    const { model, slept } = await start({ faults: [{ kind: 'event-stream', isCut: true }] })
    expect((await model.generate(user('the answer'), call)).text).toBe('the answer')
    expect(slept).toHaveLength(1)
    const lasting = await start({ faults: () => ({ kind: 'event-stream', isCut: true }) })
    const error = await failure(lasting.model.generate(user('a'), call))
    expect(error.code).toBe('chat/broken-response')
    expect(error.message).toMatch(
      /was cut off: \d+ characters of an unrequested stream \(5 attempts in 3.8 s\)$/,
    )
  })

  test.each([false, '', {}, null])('may say that there was no error: %j', async (error) => {
    const choices = [{ message: { content: 'the answer' }, finish_reason: 'stop' }]
    const { model, slept } = await start({}, { fetch: async () => Response.json({ choices, error }) })
    expect((await model.generate(user('a'), call)).text).toBe('the answer')
    expect(slept).toEqual([])
  })

  test('without a body is told as that', async () => {
    const { model } = await start({}, { fetch: async () => new Response(''), retry: { attempts: 1 } })
    const error = await failure(model.generate(user('a'), call))
    expect(error.message).toMatch(/^The reply from .* was empty, with status 200/)
  })

  test('may be empty; callers judge that', async () => {
    const { model } = await start({ faults: [{ kind: 'empty-text' }] })
    expect(await model.generate(user('a'), call)).toMatchObject({
      text: '',
      finishReason: { unified: 'stop' },
    })
  })
})

describe('abort', () => {
  test('ends a pending wait between attempts', async () => {
    const { stub } = await start({ faults: () => ({ kind: 'rate-limit', retryAfter: '60' }) })
    const model = createOpenAICompatibleModel({ baseUrl: stub.baseUrl, model: 'stub' })
    const controller = new AbortController()
    const reason = new Error('stop')
    const onWait = () => void setImmediate(() => controller.abort(reason))
    const answer = model.generate(user('a'), { ...call, signal: controller.signal, onWait })
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

test('custom headers are sent with every request, and an authorization header replaces the key', async () => {
  const headers = { 'X-Team': 'readers', Authorization: 'Basic bWU6c2VjcmV0' }
  const { model, stub } = await start({}, { apiKey: key, headers })
  await model.generate(user('a'), call)
  expect(stub.calls[0]?.headers).toMatchObject({ 'x-team': 'readers', authorization: 'Basic bWU6c2VjcmV0' })
})

test('waits for a busy server before asking for its window, and reports the wait', async () => {
  const replies = [
    new Response('', { status: 503 }),
    Response.json({ data: [{ id: 'stub', max_model_len: 4096 }] }),
  ]
  const fetch = async () => replies.shift()!
  const waits: WaitNotice[] = []
  const { model } = await start({}, { fetch, onWait: (wait) => waits.push(wait) })
  expect(await model.describe!()).toEqual({ model: 'stub', contextWindow: 4096 })
  expect(waits).toMatchObject([{ call: 'description', reason: 'the server is busy (503)', attempt: 2 }])
})

test.each(['localhost:8000', 'no url', 'ftp://x/v1', ''])('an invalid base URL: %s', (baseUrl) => {
  expect(() => createOpenAICompatibleModel({ baseUrl, model: 'm' })).toThrow(ConfigurationError)
})

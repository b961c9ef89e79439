import { afterEach, describe, expect, it } from 'vitest'
import {
  ChatError,
  ChatTimeoutError,
  ConfigurationError,
  MemAgentError,
  RateLimitedError,
} from '../errors.ts'
import type { Fault } from '../testing/stub-faults.ts'
import { createStubServer, type StubServer, type StubServerOptions } from '../testing/stub-server.ts'
import { createOpenAIEmbeddings, type OpenAIEmbeddingsOptions } from './openai-embeddings.ts'

let server: StubServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const lengthAndWords = (texts: readonly string[]) =>
  texts.map((text) => [text.length, text.split(' ').length, 0.5])

/** An endpoint whose vectors are the characters and words of a text and one half; waits take no time and are recorded. */
async function start(stub: StubServerOptions = {}, options: Partial<OpenAIEmbeddingsOptions> = {}) {
  server = await createStubServer({ embed: lengthAndWords, ...stub })
  const slept: number[] = []
  const model = createOpenAIEmbeddings({
    baseUrl: server.baseUrl,
    model: 'stub',
    timeoutMs: 5000,
    random: () => 0.5,
    sleep: async (ms) => void slept.push(ms),
    ...options,
  })
  return { model, stub: server, slept }
}

/** A server that answers everything with this body. */
const answering = (body: unknown): typeof fetch =>
  (async () => new Response(typeof body === 'string' ? body : JSON.stringify(body))) as typeof fetch

async function failure(promise: Promise<unknown>): Promise<MemAgentError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(MemAgentError)
  return error as MemAgentError
}

describe('an embeddings endpoint', () => {
  it("gives one vector per text, in one request, and the server's token count", async () => {
    const { model, stub } = await start()
    const { vectors, promptTokens } = await model.embed(['one two', 'three'])
    expect(vectors.map((vector) => [...vector])).toEqual([
      [7, 2, 0.5],
      [5, 1, 0.5],
    ])
    expect(promptTokens).toBe(3)
    expect(stub.calls).toHaveLength(1)
    expect(stub.calls[0]?.body).toEqual({ model: 'stub', input: ['one two', 'three'] })
  })

  it('sends no request for no texts', async () => {
    const { model, stub } = await start()
    expect(await model.embed([])).toEqual({ vectors: [], promptTokens: 0 })
    expect(stub.callCount).toBe(0)
  })

  it('returns vectors in the order of their texts, whatever the order of the reply', async () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
    ]
    const { model } = await start({}, { fetch: answering({ data }) })
    const { vectors, promptTokens } = await model.embed(['a', 'b'])
    expect(vectors.map((vector) => [...vector])).toEqual([[1], [2]])
    expect(promptTokens).toBeUndefined()
  })

  it('sends the key, and never prints it', async () => {
    const key = 'sk-verysecret-0123456789'
    const { model } = await start({ apiKey: key }, { apiKey: key })
    expect((await model.embed(['a'])).vectors).toHaveLength(1)
    const refused = createOpenAIEmbeddings({
      baseUrl: server!.baseUrl,
      model: 'stub',
      apiKey: 'sk-wrong-42424242',
    })
    const error = await failure(refused.embed(['a']))
    expect(error.code).toBe('chat/key-refused')
    expect(JSON.stringify([error.message, error.details])).not.toContain('42424242')
  })

  it('replaces lone surrogates, which are not UTF-8', async () => {
    const { model, stub } = await start()
    await model.embed(['half \uD83D of a pair'])
    expect(stub.calls[0]?.body.input).toEqual(['half \uFFFD of a pair'])
  })
})

describe('faults', () => {
  it.each<[string, Fault]>([
    ['a server error', { kind: 'status', status: 503 }],
    ['a reset in the answer', { kind: 'reset' }],
    ['a reset before it', { kind: 'refuse' }],
    ['an answer that stops in the middle', { kind: 'truncated-json' }],
  ])('tries again after %s', async (_, fault) => {
    const { model, stub, slept } = await start({ faults: [fault, fault] })
    expect((await model.embed(['a'])).vectors).toHaveLength(1)
    expect(stub.callCount).toBe(3)
    // Half of 500 ms, then of 1000 ms.
    expect(slept).toEqual([250, 500])
  })

  it('waits as long as the server asks', async () => {
    const { model, slept } = await start({ faults: [{ kind: 'rate-limit', retryAfter: '7' }] })
    await model.embed(['a'])
    expect(slept).toEqual([7025])
  })

  it('gives up after the attempts of the policy, saying how many', async () => {
    const { model, stub } = await start(
      { faults: () => ({ kind: 'rate-limit' }) },
      { retry: { attempts: 3 } },
    )
    const error = await failure(model.embed(['a']))
    expect(error).toBeInstanceOf(RateLimitedError)
    expect(error.message).toContain('3 attempts')
    expect(stub.callCount).toBe(3)
  })

  it('does not wait for a reply forever', async () => {
    const { model } = await start({ faults: [{ kind: 'hang' }] }, { timeoutMs: 50, retry: { attempts: 1 } })
    expect(await failure(model.embed(['a']))).toBeInstanceOf(ChatTimeoutError)
  })

  it('names an unknown model, a wrong address and a web page at once', async () => {
    const unknown = { kind: 'status', status: 404, message: 'The model `stub` does not exist' } as const
    const { model, stub } = await start({
      faults: [unknown, { kind: 'html' }, { kind: 'status', status: 404 }],
    })
    expect((await failure(model.embed(['a']))).code).toBe('chat/unknown-model')
    expect((await failure(model.embed(['a']))).code).toBe('chat/wrong-url')
    expect((await failure(model.embed(['a']))).code).toBe('chat/wrong-url')
    expect(stub.callCount).toBe(3)
  })

  it('does not wait for an unreachable server', async () => {
    const { model, stub, slept } = await start()
    await stub.close()
    expect((await failure(model.embed(['a']))).code).toBe('chat/unreachable')
    expect(slept).toEqual([])
  })

  it.each<[string, unknown]>([
    ['too few vectors', { data: [{ index: 0, embedding: [1] }] }],
    ['a vector twice', { data: [0, 0].map((index) => ({ index, embedding: [1] })) }],
    ['vectors of two lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
    ['vectors as text', { data: [{ embedding: 'AACAPw==' }, { embedding: 'AACAPw==' }] }],
    ['empty vectors', { data: [{ embedding: [] }, { embedding: [] }] }],
    ['numbers that are none', { data: [{ embedding: [null] }, { embedding: [1] }] }],
    ['a chat answer', { choices: [{ message: { content: 'Hello' } }] }],
  ])('refuses %s', async (_, body) => {
    const { model, slept } = await start({}, { fetch: answering(body) })
    const error = await failure(model.embed(['a', 'b']))
    expect(error).toBeInstanceOf(ChatError)
    expect(error.code).toBe('chat/broken-embeddings')
    expect(slept).toEqual([])
  })

  it('ends with the reason of an abort, before and during a request', async () => {
    const { model } = await start({ faults: [{ kind: 'hang' }] })
    const reason = new Error('enough')
    await expect(model.embed(['a'], AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const asked = model.embed(['a'], controller.signal)
    setTimeout(() => controller.abort(reason), 20)
    await expect(asked).rejects.toBe(reason)
  })

  it('ends with the reason of an abort while it waits for a busy server', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const { model, stub } = await start(
      { faults: () => ({ kind: 'rate-limit', retryAfter: '60' }) },
      { sleep: undefined, onWait: () => void setTimeout(() => controller.abort(reason), 1) },
    )
    await expect(model.embed(['a'], controller.signal)).rejects.toBe(reason)
    expect(stub.callCount).toBe(1)
  })

  it('refuses a bad URL before anything is sent', () => {
    expect(() => createOpenAIEmbeddings({ baseUrl: 'localhost', model: 'x' })).toThrow(ConfigurationError)
  })
})

import { describe, expect, it } from 'vitest'
import { chunkDocument } from '../chunking/chunk-document.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { ConfigurationError } from '../errors.ts'
import { createServerTokenizer, type ServerTokenizerOptions } from './server.ts'

/** One token per word, with the white space before it. */
const tokensOf = (text: string) => (text.match(/\s*\S+|\s+/g) ?? []).map((_, i) => i)
const vllm = ({ prompt }: Record<string, unknown>) =>
  typeof prompt === 'string'
    ? Response.json({ count: tokensOf(prompt).length, max_model_len: 8192, tokens: tokensOf(prompt) })
    : Response.json({ object: 'error', message: 'Field required' }, { status: 400 })
const llamaCpp = ({ content }: Record<string, unknown>) =>
  Response.json({ tokens: typeof content === 'string' ? tokensOf(content) : [] })

interface Call {
  readonly url: string
  readonly authorization: string | null
  readonly body: Record<string, unknown>
}

function serverOf(answer: (body: Record<string, unknown>, call: number) => Response) {
  const calls: Call[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const body = JSON.parse(String(init?.body)) as Record<string, unknown>
    calls.push({ url: String(url), authorization: new Headers(init?.headers).get('authorization'), body })
    return answer(body, calls.length)
  }
  return { calls, fetch }
}

const create = (fetch: typeof globalThis.fetch, more: Partial<ServerTokenizerOptions> = {}) =>
  createServerTokenizer({
    baseUrl: 'http://box:8000/v1',
    model: 'qwen',
    fetch,
    sleep: async () => undefined,
    random: () => 0,
    ...more,
  })

describe('counts', () => {
  it('come from vLLM, without special tokens', async () => {
    const { calls, fetch } = serverOf(vllm)
    const tokenizer = (await create(fetch, { apiKey: 'secret' }))!
    expect(tokenizer).toMatchObject({ isExact: true, name: 'tokenizer of qwen at box:8000' })
    expect(tokenizer.encode).toBeUndefined()
    expect(await tokenizer.count('a tale of two cities')).toBe(5)
    expect(calls.at(-1)).toEqual({
      url: 'http://box:8000/tokenize',
      authorization: 'Bearer secret',
      body: { model: 'qwen', prompt: 'a tale of two cities', add_special_tokens: false },
    })
  })

  it('come from llama.cpp, which uses other fields', async () => {
    const { calls, fetch } = serverOf(llamaCpp)
    const tokenizer = (await create(fetch))!
    expect(await tokenizer.count('a tale of two cities')).toBe(5)
    expect(calls.at(-1)?.body).toEqual({
      content: 'a tale of two cities',
      add_special: false,
      parse_special: false,
    })
  })

  it('are requested once, also while a request is pending, and never for an empty text', async () => {
    const { calls, fetch } = serverOf(vllm)
    const tokenizer = (await create(fetch))!
    const before = calls.length
    expect(await Promise.all([tokenizer.count('a b'), tokenizer.count('a b')])).toEqual([2, 2])
    expect(tokenizer.count('a b')).toBe(2)
    expect(tokenizer.count('')).toBe(0)
    expect(calls.length - before).toBe(1)
  })

  it('are forgotten, the oldest first, before they fill the memory', async () => {
    const { calls, fetch } = serverOf(vllm)
    const tokenizer = (await create(fetch))!
    const long = (i: number) => `${i} ${'x'.repeat(400_000)}`
    for (let i = 0; i < 4; i++) await tokenizer.count(long(i))
    const before = calls.length
    await tokenizer.count(long(3))
    expect(calls.length).toBe(before)
    await tokenizer.count(long(0))
    expect(calls.length).toBe(before + 1)
  })

  it.each(['natural', 'exact'] as const)('cut chunks (%s) with a few calls each', async (mode) => {
    const { calls, fetch } = serverOf(vllm)
    const tokenizer = (await create(fetch))!
    const text = Array.from({ length: 3000 }, (_, i) => `word${i}${i % 12 === 11 ? '.\n\n' : ' '}`).join('')
    const chunks: string[] = []
    for await (const chunk of chunkDocument(createTextDocument(text), { maxTokens: 500, mode, tokenizer })) {
      expect(chunk.tokens).toBeLessThanOrEqual(500)
      expect(tokensOf(chunk.text).length).toBe(chunk.tokens)
      chunks.push(chunk.text)
    }
    expect(chunks.join('')).toBe(text)
    expect(calls.length / chunks.length).toBeLessThan(40)
  })
})

describe('without the endpoint', () => {
  it('there is no tokenizer: unknown path, another reply, no server', async () => {
    const answers = [
      () => new Response('Not Found', { status: 404 }),
      () => new Response('<html>', { status: 200 }),
      () => Response.json({ ok: true }),
    ]
    for (const answer of answers) expect(await create(serverOf(answer).fetch)).toBeUndefined()
    let calls = 0
    const unreachable = async () => {
      calls++
      throw new TypeError('fetch failed')
    }
    expect(await create(unreachable)).toBeUndefined()
    expect(calls).toBe(1)
  })

  it('a bad address is an error', async () => {
    await expect(create(serverOf(vllm).fetch, { baseUrl: 'box:8000' })).rejects.toThrow(ConfigurationError)
  })
})

describe('faults', () => {
  it('that pass are waited out', async () => {
    let faults = 2
    const { fetch } = serverOf((body) =>
      body.prompt === 'a b' && faults > 0 && faults-- > 0
        ? new Response('busy', { status: 503 })
        : vllm(body),
    )
    expect(await (await create(fetch))!.count('a b')).toBe(2)
    expect(faults).toBe(0)
  })

  it('of a busy server are waited out at the first request, too, so that a resumed run counts the same way', async () => {
    let faults = 3
    const waits: string[] = []
    const { fetch } = serverOf((body) =>
      faults-- > 0 ? new Response('slow down', { status: 429 }) : vllm(body),
    )
    const tokenizer = await create(fetch, { onWait: ({ call, reason }) => waits.push(`${call}: ${reason}`) })
    expect(await tokenizer?.count('a b')).toBe(2)
    expect(waits).toEqual(Array(3).fill('token-count: rate limit (429)'))
    const refused = serverOf(() => new Response('slow down', { status: 429 }))
    await expect(create(refused.fetch)).rejects.toMatchObject({ code: 'chat/rate-limited' })
  })

  it('of a gateway that answers "busy" for unknown paths lead to no tokenizer', async () => {
    const { calls, fetch } = serverOf(() => new Response('no server is available', { status: 503 }))
    expect(await create(fetch)).toBeUndefined()
    expect(calls).toHaveLength(8)
  })

  it('that last are errors with the address, and the next count is requested again', async () => {
    let isBroken = true
    const { fetch } = serverOf((body) =>
      body.prompt === 'a b' && isBroken ? new Response('no', { status: 400 }) : vllm(body),
    )
    const tokenizer = (await create(fetch))!
    await expect(tokenizer.count('a b')).rejects.toMatchObject({
      code: 'tokenizer/server',
      details: { url: 'http://box:8000/tokenize', status: 400 },
    })
    isBroken = false
    expect(await tokenizer.count('a b')).toBe(2)
  })

  it('an abort ends the first request and every count', async () => {
    const reason = new Error('enough')
    const aborted = AbortSignal.abort(reason)
    await expect(create(serverOf(vllm).fetch, { signal: aborted })).rejects.toBe(reason)
    const controller = new AbortController()
    const tokenizer = (await create(serverOf(vllm).fetch, { signal: controller.signal }))!
    controller.abort(reason)
    await expect(tokenizer.count('a b')).rejects.toBe(reason)
  })
})

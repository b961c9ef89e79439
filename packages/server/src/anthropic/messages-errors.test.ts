/** Errors of `/v1/messages`, as Anthropic's own client sees them. */
import Anthropic from '@anthropic-ai/sdk'
import { RateLimitedError } from '@memagent/core'
import { afterEach, describe, expect, it } from 'vitest'
import { listen, type RunningServer } from '../listen.ts'
import { createKey, hashOfKey } from '../safety/keys.ts'
import { clientOf, hangingModel, longText, noter, servedModel } from '../testing/served.ts'

const path = '/v1/messages'
const question = 'What is the key?'
const text = longText(2000)
const asked = {
  model: 'reader',
  max_tokens: 4096,
  messages: [
    { role: 'user' as const, content: text },
    { role: 'user' as const, content: question },
  ],
}

let server: RunningServer | undefined
afterEach(() => server?.stop())

describe('errors', () => {
  it('are classes of the client, and name the field that is wrong', async () => {
    const key = createKey()
    const findKey = async (hash: string) => (hash === hashOfKey(key) ? { name: 'team', hash } : undefined)
    server = await listen({ models: [servedModel(noter)], port: 0, findKey })
    const client = new Anthropic({ baseURL: server.url, apiKey: key, maxRetries: 0 })
    await expect(client.messages.create({ ...asked, model: 'other' })).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    )
    const unasked = [{ role: 'user' as const, content: `${text} ${question}` }]
    await expect(client.messages.create({ ...asked, messages: unasked })).rejects.toMatchObject({
      constructor: Anthropic.BadRequestError,
      type: 'invalid_request_error',
      message: expect.stringContaining('memagent.question'),
    })
    await expect(client.withOptions({ apiKey: 'wrong' }).messages.create(asked)).rejects.toMatchObject({
      constructor: Anthropic.AuthenticationError,
      type: 'authentication_error',
    })
  })

  it.each([
    ['is full of the requests of others', (key: string) => key, 65, 529, 'overloaded_error'],
    ['is asked too much by one client', () => 'the client', 33, 429, 'rate_limit_error'],
  ])('a server that %s says when to come again', async (_, clientOfKey, most, status, type) => {
    const { served, asked: isAsked } = hangingModel()
    const ending = new AbortController()
    const findKey = async (hash: string) => ({ name: clientOfKey(hash), hash })
    const { post } = clientOf([served], { readings: 1, findKey, signal: ending.signal })
    const send = (key: number) => post(path, asked, { 'x-api-key': String(key) })
    const waiting = Array.from({ length: most }, (_, i) => send(i))
    await isAsked
    const reply = await send(most)
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ type: 'error', error: { type } })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    ending.abort(new Error('over'))
    await Promise.all(waiting)
  })

  it('of the model’s server are passed on with the time to wait', async () => {
    const error = new RateLimitedError({
      code: 'chat/rate-limited',
      message: 'Slow down.',
      details: { retryAfterMs: 2500 },
    })
    const reply = await clientOf([servedModel([error])]).post(path, {
      ...asked,
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '3'])
  })

  it.each([
    ['tools', { tools: [{}] }, 'tools'],
    ['an image', { messages: [{ role: 'user', content: [{ type: 'image' }] }] }, 'messages.0.content.0.type'],
    [
      'an address',
      {
        messages: [
          { role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'http://x/' } }] },
        ],
      },
      'messages.0.content.0.source.type',
    ],
    [
      'citations',
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'document',
                source: { type: 'text', media_type: 'text/plain', data: 'x' },
                citations: { enabled: true },
              },
            ],
          },
        ],
      },
      'messages.0.content.0.citations.enabled',
    ],
    ['sequences to stop at', { stop_sequences: ['x'] }, 'stop_sequences'],
    ['what it does not know', { top_k: 5 }, 'top_k'],
    ['no limit of tokens', { max_tokens: undefined }, 'max_tokens'],
    ['no messages', { messages: [] }, 'messages'],
    [
      'a conversation without a word',
      { messages: [{ role: 'user', content: [{ type: 'thinking' }] }] },
      'messages',
    ],
    ['a question that is too long', { memagent: { question: 'why '.repeat(60) } }, 'memagent.question'],
  ])('%s is refused by its name', async (_, change, field) => {
    const served = servedModel(['never'])
    const { status, body } = await clientOf([served]).post(path, { ...asked, ...change })
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect(body.error.message).toContain(field)
    expect(served.model.calls).toHaveLength(0)
  })

  it('another version of the protocol is refused', async () => {
    const reply = await clientOf([servedModel([])]).post(path, asked, { 'anthropic-version': '2023-01-01' })
    expect(reply.status).toBe(400)
    expect(reply.body.error.message).toContain('anthropic-version')
  })

  it('of every kind come in the form of the protocol', async () => {
    const { app } = clientOf([servedModel([])], {
      mostBytes: 10,
      findKey: async (hash) => ({ name: 'one', hash }),
    })
    const send = async (route: string, init: RequestInit & { headers: Record<string, string> }) =>
      (await app.request(`http://localhost${route}`, init)).json()
    const headers = { host: 'localhost', 'x-api-key': 'x', 'content-type': 'application/json' }
    expect(await send(`${path}/batches`, { headers })).toMatchObject({ error: { type: 'not_found_error' } })
    expect(await send(path, { headers: { host: 'evil' } })).toMatchObject({
      error: { type: 'permission_error' },
    })
    const large = await send(path, { method: 'POST', headers, body: JSON.stringify(asked) })
    expect(large).toMatchObject({ type: 'error', error: { type: 'request_too_large' } })
  })
})

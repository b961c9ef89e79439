import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { openRunStore } from '@memagent/store'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listen } from './listen.ts'
import type { RequestLine } from './operations/operations.ts'
import { apiOf, longText, noter, noterUntil, servedModel, smallBudget } from './testing/served.ts'

const folder = temporaryFolder(beforeAll, afterAll)

const path = '/v1/chat/completions'
const body = (more: object = {}) =>
  JSON.stringify({
    model: 'reader',
    messages: [
      { role: 'user', content: longText(2000) },
      { role: 'user', content: 'What is the key?' },
    ],
    ...more,
  })
const headers = { 'content-type': 'application/json' }

it.each([
  ['without a profile', [{ ...servedModel(noter), profile: undefined }], /models\[0\] has no profile/],
  ['of one id', [servedModel(noter), servedModel(noter)], /Two models have the id/],
])('refuses models %s before the first request', async (_, models, message) => {
  await expect(listen({ models: models as never, port: 0 })).rejects.toMatchObject({
    code: 'server/models',
    message: expect.stringMatching(message),
  })
})

describe('over a socket', () => {
  it('answers', async () => {
    const server = await listen({ models: [servedModel(noter)], port: 0 })
    const reply = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: body() })
    expect(((await reply.json()) as { choices: { message: object }[] }).choices[0]!.message).toMatchObject({
      content: '48213',
    })
    await server.stop()
  })

  it('cuts off a client that takes nothing of its stream for a quarter of an hour', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const lines: RequestLine[] = []
    // More than sockets hold.
    const budget = { ...smallBudget, window: 9_000_000 }
    const models = [servedModel(() => 'calm '.repeat(3_000_000), { budget })]
    const server = await listen({ models, port: 0, onRequest: (line) => lines.push(line) })
    const { host, hostname, port } = new URL(server.url)
    const client = connect(Number(port), hostname)
    client.on('error', () => undefined)
    const messages = [{ role: 'user', content: 'Hello' }]
    const sent = body({ stream: true, max_tokens: 8_000_000, messages })
    client.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${sent.length}\r\n\r\n${sent}`,
    )
    await expect.poll(() => models[0]!.model.calls.length, { timeout: 20_000 }).toBe(1)
    // Without a listener, it takes what its buffer holds.
    await expect.poll(() => client.readableLength, { timeout: 20_000 }).toBeGreaterThan(10_000)
    await vi.advanceTimersByTimeAsync(14 * 60_000)
    expect(lines).toEqual([])
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    await expect.poll(() => lines).toMatchObject([{ status: 499 }])
    vi.useRealTimers()
    client.destroy()
    await server.stop()
  })

  it.each([{ stream: false }, { stream: true }])(
    'stops reading when the client goes away (%o)',
    async (more) => {
      let aborted: (() => void) | undefined
      const isAborted = new Promise<void>((resolve) => {
        aborted = resolve
      })
      let called: (() => void) | undefined
      const isCalled = new Promise<void>((resolve) => {
        called = resolve
      })
      const served = servedModel(({ options }) => {
        options.signal!.addEventListener('abort', () => aborted!())
        called!()
        return new Promise<string>(() => undefined)
      })
      const server = await listen({ models: [served], port: 0 })
      const controller = new AbortController()
      const asking = fetch(`${server.url}${path}`, {
        method: 'POST',
        headers,
        body: body(more),
        signal: controller.signal,
      })
        .then((reply) => reply.text())
        .catch(() => undefined)
      await isCalled
      controller.abort()
      await asking
      await isAborted
      expect(served.model.calls).toHaveLength(1)
      await server.stop()
    },
  )

  it('reads nothing where it cannot listen', async () => {
    const store = await openRunStore(folder.join('runs.sqlite'))
    const uploads = folder.join('uploads')
    const { served, stopped } = noterUntil(3)
    const api = apiOf([served], { store, uploads })
    const { body: run } = await api.post('/api/runs', { question: 'What is the key?', text: longText(1000) })
    await stopped
    await api.runs.close()
    const other = await listen({ models: [servedModel(noter)], port: 0 })
    const next = servedModel(noter)
    const port = Number(new URL(other.url).port)
    await expect(listen({ models: [next], store, uploads, port })).rejects.toMatchObject({
      code: 'server/cannot-listen',
    })
    await setTimeout(100)
    expect(next.model.calls).toEqual([])
    expect(await store.load(run.id)).toMatchObject({ state: 'unfinished' })
    await other.stop()
    const server = await listen({ models: [next], store, uploads, port })
    await vi.waitFor(async () => expect(await store.load(run.id)).toMatchObject({ state: 'finished' }))
    await server.stop()
    await store.close()
  })

  it('stops gracefully: who waits is told to come again', async () => {
    let called: (() => void) | undefined
    const isCalled = new Promise<void>((resolve) => {
      called = resolve
    })
    const served = servedModel(() => {
      called!()
      return new Promise<string>(() => undefined)
    })
    const server = await listen({ models: [served], port: 0 })
    const asking = fetch(`${server.url}${path}`, { method: 'POST', headers, body: body() })
    await isCalled
    await server.stop()
    const reply = await asking
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('5')
  })
})

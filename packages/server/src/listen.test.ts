import { describe, expect, it } from 'vitest'
import { listen } from './listen.ts'
import { longText, noter, servedModel } from './testing/served.ts'

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

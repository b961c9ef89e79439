import { expect, it } from 'vitest'
import { exchange } from './http-exchange.ts'

it.each([2 ** 31, 1e12, Number.POSITIVE_INFINITY])('waits when the time-out is %d ms', async (ms) => {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((done) => setTimeout(done, 30))
      controller.enqueue(new TextEncoder().encode('late'))
      controller.close()
    },
  })
  const fetch = async () => {
    await new Promise((done) => setTimeout(done, 30))
    return new Response(body)
  }
  const request = { method: 'GET', url: 'http://localhost', headers: {}, fetch } as const
  expect((await exchange({ ...request, timeoutMs: ms, idleTimeoutMs: ms })).text).toBe('late')
})

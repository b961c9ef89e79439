import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { chatContract } from '../testing/chat-contract.ts'
import { registerCases } from '../testing/contract-case.ts'
import { createStubServer, type StubServer, type StubServerOptions } from '../testing/stub-server.ts'
import { createOpenAICompatibleModel } from './openai-compatible.ts'
import { createPatientFetch } from './patient-fetch.ts'

let server: StubServer | undefined
afterEach(async () => server?.close())

async function start(stub: StubServerOptions) {
  server = await createStubServer(stub)
  return createOpenAICompatibleModel({
    baseUrl: server.baseUrl,
    model: 'stub',
    fetch: createPatientFetch(),
    timeoutMs: 800,
    sleep: async () => undefined,
  })
}

describe('a server model over it keeps the contract', () => {
  const cases = chatContract({
    create: () => start({ contextWindow: 300, delayMs: 3 }),
    dispose: () => server?.close(),
    overlong: [{ role: 'user', content: 'word '.repeat(300) }],
    echoes: true,
    logprobs: true,
  })
  registerCases(cases, test)
})

test('faults become the same errors as with the built-in fetch', async () => {
  const model = await start({
    faults: [
      { kind: 'reset' },
      { kind: 'refuse' },
      { kind: 'rate-limit', retryAfter: '1' },
      { kind: 'hang' },
    ],
  })
  const { text } = await model.generate([{ role: 'user', content: 'the answer' }], { maxTokens: 9 })
  expect(text).toBe('the answer')
  await server?.close()
  await expect(model.generate([{ role: 'user', content: 'a' }], { maxTokens: 9 })).rejects.toMatchObject({
    code: 'chat/unreachable',
  })
})

test('a body that a server compresses unasked is read, and one that ends too early is an error', async () => {
  const text = JSON.stringify({ text: 'the answer '.repeat(1000) })
  const bodies = {
    gzip: gzipSync(text),
    deflate: deflateSync(text),
    br: brotliCompressSync(text),
    half: gzipSync(text).subarray(0, 60),
  }
  const compressing = createServer(({ url }, response) => {
    const name = url!.slice(1) as keyof typeof bodies
    response.setHeader('content-encoding', name === 'half' ? 'gzip' : name)
    response.end(bodies[name])
  }).listen(0, '127.0.0.1')
  await once(compressing, 'listening')
  const bodyOf = async (name: string) => {
    const { port } = compressing.address() as AddressInfo
    return (await createPatientFetch()(`http://127.0.0.1:${port}/${name}`)).text()
  }
  for (const name of ['gzip', 'deflate', 'br']) expect(await bodyOf(name)).toBe(text)
  await expect(bodyOf('half')).rejects.toThrow()
  compressing.close()
})

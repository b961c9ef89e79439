import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer, type Server } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStubServer, type StubServer } from '../testing/stub-server.ts'
import { failure, user } from '../testing/stubbed-chat.ts'
import type { Fetch } from './http-exchange.ts'
import { createOpenAICompatibleModel } from './openai-compatible.ts'
import { createPatientFetch } from './patient-fetch.ts'

let plain: StubServer
let tls: Server
let slept: number
beforeEach(async () => {
  slept = 0
  plain = await createStubServer()
  // Without a certificate it rejects every handshake, but speaks TLS.
  tls = createTlsServer({}).on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await plain.close()
  await new Promise((resolve) => tls.close(resolve))
})

const ask = (baseUrl: string, fetch: Fetch | undefined) =>
  createOpenAICompatibleModel({ baseUrl, model: 'stub', fetch, sleep: async () => void slept++ })

describe.each<[string, Fetch | undefined]>([
  ['the global fetch', undefined],
  ['the patient fetch', createPatientFetch()],
])('over %s', (_, fetch) => {
  it('https:// to a plain HTTP server is named as the fault', async () => {
    const { host } = new URL(plain.baseUrl)
    const model = ask(`https://${host}/v1`, fetch)
    for (const call of [model.describe!(), model.generate(user('a'), { maxTokens: 4 })]) {
      const error = await failure(call)
      expect(error).toMatchObject({
        code: 'chat/wrong-protocol',
        message: `The base URL begins with https://, but the server at ${host} does not speak TLS`,
        hint: expect.stringContaining(`http://${host} `),
      })
    }
    expect(slept).toBe(0)
  })

  it('http:// to a server that expects TLS is named as the fault', async () => {
    const host = `127.0.0.1:${(tls.address() as AddressInfo).port}`
    const model = ask(`http://${host}/v1`, fetch)
    for (const call of [model.describe!(), model.generate(user('a'), { maxTokens: 4 })]) {
      const error = await failure(call)
      expect(error).toMatchObject({
        code: 'chat/wrong-protocol',
        message: `The base URL begins with http://, but the server at ${host} expects TLS`,
        hint: `Begin the base URL with https://${host}`,
      })
    }
    expect(slept).toBe(0)
  })

  it('a plain HTTP server that breaks its first connections is retried', async () => {
    plain.addFaults({ kind: 'refuse' }, { kind: 'refuse' })
    const { text } = await ask(plain.baseUrl, fetch).generate(user('the answer'), { maxTokens: 4 })
    expect(text).toBe('the answer')
    expect(slept).toBe(2)
  })
})

it.each([
  'The plain HTTP request was sent to HTTPS port',
  'Client sent an HTTP request to an HTTPS server.',
  "Reason: You're speaking plain HTTP to an SSL-enabled server port.",
])('a web server that says so is believed: %s', async (text) => {
  const fetch: Fetch = async () => new Response(`<html>${text}</html>`, { status: 400 })
  const error = await failure(ask('http://host/v1', fetch).generate(user('a'), { maxTokens: 4 }))
  expect(error).toMatchObject({
    code: 'chat/wrong-protocol',
    hint: 'Begin the base URL with https://host:80',
  })
})

/** Raw requests to `/mcp`: what is refused, and what remains of a call that ended. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { ann, mcpServers } from '../testing/mcp-servers.ts'
import { noter, servedModel } from '../testing/served.ts'
import { CancelledCalls } from './cancelled-calls.ts'

const { serve, closing } = mcpServers({ beforeAll, afterAll, afterEach })

it('is behind the same checks as other routes, and refuses in the form of the protocol', async () => {
  const server = await serve(servedModel(noter), { mostBytes: 10_000 })
  const post = (body: string | Buffer<ArrayBuffer>, more: Record<string, string> = {}) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${ann.key}`, 'content-type': 'application/json' },
        ...{ accept: 'application/json, text/event-stream', ...more },
      },
      body,
    })
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await post(JSON.stringify(list))).status).toBe(200)
  const large = await post(JSON.stringify({ ...list, params: { text: 'a'.repeat(20_000) } }))
  expect(await large.clone().text()).toMatch(/10,000 bytes.*POST \/v1\/files/)
  const refused = [
    [await post(JSON.stringify(list), { authorization: 'Bearer wrong' }), 401],
    [large, 413],
    [await post('{'), 400],
    [await post(Buffer.from(JSON.stringify({ ...list, params: { text: 'ä' } }), 'latin1')), 400],
    [await post(JSON.stringify(list), { 'content-type': 'text/plain' }), 415],
    [await post('\x1f', { 'content-encoding': 'gzip' }), 415],
    [await fetch(`${server.url}/mcp`, { headers: { authorization: `Bearer ${ann.key}` } }), 405],
  ] as const
  for (const [response, status] of refused) {
    expect([response.status, await response.json()]).toEqual([
      status,
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: expect.any(Number) }) },
    ])
  }
})

it('answers every message in the form of the protocol, whatever it is', async () => {
  const failures: unknown[] = []
  const server = await serve(servedModel(noter), { onFailure: (error) => failures.push(error) })
  const names = fc.constantFrom('ask_documents', 'get_result', 'show_evidence', 'none')
  const message = fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.oneof(
        fc.constantFrom(
          'tools/call',
          'tools/list',
          'initialize',
          'server/discover',
          'notifications/cancelled',
        ),
        fc.jsonValue(),
      ),
      params: fc.oneof(
        fc.record({ name: names, arguments: fc.jsonValue(), _meta: fc.jsonValue() }, { requiredKeys: [] }),
        fc.record({ requestId: fc.jsonValue() }),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  )
  for (const one of fc.sample(fc.oneof({ weight: 9, arbitrary: message }, fc.jsonValue()), 200)) {
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${ann.key}`, 'content-type': 'application/json' },
        ...{ accept: 'application/json, text/event-stream', 'mcp-session-id': 'some' },
      },
      body: JSON.stringify(one),
    })
    const text = await response.text()
    expect([one, response.status < 500, /^$|"jsonrpc":"2\.0"/.test(text)]).toEqual([one, true, true])
  }
  expect(failures).toEqual([])
})

it('holds nothing of a call that has ended, whatever became of it', async () => {
  const server = await serve(servedModel(noter))
  const end = vi.fn()
  const begin = vi.spyOn(CancelledCalls.prototype, 'begin')
  begin.mockReturnValue({ signal: new AbortController().signal, end })
  closing.push(async () => begin.mockRestore())
  const message = { jsonrpc: '2.0', id: 'one', method: 'tools/list' }
  const statusOf = async (given: object, type = 'application/json') => {
    const headers = {
      ...{ authorization: `Bearer ${ann.key}`, 'content-type': type },
      ...{ accept: 'application/json, text/event-stream', 'mcp-session-id': 'some' },
    }
    const init = { method: 'POST', headers, body: JSON.stringify(given) }
    return (await fetch(`${server.url}/mcp`, init)).status
  }
  expect(await statusOf(message)).toBe(200)
  expect(await statusOf(message, 'text/plain')).toBe(415)
  expect(await statusOf({ ...message, jsonrpc: '1.0' })).toBe(400)
  await expect.poll(() => end.mock.calls.length).toBe(3)
  expect(await statusOf({ ...message, id: 'x'.repeat(1001) })).toBe(400)
  expect(begin).toHaveBeenCalledTimes(3)
})

it('a server that stops ends what a client subscribed to', async () => {
  const server = await serve(servedModel(noter))
  const listen = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${ann.key}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' },
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  expect(listen.headers.get('content-type')).toContain('text/event-stream')
  // Waits until the stream has ended.
  await server.stop()
  await expect(listen.text()).resolves.toContain('data:')
})

/** The tools of `memagent serve`, through the official client; `packages/server/src/mcp` tests what they do. */
import { type StubServer, temporaryFolder } from '@memagent/core/testing'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../../packages/cli/src/testing/run-main.ts'
import { connectedBy, createGateServer, documented, modelOptionsOf, question, tools } from './mcp-clients.ts'
import { serving } from './serving.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const gates = `${'Nothing here. '.repeat(60)}Gate North opens at 7.`
let server: StubServer
beforeAll(async () => {
  server = await createGateServer()
})
afterAll(() => server.close())

/** `memagent serve` as a process, with a key. */
async function served() {
  const { stdout: key } = await runMain(['keys', 'add', 'ann'], {
    environment: { XDG_DATA_HOME: folder.path },
  })
  return { ...(await serving(modelOptionsOf(server), folder.path)), key: key.trim() }
}

it('a client that is set up as the documents say has its tools, over HTTP and with its key', async () => {
  const { url, key, child } = await served()
  const { http } = await documented()
  expect(http.url).toBe('http://127.0.0.1:8642/mcp')
  const headers = { Authorization: http.headers.Authorization.replace('memagent-...', key) }
  const form = new FormData()
  form.set('file', new File([gates], 'gates.txt'))
  form.set('purpose', 'user_data')
  const upload = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: form })
  const files = [((await upload.json()) as { id: string }).id]
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } })
  const client = await connectedBy(transport, '2026')
  expect(client.tools).toEqual(tools)
  expect(await client.call('ask_documents', { question, files })).toMatchObject({
    answer: '7',
    outcome: 'found',
  })
  await client.close()
  child.kill()
})

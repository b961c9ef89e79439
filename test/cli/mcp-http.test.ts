/** The tools of `memagent serve`, through the official client of both generations of the protocol. */
import { spawn } from 'node:child_process'
import { type StubServer, temporaryFolder } from '@memagent/core/testing'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../../packages/cli/src/testing/run-main.ts'
import {
  connectedBy,
  createGateServer,
  documented,
  memagent,
  modelOptionsOf,
  question,
  tools,
} from './mcp-clients.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const gates = `${'Nothing here. '.repeat(60)}Gate North opens at 7.`
let server: StubServer
beforeAll(async () => {
  server = await createGateServer()
})
afterAll(() => server.close())

/** `memagent serve` as a process, with a key. */
async function served() {
  const environment = { XDG_DATA_HOME: folder.path }
  const { stdout: key } = await runMain(['keys', 'add', 'ann'], { environment })
  const args = [...memagent, 'serve', '--port', '0', ...modelOptionsOf(server)]
  const child = spawn(process.execPath, args, { env: { ...process.env, ...environment } })
  const url = await new Promise<string>((found, fail) => {
    let said = ''
    child.stderr.on('data', (data) => {
      said += data
      const [, address] = /its page: (\S+) \(/.exec(said) ?? []
      if (address) found(address)
    })
    child.once('exit', () => fail(new Error(said)))
  })
  return { url, key: key.trim(), stop: () => child.kill() }
}

it('clients of both generations call every tool over HTTP, with progress', async () => {
  const { url, key, stop } = await served()
  const { http } = await documented()
  expect(http.url).toBe('http://127.0.0.1:8642/mcp')
  const headers = { Authorization: http.headers.Authorization.replace('memagent-...', key) }
  const form = new FormData()
  form.set('file', new File([gates], 'gates.txt'))
  form.set('purpose', 'user_data')
  const upload = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: form })
  const files = [((await upload.json()) as { id: string }).id]
  for (const generation of ['2025', '2026'] as const) {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } })
    const client = await connectedBy(transport, generation)
    expect(client.tools).toEqual(tools)
    const progress: number[] = []
    const onprogress = ({ progress: bytes }: { progress: number }) => void progress.push(bytes)
    const own = `${question} (${generation})`
    const { run, ...asked } = await client.call('ask_documents', { question: own, files }, { onprogress })
    expect(asked).toMatchObject({ state: 'finished', answer: '7', outcome: 'found' })
    expect(progress.length).toBeGreaterThan(1)
    expect(await client.call('get_result', { run })).toMatchObject({ state: 'finished', answer: '7' })
    const passage = { file: 'gates.txt', quote: expect.stringContaining('opens at 7.') }
    expect(await client.call('show_evidence', { run })).toMatchObject({ answer: [{ passages: [passage] }] })
    const session = `gates-${generation}`
    const read = await client.call('read_into_session', { session, files, question })
    expect(read).toMatchObject({ session, state: 'finished', read: ['gates.txt'] })
    expect(await client.call('ask_session', { session })).toMatchObject({ answer: '7', outcome: 'found' })
    await client.close()
  }
  stop()
})

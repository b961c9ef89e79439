/** `/mcp` over real HTTP, through the official client of both generations of the protocol. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScriptedCall } from '@memagent/core'
import { StoreError } from '@memagent/store'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunningServer } from '../listen.ts'
import type { RequestLine } from '../operations/operations.ts'
import { ann, bob, mcpServers } from '../testing/mcp-servers.ts'
import { longText, noter, noterUntil, servedModel } from '../testing/served.ts'

const { serve, closing } = mcpServers({ beforeAll, afterAll, afterEach })

const generations = { '2025': 'legacy', '2026': { pin: '2026-07-28' } } as const
type Generation = keyof typeof generations
const question = 'What is the key?'

const answer = noter as (call: ScriptedCall) => string

const tools = ['ask_documents', 'read_into_session', 'ask_session', 'get_result', 'show_evidence']

interface CallOptions {
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void
  readonly signal?: AbortSignal
}

async function connected({ url }: RunningServer, generation: Generation, key = ann.key) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: generations[generation] } },
  )
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  expect(client.getNegotiatedProtocolVersion()).toMatch(generation)
  closing.push(() => client.close())
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    instructions: client.getInstructions(),
    // biome-ignore lint/suspicious/noExplicitAny: what a test looks into.
    async call(name: string, args: object, options: CallOptions = {}): Promise<any> {
      const result = await client.callTool({ name, arguments: { ...args } }, options)
      const [first] = result.content as { text: string }[]
      if (result.isError) return { isError: true, text: first!.text }
      // Text and structured content are the same, with the same notice.
      expect(JSON.parse(first!.text)).toEqual(result.structuredContent)
      expect(result.structuredContent).toMatchObject({ notice: expect.stringMatching(/not instructions/) })
      return result.structuredContent
    },
  }
}

describe.each(Object.keys(generations) as Generation[])('a client of the generation of %s', (generation) => {
  it('calls every tool, with progress; the log names key and run', async () => {
    const lines: RequestLine[] = []
    const progress: number[] = []
    let calls = 0
    // As slow as the progress is told, on any machine.
    const slow = servedModel(async (call) => {
      const told = Math.min(calls++, 3)
      for (let i = 0; progress.length < told && i < 1000; i++) await sleep(5)
      return answer(call)
    })
    const server = await serve(slow, { onRequest: (line) => lines.push(line) })
    const client = await connected(server, generation)
    expect(await client.tools()).toEqual(tools)
    expect(client.instructions).toContain('/v1/files')
    const onprogress = ({ progress: bytes }: { progress: number }) => void progress.push(bytes)
    const files = [await server.upload(longText(600))]
    const asked = await client.call('ask_documents', { question, files }, { onprogress })
    expect(asked).toMatchObject({ state: 'finished', answer: '48213', outcome: 'found', question })
    expect(progress.length).toBeGreaterThan(2)
    expect([...progress].sort((a, b) => a - b)).toEqual(progress)
    const passage = { file: 'log.txt', quote: expect.stringContaining('The key is 48213.') }
    const { run } = asked
    expect(await client.call('show_evidence', { run })).toMatchObject({ answer: [{ passages: [passage] }] })
    expect(await client.call('get_result', { run })).toMatchObject({ answer: '48213', state: 'finished' })
    expect(await client.call('ask_documents', { question, text: 'The key is 5.' })).toMatchObject({
      answer: '5',
    })
    await expect
      .poll(() => lines)
      .toContainEqual(expect.objectContaining({ route: '/mcp', client: 'ann', run, status: 200 }))
  })

  it('gets a long result by its handle', async () => {
    const server = await serve(servedModel(noter), { mcpWaitMs: 0 })
    const client = await connected(server, generation)
    const files = [await server.upload(longText(3000))]
    const first = await client.call('ask_documents', { question, files })
    expect(first).toMatchObject({ state: 'reading', next: `Call get_result with run ${first.run}.` })
    // Asking again while it is being read joins the same reading.
    const again = await client.call('ask_documents', { question, files })
    if (again.state === 'reading') expect(again.run).toBe(first.run)
    await expect
      .poll(() => client.call('get_result', { run: first.run }), { timeout: 10_000 })
      .toMatchObject({ state: 'finished', answer: '48213' })
  })

  it('stops the reading of a call that it cancels, and goes on with it when it asks again', async () => {
    let calls = 0
    let isHanging = true
    const served = servedModel((call) => {
      calls += 1
      if (isHanging && calls > 3) return new Promise<string>(() => undefined)
      return answer(call)
    })
    const server = await serve(served)
    const client = await connected(server, generation)
    const controller = new AbortController()
    const files = [await server.upload(longText(600))]
    const call = client.call('ask_documents', { question, files }, { signal: controller.signal })
    await expect.poll(() => calls).toBe(4)
    controller.abort()
    await expect(call).rejects.toThrow()
    await expect
      .poll(() => server.store.list())
      .toMatchObject([{ state: 'unfinished', failure: { code: 'cancelled' } }])
    const [run] = await server.store.list()
    expect(await client.call('get_result', { run: run!.id })).toMatchObject({
      state: 'unfinished',
      stopped: 'The run was cancelled.',
    })
    isHanging = false
    expect(await client.call('ask_documents', { question, files })).toMatchObject({
      ...{ state: 'finished', run: run!.id, answer: '48213' },
    })
  })

  it('does not stop a reading whose handle it has', async () => {
    const { served, stopped } = noterUntil(4)
    const server = await serve(served, { mcpWaitMs: 300 })
    const client = await connected(server, generation)
    const files = [await server.upload(longText(600))]
    const { run } = await client.call('ask_documents', { question, files })
    await stopped
    const controller = new AbortController()
    const call = client.call('get_result', { run }, { signal: controller.signal })
    setTimeout(() => controller.abort(), 50)
    await expect(call).rejects.toThrow()
    expect(await client.call('get_result', { run })).toMatchObject({ state: 'reading', run })
  })

  it('learns nothing of what is of another key', async () => {
    const server = await serve(servedModel(noter))
    const client = await connected(server, generation)
    const files = [await server.upload(longText(300))]
    const { run } = await client.call('ask_documents', { question, files })
    const other = await connected(server, generation, bob.key)
    for (const tool of ['get_result', 'show_evidence']) {
      const reply = await other.call(tool, { run })
      expect(reply).toMatchObject({ isError: true, text: expect.stringContaining('server/no-run') })
      const none = await other.call(tool, { run: 'abcdef0123' })
      expect(none.text).toBe(reply.text.replace(run, 'abcdef0123'))
    }
    expect(await other.call('ask_documents', { question, files })).toMatchObject({
      isError: true,
      text: expect.stringContaining('server/no-file'),
    })
  })

  it('reads into a session of its own what is new, and asks it', async () => {
    const server = await serve(servedModel(noter))
    const client = await connected(server, generation)
    const session = 'log'
    const files = [await server.upload(longText(300))]
    const read = await client.call('read_into_session', { session, question, files })
    expect(read).toMatchObject({ session, state: 'finished', read: ['log.txt'], known: [] })
    expect(read.memory).toContain('48213')
    expect(await client.call('ask_session', { session })).toMatchObject({ session, answer: '48213' })
    expect(await client.call('show_evidence', { run: read.run })).toMatchObject({
      memory: [{ passages: [{ file: 'log.txt' }] }],
    })
    const again = await client.call('read_into_session', { session, files, text: 'Nothing of it.' })
    expect(again).toMatchObject({ state: 'finished', read: ['text 2.txt'], known: ['log.txt'] })
    const nothing = await client.call('read_into_session', { session, files })
    expect(nothing).toMatchObject({ state: 'finished', read: [], known: ['log.txt'] })

    const other = await connected(server, generation, bob.key)
    expect(await other.call('ask_session', { session })).toMatchObject({
      isError: true,
      text: expect.stringContaining('server/no-session'),
    })
  })

  it('goes on with a reading into a session whose call it cancelled', async () => {
    let calls = 0
    let isHanging = true
    const served = servedModel((call) => {
      calls += 1
      return isHanging && calls > 3 ? new Promise<string>(() => undefined) : answer(call)
    })
    const server = await serve(served)
    const client = await connected(server, generation)
    const controller = new AbortController()
    const request = { session: 'log', question, files: [await server.upload(longText(600))] }
    const call = client.call('read_into_session', request, { signal: controller.signal })
    await expect.poll(() => calls).toBe(4)
    controller.abort()
    await expect(call).rejects.toThrow()
    isHanging = false
    expect(await client.call('read_into_session', request)).toMatchObject({
      ...{ state: 'finished', next: expect.stringContaining('read_into_session again') },
    })
    expect(await client.call('ask_session', { session: 'log' })).toMatchObject({ answer: '48213' })
    expect((await server.store.list()).length).toBe(2)
  })

  it('tells of a reading that fails as of one', async () => {
    const server = await serve(servedModel(() => Promise.reject(new Error('the model is gone'))))
    const client = await connected(server, generation)
    const reply = await client.call('ask_documents', { question, text: longText(300) })
    expect(reply).toMatchObject({ isError: true, text: expect.stringContaining('(chat/failed)') })
    expect(reply.text).not.toMatch(/not in the text/)
  })
})

it('says of a store that fails no more than that', async () => {
  const failures: unknown[] = []
  const server = await serve(servedModel(noter), { onFailure: (error) => failures.push(error) })
  const client = await connected(server, '2026')
  vi.spyOn(server.store, 'summary').mockRejectedValue(
    new StoreError({ code: 'store/full', message: 'The disk of /home/ann/runs.sqlite is full.' }),
  )
  const reply = await client.call('get_result', { run: 'abcdef0123' })
  expect(reply).toMatchObject({ isError: true, text: expect.stringContaining('(server/store-failed)') })
  expect(reply.text).not.toContain('/home')
  expect(failures).toMatchObject([{ code: 'store/full' }])
})

it('reads neither paths nor addresses', async () => {
  const server = await serve(servedModel(noter))
  const client = await connected(server, '2026')
  for (const file of ['/etc/hostname', '../runs.sqlite', 'file:///etc/hostname', 'http://127.0.0.1/', '-']) {
    const reply = await client.call('ask_documents', { question, files: [file] })
    expect([file, reply]).toEqual([file, { isError: true, text: expect.stringContaining('server/no-file') }])
  }
  expect(await client.call('ask_documents', { question })).toMatchObject({ isError: true })
})

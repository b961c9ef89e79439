import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keyCredentials } from './credentials.ts'
import { tinkerProfiles } from './profiles.ts'
import { TinkerSession } from './session.ts'
import type { Faults } from './testing/faults.ts'
import { type ProtocolServer, startProtocolServer } from './testing/protocol-server.ts'
import { serverBehaviours } from './testing/server-behaviour.ts'
import { openTestPolicy } from './testing/test-policy.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function open(
  server: ProtocolServer,
  options: Partial<Parameters<typeof TinkerSession.create>[0]> = {},
) {
  const session = await TinkerSession.create({
    address: { baseUrl: server.baseUrl, apiKey: undefined },
    profile: tinkerProfiles['skyrl-jax'],
    ...options,
  })
  opened.push(session)
  return session
}

async function start(...options: Parameters<typeof startProtocolServer>): Promise<ProtocolServer> {
  const server = await startProtocolServer(...options)
  opened.push(server)
  return server
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('heartbeats', () => {
  it('do not keep the process alive', async () => {
    const script = `
      import { TinkerSession } from ${JSON.stringify(new URL('session.ts', import.meta.url).href)}
      const fetch = async () => new Response('{"session_id":"s"}')
      await TinkerSession.create({ address: { baseUrl: 'http://x' }, profile: {}, effects: { fetch } })
      console.log('created')`
    const flags = ['--conditions=@memagent/source', '--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 20_000 })
    expect(stdout).toBe('created\n')
  })

  it('name the session, and end with it', async () => {
    const server = await start()
    const session = await open(server, { heartbeatMs: 5 })
    const beats = () => server.callsOf('session_heartbeat')
    await vi.waitFor(() => expect(beats().length).toBeGreaterThan(2), 5000)
    expect(beats()[0]!.body).toEqual({ session_id: session.id, type: 'session_heartbeat' })
    session.close()
    // A heartbeat already on its way may still arrive.
    await wait(300)
    const count = beats().length
    await wait(30)
    expect(beats().length).toBe(count)
  })

  it('report their absence once, after two minutes', async () => {
    const server = await start({
      faults: ({ name }) => (name === 'session_heartbeat' ? { kind: 'reset' } : undefined),
    })
    let now = 0
    const notices: string[] = []
    await open(server, {
      heartbeatMs: 5,
      effects: { now: () => now },
      onNotice: (text) => notices.push(text),
    })
    now = 119_000
    await wait(40)
    expect(notices).toEqual([])
    now = 130_000
    await vi.waitFor(() => expect(notices.length).toBe(1), 5000)
    await wait(60)
    expect(notices.length).toBe(1)
    expect(notices[0]).toContain('for 130 s')
  })
})

describe('a session', () => {
  it('passes on messages of the server', async () => {
    const server = await start({
      faults: ({ name }) =>
        name === 'create_session'
          ? { kind: 'status', status: 200, body: { session_id: 's', warning_message: 'maintenance at noon' } }
          : undefined,
    })
    const notices: string[] = []
    await open(server, { onNotice: (text) => notices.push(text) })
    expect(notices).toEqual(['maintenance at noon'])
  })

  it('exchanges the key for a token if the server asks for that', async () => {
    const server = await start(serverBehaviours.tinker)
    const session = await open(server, { address: { baseUrl: server.baseUrl, apiKey: 'tml-test' } })
    await session.checkModel('tiny-qwen3')
    expect(server.calls.map(({ name }) => name).slice(0, 3)).toEqual(['config', 'token', 'create_session'])
    expect(server.callsOf('token')[0]!.headers['x-api-key']).toBe('tml-test')
    expect(server.callsOf('create_session')[0]!.headers['x-api-key']).toMatch(/^eyJ/)
  })

  it('continues with the key if the server does not know the request', async () => {
    const server = await start({
      apiKey: 'tml-test',
      faults: ({ name }) => (name === 'config' ? { kind: 'status', status: 404 } : undefined),
    })
    await open(server, { address: { baseUrl: server.baseUrl, apiKey: 'tml-test' } })
    expect(server.callsOf('create_session')[0]!.headers['x-api-key']).toBe('tml-test')
  })

  it('says what to do about a wrong key, and about a model that is not served', async () => {
    const server = await start(serverBehaviours['verl-tinker'])
    const address = { baseUrl: server.baseUrl, apiKey: 'tml-other' }
    await expect(open(server, { address })).rejects.toMatchObject({
      code: 'tinker/status-401',
      hint: 'Check TINKER_API_KEY.',
    })
    const session = await open(server, { address: { ...address, apiKey: 'tml-test' } })
    await expect(session.checkModel('other')).rejects.toMatchObject({
      code: 'tinker/unknown-model',
      hint: expect.stringContaining('tiny-qwen3'),
    })
  })

  it('works with a server that does not list its models', async () => {
    const faults: Faults = ({ name }) =>
      name === 'get_server_capabilities' ? { kind: 'status', status: 404 } : undefined
    const session = await open(await start({ faults }))
    await session.checkModel('anything')
  })

  it('creates only one model when the answer to the first request was lost', async () => {
    await using test = await openTestPolicy('verl-tinker', {
      behaviour: {
        faults: ({ name, index }) =>
          name === 'create_model' && index === 0 ? { kind: 'lose-answer' } : undefined,
      },
    })
    const [first, second] = test.server.callsOf('create_model')
    expect(second!.bytes).toEqual(first!.bytes)
  })
})

describe('credentials of a key', () => {
  it('are the key', async () => {
    expect(await keyCredentials('tml-a').current()).toBe('tml-a')
  })
})

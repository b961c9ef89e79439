/** `memagent serve` and `memagent keys` as processes of their own, over a stub model server. */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'
import { serving as servingIn } from './serving.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let stub: StubServer
beforeAll(async () => {
  stub = await createStubServer({
    respond: ({ messages }) => {
      const prompt = messages.at(-1)!.content
      const key = /The key is (\d+)/.exec(prompt)?.[1]
      if (/\\boxed/.test(prompt)) return `\\boxed{${key ?? 'not in the text'}}`
      return key ? `The key is ${key}.` : 'Nothing yet.'
    },
  })
})
afterAll(() => stub.close())

const serving = (args: readonly string[]) =>
  servingIn(['--model', 'openai:stub', '--base-url', stub.baseUrl, ...args], folder.path)

const text = `${'Calm sea. '.repeat(3000)}The key is 48213. ${'Calm sea. '.repeat(3000)}`
const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: 'stub',
      messages: [
        { role: 'user', content: text },
        { role: 'user', content: 'What is the key?' },
      ],
    }),
  })

describe('serve', { timeout: 120_000 }, () => {
  it('answers a conversation longer than the window, keeps the run, and stops on a signal', async () => {
    const { url, child, ended } = await serving([])
    const reply = (await (await ask(url)).json()) as { choices: { message: { content: string } }[] }
    expect(reply.choices[0]!.message.content).toBe('48213')
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    expect(code).toBe(0)
    expect(stderr).toContain('Stopping.')
    expect(stderr).not.toContain('Calm sea')
    const runs = await runCommand(['runs', '--json'], { environment: { XDG_DATA_HOME: folder.path } })
    expect(JSON.parse(runs.stdout)).toMatchObject([
      { state: 'finished', outcome: 'found', question: 'What is the key?' },
    ])
  })

  it('as a demo that is stopped before it listens, leaves no folder behind', async () => {
    const own = await mkdtemp(folder.join('tmp-'))
    const demos = async () => (await readdir(own)).filter((name) => name.startsWith('memagent-demo-'))
    let child: ChildProcess | undefined
    const ended = runCommand(['serve', '--demo'], {
      environment: { TMPDIR: own },
      onStart: (started) => {
        child = started
      },
    })
    await expect.poll(demos, { interval: 1, timeout: 30_000 }).toHaveLength(1)
    child!.kill('SIGTERM')
    expect((await ended).code).toBe(130)
    expect(await demos()).toEqual([])
  })

  it('with keys, answers only who has one; without them, listens on this machine alone', async () => {
    const store = ['--store', folder.join('keys.sqlite')]
    const refused = await runCommand(['serve', '--address', '0.0.0.0', '--port', '0', ...store])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('memagent keys add')
    const made = await runCommand(['keys', 'add', 'team', '--readings', '2', ...store])
    const key = made.stdout.trim()
    expect(key).toMatch(/^memagent-[\w-]{32}$/)
    const listed = await runCommand(['keys', 'list', '--json', ...store])
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'team', readings: 2 }])
    expect(listed.stdout).not.toContain(key)
    const files = (await readdir(folder.path)).filter((name) => name.startsWith('keys.sqlite'))
    for (const name of files) expect(await readFile(folder.join(name), 'latin1')).not.toContain(key)
    const { url, child, ended } = await serving(store)
    expect((await ask(url)).status).toBe(401)
    expect((await ask(url, { authorization: `Bearer ${key}` })).status).toBe(200)
    const removed = await runCommand(['keys', 'rm', 'team', ...store])
    expect([removed.code, removed.stderr]).toEqual([
      0,
      expect.stringContaining('under way run to completion'),
    ])
    expect((await ask(url, { authorization: `Bearer ${key}` })).status).toBe(401)
    child.kill('SIGINT')
    expect((await ended).code).toBe(0)
  })

  it('asks for the keys that there are also where it keeps nothing, and makes no store for that', async () => {
    const data = await mkdtemp(folder.join('data-'))
    const start = () => servingIn(['--model', 'openai:stub', '--base-url', stub.baseUrl, '--no-store'], data)
    const open = await start()
    expect((await fetch(`${open.url}/v1/models`)).status).toBe(200)
    open.child.kill('SIGTERM')
    await open.ended
    expect(await readdir(data)).toEqual([])
    const made = await runCommand(['keys', 'add', 'team'], { environment: { XDG_DATA_HOME: data } })
    const { url, child, ended } = await start()
    const headers = { authorization: `Bearer ${made.stdout.trim()}` }
    expect((await fetch(`${url}/v1/models`)).status).toBe(401)
    expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200)
    expect((await fetch(`${url}/api/runs`, { headers })).status).toBe(503)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })
})

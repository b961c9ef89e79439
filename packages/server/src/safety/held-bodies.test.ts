/** Limits the total size of bodies under way. */
import { afterEach, expect, it } from 'vitest'
import { type ListenOptions, listen, type RunningServer } from '../listen.ts'
import { servedModel } from '../testing/served.ts'
import { createKey, hashOfKey } from './keys.ts'

const keys = ['ann', 'bob', 'cid'].map((name) => ({ name, key: createKey() }))
const findKey = async (hash: string) => {
  const found = keys.find(({ key }) => hashOfKey(key) === hash)
  return found && { name: found.name, hash }
}

let server: RunningServer | undefined
afterEach(() => server?.stop())

/** A model that answers when told to; every body has 800 of at most 1,000 bytes. */
async function serve(options: Partial<ListenOptions> = {}) {
  const waiting: (() => void)[] = []
  const served = servedModel(() => new Promise((resolve) => waiting.push(() => resolve('Hi.'))))
  server = await listen({ models: [served], port: 0, mostBytes: 1000, ...options })
  const ask = async (body: RequestInit['body'], client?: number, signal?: AbortSignal) => {
    const authorization = `Bearer ${client === undefined ? 'none' : keys[client]!.key}`
    const response = await fetch(`${server!.url}/v1/chat/completions`, {
      ...{ method: 'POST', body, signal: signal ?? null, duplex: 'half' },
      headers: { 'content-type': 'application/json', authorization },
    } as RequestInit)
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const answer = () => {
    for (const go of waiting.splice(0)) go()
  }
  return { ask, answer, asked: waiting }
}

const short = { model: 'reader', messages: [{ role: 'user', content: 'Hello' }] }
const body = JSON.stringify(short).padEnd(800)

it('one client may have half of them, until it has its answers', async () => {
  const { ask, answer, asked } = await serve()
  const first = Array.from({ length: 5 }, () => ask(body))
  await expect.poll(() => asked.length).toBe(5)
  const refused = await ask(body)
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'server/client-busy' } } })
  expect(refused.headers.get('retry-after')).toBe('5')
  answer()
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const again = ask(body)
  await expect.poll(() => asked.length).toBe(1)
  answer()
  expect((await again).status).toBe(200)
})

it('all clients together have no more, and who goes away makes room', async () => {
  const { ask, answer, asked } = await serve({ findKey })
  const leaving = new AbortController()
  const left = ask(body, 0, leaving.signal).catch(() => undefined)
  const others = [0, 0, 0, 0, 1, 1, 1, 1, 1].map((client) => ask(body, client))
  await expect.poll(() => asked.length).toBe(10)
  expect(await ask(body, 2)).toMatchObject({ status: 429, body: { error: { code: 'server/busy' } } })
  leaving.abort()
  await left
  const later = ask(body, 2)
  await expect.poll(() => asked.length).toBe(11)
  answer()
  expect((await Promise.all([...others, later])).every(({ status }) => status === 200)).toBe(true)
})

it('those that do not say how long they are count, too', async () => {
  const { ask, answer, asked } = await serve()
  const stream = () => new Blob([body]).stream()
  const first = Array.from({ length: 5 }, () => ask(stream()))
  await expect.poll(() => asked.length).toBe(5)
  expect((await ask(stream())).status).toBe(429)
  answer()
  expect((await Promise.all(first)).every(({ status }) => status === 200)).toBe(true)
})

it('one that is too long for any time is refused as that', async () => {
  const { ask } = await serve()
  expect(await ask(body.padEnd(4001))).toMatchObject({ status: 413 })
})

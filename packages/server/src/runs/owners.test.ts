/** Nothing is revealed about files and runs of another key, not even that they exist. */
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createKey, hashOfKey } from '../safety/keys.ts'
import { openedApis } from '../testing/opened-apis.ts'
import { longText } from '../testing/served.ts'

const { open, folder } = openedApis(beforeEach, afterEach)

const question = 'What is the key?'
const clients = () => {
  const keys = ['ann', 'bob'].map((name) => ({ name, key: createKey() }))
  const known = keys.map(({ name, key }) => ({ name, hash: hashOfKey(key) }))
  const findKey = async (hash: string) => known.find((one) => one.hash === hash)
  return keys.map(({ key }) => open(undefined, { findKey }, { authorization: `Bearer ${key}` }))
}

it('answers as if there were none', async () => {
  const [ann, bob] = clients()
  const file = await ann!.upload('secret-plans.txt', longText(600))
  const run = await ann!.ended((await ann!.post('/api/runs', { question, files: [file.id] })).body.id)
  expect(run.outcome).toBe('found')

  const [noFile, none] = [`file-${'0'.repeat(32)}`, '0123456789']
  const routes: [
    method: 'get' | 'post' | 'delete',
    path: (file: string, run: string) => string,
    body?: object,
  ][] = [
    ['get', (id) => `/v1/files/${id}`],
    ['get', (id) => `/v1/files/${id}/content`],
    ['delete', (id) => `/v1/files/${id}`],
    ['get', (id) => `/api/files/${id}/text`],
    ['get', (_, id) => `/api/runs/${id}`],
    ['get', (_, id) => `/api/runs/${id.slice(0, 4)}`],
    ['get', (_, id) => `/api/runs/${id}/events`],
    ['get', (_, id) => `/api/runs/${id}/page`],
    ['get', (_, id) => `/api/runs/${id}/export`],
    ['post', (_, id) => `/api/runs/${id}/cancel`],
    ['post', (_, id) => `/api/runs/${id}/resume`],
    ['post', (_, id) => `/api/runs/${id}/ask`, { question: 'Which?' }],
    ['delete', (_, id) => `/api/runs/${id}`],
  ]
  for (const [method, path, body] of routes) {
    const others = await bob![method](path(file.id, run.id), body as never)
    const missing = await bob![method](path(noFile, none), body as never)
    expect(others.status, path(file.id, run.id)).toBe(404)
    const anonymous = (text: string) => text.replaceAll(/file-[0-9a-f]{32}|\b[0-9a-f]{4,10}\b/g, 'ID')
    expect(anonymous(JSON.stringify(others.body))).toBe(anonymous(JSON.stringify(missing.body)))
  }
  const stolen = await bob!.post('/api/runs', { question, files: [file.id] })
  expect([stolen.status, stolen.body.error.code]).toEqual([404, 'server/no-file'])
  expect((await bob!.get('/api/runs')).body).toEqual({ runs: [] })
  const behind = `/api/runs?before=${run.createdMs + 1}-${run.id}`
  expect([(await ann!.get(behind)).body.runs.length, (await bob!.get(behind)).body]).toEqual([
    1,
    { runs: [] },
  ])
  expect((await bob!.get('/v1/files')).body.data).toEqual([])
  // Nothing was taken from their owner.
  expect((await ann!.get(`/api/runs/${run.id}`)).body.state).toBe('finished')
  expect((await ann!.get('/v1/files')).body.data).toHaveLength(1)
})

it('the same reading of two clients is two runs', async () => {
  const [ann, bob] = clients()
  const runs = await Promise.all(
    [ann!, bob!].map((client) => client.post('/api/runs', { question, text: longText(600) })),
  )
  const [first, second] = runs.map(({ body }) => body.id as string)
  expect(first).not.toBe(second)
  expect(await ann!.ended(first!)).toMatchObject({
    outcome: 'found',
    result: { usage: { calls: expect.any(Number) } },
  })
  const { result } = await bob!.ended(second!)
  // Nothing shows that somebody else has already asked it.
  expect(result.usage.fromCache).toBeUndefined()
  expect((await bob!.get('/api/runs')).body.runs).toMatchObject([{ id: second }])
})

it('a damaged run is told to its owner, who can erase it, and to nobody else', async () => {
  const [ann, bob] = clients()
  const text = longText(300)
  const { id } = await ann!.ended((await ann!.post('/api/runs', { question, text })).body.id)
  const path = `/api/runs/${id}`
  const damaged = { code: 'server/run-damaged', hint: `Erase it: DELETE ${path}` }
  const damage = (column: string, value: string | null = '{"') => {
    const database = new DatabaseSync(folder.join('runs.sqlite'))
    database.prepare(`UPDATE runs SET ${column} = ? WHERE id = ?`).run(value, id)
    database.close()
  }
  for (const value of ['{"', '[]', '{"steps":[]}']) {
    damage('checkpoint', value)
    for (const route of [path, `${path}/page`, `${path}/export`, `${path}/page.html`]) {
      expect(await ann!.get(route)).toMatchObject({ status: 500, body: { error: damaged } })
      expect((await bob!.get(route)).status).toBe(404)
    }
    const asked = await ann!.post(`${path}/ask`, { question })
    expect(asked).toMatchObject({ status: 500, body: { error: damaged } })
  }
  damage('checkpoint', null)
  damage('result', '{"type":"answer","answer":3}')
  expect(await ann!.get(path)).toMatchObject({ status: 500, body: { error: damaged } })
  damage('failure')
  const [listed] = (await ann!.get('/api/runs')).body.runs
  expect(listed).toMatchObject({ question, state: 'unfinished', failure: damaged })
  expect((await bob!.delete(path)).status).toBe(404)
  expect((await ann!.delete(path)).status).toBe(204)
  expect((await ann!.get('/api/runs')).body).toEqual({ runs: [] })
})

it('a damaged run is not marked as cancelled where that cannot be shown', async () => {
  const [ann] = clients()
  const { id } = await ann!.ended((await ann!.post('/api/runs', { question, text: 'The key is 1.' })).body.id)
  const database = new DatabaseSync(folder.join('runs.sqlite'))
  database.prepare(`UPDATE runs SET state = 'unfinished', checkpoint = '{"' WHERE id = ?`).run(id)
  const reply = await ann!.post(`/api/runs/${id}/cancel`, {})
  expect(reply).toMatchObject({ status: 500, body: { error: { code: 'server/run-damaged' } } })
  expect(database.prepare('SELECT failure FROM runs WHERE id = ?').get(id)).toEqual({ failure: null })
  database.close()
})

it('a run whose owner cannot be read is erased where no keys are needed', async () => {
  const [ann] = clients()
  const api = open()
  const { id } = await ann!.ended((await ann!.post('/api/runs', { question, text: 'The key is 1.' })).body.id)
  const database = new DatabaseSync(folder.join('runs.sqlite'))
  database.prepare(`UPDATE runs SET description = '{"' WHERE id = ?`).run(id)
  database.close()
  expect((await ann!.get(`/api/runs/${id}`)).status).toBe(404)
  expect((await api.get(`/api/runs/${id}`)).body.error.code).toBe('server/run-damaged')
  expect((await api.delete(`/api/runs/${id}`)).status).toBe(204)
  expect((await api.get('/api/runs')).body).toEqual({ runs: [] })
})

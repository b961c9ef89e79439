/** Sessions begun by commands, as clients see them. */
import { DatabaseSync } from 'node:sqlite'
import { createTextDocument, overwrite, readDocument, withBudget } from '@memagent/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'
import { longText, noter, servedModel, smallBudget } from '../testing/served.ts'

const apis = openedApis(beforeEach, afterEach)

const open = (more = {}, headers = {}) => apis.open(undefined, more, headers)

interface Reading {
  readonly input?: string
  /** In chunks. */
  readonly stopAfter?: number
  /** Number of readings before it. */
  readonly after?: number
  readonly workflow?: string
}

const begin = ({ input, after = 0, workflow = 'overwrite' }: Reading = {}) =>
  apis.store.sessions.begin('Tagebüch', {
    run: { question: 'What is the key?', document: 'diary', model: 'scripted', workflow },
    documents: [
      { path: '/home/ann/diary.md', sizeBytes: 12, sha256: `hash ${after}`, ...(input && { input }) },
    ],
    after,
  })

/** Like `memagent session read`. */
async function read(reading: Reading = {}): Promise<string> {
  const { stopAfter = Number.POSITIVE_INFINITY, after = 0 } = reading
  const run = begin(reading)
  let chunks = 0
  for await (const event of readDocument({
    question: 'What is the key?',
    document: createTextDocument(longText(600)),
    ...servedModel(noter),
    start: after === 0 ? undefined : await apis.store.sessions.start('Tagebüch'),
    profile: withBudget({ name: 'small', budget: smallBudget }, {}),
    workflow: overwrite,
    checkpoints: run,
    answers: false,
  })) {
    if (event.type === 'notes') await run.finish(event)
    if (event.type === 'chunk-end' && ++chunks >= stopAfter) break
  }
  if (stopAfter < Number.POSITIVE_INFINITY) await run.stop()
  return run.id!
}

const path = `/api/sessions/${encodeURIComponent('Tagebüch'.normalize('NFD'))}`

it('are listed, shown with their memory and without paths, and removed', async () => {
  const api = open()
  expect((await api.get('/api/sessions')).body).toEqual({ sessions: [] })
  const id = await read()
  const { body } = await api.get('/api/sessions')
  const counts = { readingCount: 1, documentCount: 1, steps: expect.any(Number) }
  expect(body.sessions).toMatchObject([{ name: 'Tagebüch', question: 'What is the key?', ...counts }])
  const whole = (await api.get(path)).body
  expect(whole).toMatchObject({
    ...body.sessions[0],
    memory: 'The key is 48213.',
    readings: [{ id, state: 'finished' }],
    documents: [{ name: 'diary.md', sizeBytes: 12, reading: 1, isRead: true, isPart: false }],
  })
  expect(JSON.stringify(whole)).not.toContain('/home')
  expect((await api.delete(path)).status).toBe(204)
  const gone = await api.get(path)
  expect([gone.status, gone.body.error.code]).toEqual([404, 'server/no-session'])
  expect((await api.delete(path)).status).toBe(404)
  expect((await api.get('/api/runs')).body.runs).toEqual([])
})

it('have the memory of what was read where a reading was stopped', async () => {
  const id = await read({ stopAfter: 2 })
  const whole = (await open().get(path)).body
  expect(whole).toMatchObject({ unfinished: id, memory: 'Nothing yet.', documents: [{ isRead: false }] })
})

it('have it whichever workflow wrote it, also one that nobody here knows', async () => {
  await read({ stopAfter: 2, workflow: 'mine' })
  expect((await open().get(path)).body).toMatchObject({ workflow: 'mine', memory: 'Nothing yet.' })
})

it('are asked, and what was not read of their texts is told without paths', async () => {
  const source = '/home/ann/half.pdf'
  const remarks = [{ code: 'source-part-unread', source, message: `${source}: no text on page 2` }]
  await apis.store.setSettings(await read(), { flags: {}, leftOut: [], remarks })
  const api = open()
  const { body } = await api.post(`${path}/ask`)
  const expected = { outcome: 'found', remarks: ['half.pdf: no text on page 2'] }
  expect(await api.ended(body.id)).toMatchObject(expected)
})

it('keep readings that later ones go on from', async () => {
  const first = await read()
  const last = await read({ after: 1 })
  const api = open()
  const { status, body } = await api.delete(`/api/runs/${first}`)
  expect([status, body.error.code]).toEqual([409, 'server/run-of-session'])
  expect(body.error.hint).toContain(`DELETE /api/sessions/${encodeURIComponent('Tagebüch')}`)
  expect((await api.delete(`/api/runs/${last}`)).status).toBe(204)
  expect((await api.delete(`/api/runs/${first}`)).status).toBe(204)
})

it('are not removed while they are read, nor where something of them would be left', async () => {
  await read()
  const api = open()
  const asked = await api.post(`${path}/ask`)
  await api.ended(asked.body.id)
  const held = begin({ after: 1 })
  await held.load({ document: 'x' })
  const inUse = await api.delete(path)
  expect([inUse.status, inUse.body.error.code]).toEqual([409, 'server/session-in-use'])
  // Nothing was erased, not even the answers.
  expect((await api.get(`/api/runs/${asked.body.id}`)).status).toBe(200)
  // The process that reads it is not revealed.
  expect(inUse.body.error.message).not.toContain(String(process.pid))
  await held.stop()
  await read({ input: '0'.repeat(64), after: 1 })
  const kept = await api.delete(path)
  expect([kept.status, kept.body.error.code]).toEqual([409, 'server/session-of-a-command'])
  expect((await api.get(path)).status).toBe(200)
})

it('are not there for who needs a key', async () => {
  await read()
  const findKey = async (hash: string) => ({ name: 'ann', hash })
  const api = open({ findKey }, { authorization: 'Bearer key' })
  expect((await api.get('/api/sessions')).body).toEqual({ sessions: [] })
  const [of, none] = [await api.get(path), await api.get('/api/sessions/none')]
  expect([of.status, none.status, (await api.delete(path)).status]).toEqual([404, 404, 404])
  expect(await apis.store.sessions.list()).toHaveLength(1)
})

it('lists a session whose last reading is damaged, says how to take that back, and erases it', async () => {
  const [first, last] = [await read(), await read({ after: 1 })]
  const damage = (run: string) => {
    const database = new DatabaseSync(apis.folder.join('runs.sqlite'))
    database.prepare("UPDATE runs SET description = '{' WHERE id = ?").run(run)
    database.close()
  }
  const path = `/api/sessions/${encodeURIComponent('Tagebüch')}`
  const failure = { code: 'server/run-damaged', hint: `Erase it: DELETE /api/runs/${last}` }
  const api = open()
  damage(last)
  const list = async () => (await api.get('/api/sessions')).body.sessions
  expect(await list()).toMatchObject([{ name: 'Tagebüch', readingCount: 2, failure }])
  expect(await api.get(path)).toMatchObject({ status: 500, body: { error: failure } })
  expect((await api.delete(`/api/runs/${last}`)).status).toBe(204)
  expect((await api.get(path)).body).toMatchObject({ question: 'What is the key?', readingCount: 1 })
  damage(first)
  expect((await api.delete(path)).status).toBe(204)
  expect(await list()).toEqual([])
})

it.each(['checkpoint', 'failure'])(
  'is erased with a run that asked it whose %s is damaged',
  async (column) => {
    await read()
    const api = open()
    const { id } = await api.ended((await api.post(`${path}/ask`, {})).body.id)
    const database = new DatabaseSync(apis.folder.join('runs.sqlite'))
    database.prepare(`UPDATE runs SET ${column} = '{' WHERE id = ?`).run(id)
    database.close()
    expect((await api.delete(path)).status).toBe(204)
    expect((await api.get('/api/runs')).body.runs).toEqual([])
  },
)

/** Sessions that clients begin over HTTP, read into and ask. */
import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeTexts } from '../files/remove-texts.ts'
import { createKey, hashOfKey } from '../safety/keys.ts'
import { eventsOf } from '../testing/events.ts'
import { openedApis } from '../testing/opened-apis.ts'
import { longText, noterUntil, servedModel } from '../testing/served.ts'

const apis = openedApis(beforeEach, afterEach)
const question = 'What is the key?'

/** Notes all keys that it has seen, and answers with them. */
const collector = () =>
  servedModel(({ messages }) => {
    const found = new Set(messages.at(-1)!.content.match(/\b\d{5}\b/g) ?? [])
    const keys = [...found].join(' ') || 'none'
    return /\\boxed/.test(messages.at(-1)!.content) ? `\\boxed{${keys}}` : `Keys: ${keys}.`
  })
const open = (headers = {}, more = {}) => apis.open([collector()], more, headers)
type Api = ReturnType<typeof open>

const path = '/api/sessions/diary'
const read = async (api: Api, body: object, at = path) => {
  const { status, body: told } = await api.post(`${at}/read`, body)
  return { status, told, run: told.run && (await api.ended(told.run.id)) }
}
const ask = async (api: Api, body = {}, at = path) => {
  const { status, body: run } = await api.post(`${at}/ask`, body)
  return { status, run: status === 201 ? await api.ended(run.id) : run }
}

describe('a session', () => {
  it('reads what is new, and answers from the memory of all that it read', async () => {
    const api = open()
    const monday = await api.upload('monday.md', longText(400, '11111'))
    const first = await read(api, { question, files: [monday.id] })
    expect([first.status, first.told]).toMatchObject([201, { read: ['monday.md'], known: [], changed: [] }])
    expect(first.run).toMatchObject({
      state: 'finished',
      outcome: 'notes',
      result: { memory: 'Keys: 11111.' },
    })

    const tuesday = await api.upload('tuesday.md', longText(400, '22222'))
    const copy = await api.upload('copy.md', longText(400, '11111'))
    const second = await read(api, { files: [monday.id, tuesday.id, copy.id], text: 'The key is 33333.' })
    expect(second.told).toMatchObject({
      read: ['tuesday.md', 'text 2.txt'],
      known: ['monday.md'],
      copies: [{ name: 'copy.md', of: 'monday.md' }],
    })
    // Nothing of the first is read again.
    expect(second.run.bytes).toBeLessThan(longText(400).length + 100)
    const followed = await api.get(`/api/runs/${second.run.id}/events`)
    const steps = eventsOf(followed.body).filter(({ event }) => event === 'step')
    const previous = steps.map(({ data }) => data.memories[0].previous)
    expect(previous).toEqual(['Keys: 11111.', ...steps.slice(1).map(() => undefined)])
    expect((await api.get(path)).body).toMatchObject({
      ...{ name: 'diary', question, readingCount: 2, documentCount: 3 },
      memory: 'Keys: 11111 22222 33333.',
      readings: [{ id: first.run.id }, { id: second.run.id }],
      documents: [{ name: 'monday.md', reading: 1 }, { name: 'tuesday.md', reading: 2 }, { isRead: true }],
    })

    expect((await ask(api)).run).toMatchObject({ outcome: 'found', result: { answer: '11111 22222 33333' } })
    const other = await ask(api, { question: 'Which keys?' })
    const codes = other.run.result.warnings.map(({ code }: { code: string }) => code)
    expect(codes).toContain('notes-of-another-question')
    expect((await api.get(path)).body.readingCount).toBe(2)
  })

  it('tells of what changed, and reads it when it is asked to', async () => {
    const api = open()
    const [old, now] = [
      await api.upload('a.md', 'The key is 11111.'),
      await api.upload('a.md', 'The key is 22222.'),
    ]
    await read(api, { question, files: [old.id] })
    const told = await read(api, { files: [now.id] })
    expect([told.status, told.told]).toEqual([200, { read: [], known: [], changed: ['a.md'], copies: [] }])
    expect((await read(api, { files: [now.id], readChanged: true })).run.result.memory).toBe(
      'Keys: 11111 22222.',
    )
    // Two files with the same name in one request are two documents.
    const [x, y] = [
      await api.upload('b.md', 'The key is 33333.'),
      await api.upload('b.md', 'The key is 44444.'),
    ]
    expect((await read(api, { files: [x.id, y.id] })).told.read).toEqual(['b.md', 'b.md (2)'])
  })

  it('keeps its question, model and workflow', async () => {
    const api = open()
    await read(api, { question, text: 'The key is 11111.' })
    const text = 'The key is 22222.'
    for (const [field, value] of Object.entries({ question: 'Who?', model: 'other', workflow: 'slots' })) {
      const { status, told } = await read(api, { text, [field]: value })
      expect([status, told.error]).toMatchObject([409, { code: 'server/other-session', param: field }])
    }
    expect((await read(api, { text, question })).status).toBe(201)
    expect(await readdir(apis.folder.join('uploads'))).toHaveLength(2)
  })

  it.each([
    ['/api/sessions/..%2Fx', { text: 'x' }, 400, 'name'],
    ['/api/sessions/%20', { text: 'x' }, 400, 'name'],
    [path, {}, 400, 'files'],
    [path, { text: 'x', workflow: 'parallel' }, 400, 'workflow'],
    [path, { text: 'x', question: 'why '.repeat(500) }, 400, 'question'],
    [path, { files: ['file-1'] }, 404, undefined],
  ])('is not begun by a wrong request: %s %o', async (at, body, status, param) => {
    const api = open()
    const reply = await api.post(`${at}/read`, body)
    expect([reply.status, reply.body.error.param]).toEqual([status, param])
    expect((await api.get('/api/sessions')).body.sessions).toEqual([])
    expect((await api.post(`${at}/ask`, {})).status).toBe(404)
  })

  it('goes on after its server was stopped, while nothing may come before it', async () => {
    const { served, stopped } = noterUntil(5)
    const api = apis.open([served])
    const { body } = await api.post(`${path}/read`, { question, text: longText(600) })
    await stopped
    const early = await api.post(`${path}/read`, { text: 'x' })
    expect([early.status, early.body.error.code]).toEqual([409, 'server/session-unfinished'])
    expect((await api.delete(path)).body.error.code).toBe('server/session-in-use')
    await api.runs.close()

    const next = open()
    await next.runs.goOn()
    expect((await next.ended(body.run.id)).state).toBe('finished')
    expect((await next.get(path)).body).toMatchObject({ memory: 'Keys: 48213.', readingCount: 1 })
    expect((await next.get(path)).body.unfinished).toBeUndefined()
  })

  it('can be asked while it is read, of what was read so far; a reading is taken back', async () => {
    const { served, stopped } = noterUntil(8)
    const api = apis.open([served])
    await read(api, { question, text: 'The key is 11111.' })
    const { body } = await api.post(`${path}/read`, { text: longText(900) })
    await stopped
    await api.runs.close()
    const next = open()
    const asked = await ask(next)
    const warnings = asked.run.result.warnings.map(({ code }: { code: string }) => code)
    expect([asked.run.result.answer, warnings]).toMatchObject(['11111', ['reading-unfinished']])
    expect((await next.delete(`/api/runs/${body.run.id}`)).status).toBe(204)
    expect((await next.get(path)).body).toMatchObject({ readingCount: 1, memory: 'The key is 11111.' })
  })

  it('is erased with its runs and the texts that were given with them', async () => {
    const api = open()
    const { id } = await api.upload('kept.md', 'The key is 22222.')
    await read(api, { question, text: 'The key is 11111.', files: [id] })
    await read(api, { question, text: 'The key is 33333.' }, '/api/sessions/other')
    await ask(api)
    await api.post(`${path}/ask`, { question: 'Which?' })
    const { run: kept } = await ask(api, {}, '/api/sessions/other')
    expect((await api.delete(path)).status).toBe(204)
    expect((await api.delete(`/api/runs/${kept.id}`)).status).toBe(204)
    expect((await api.delete('/api/sessions/other')).status).toBe(204)
    expect(await readdir(apis.folder.join('uploads'))).toEqual([id])
    expect((await api.get('/api/runs')).body.runs).toEqual([])
    expect((await ask(api)).status).toBe(404)
  })

  it('is erased so by a command, too', async () => {
    const api = open()
    const { id } = await api.upload('kept.md', 'The key is 22222.')
    await read(api, { question, text: 'The key is 11111.', files: [id] })
    const readings = await apis.store.sessions.readings('diary')
    await apis.store.sessions.remove('diary')
    await removeTexts(apis.folder.join('uploads'), readings, apis.store)
    expect(await readdir(apis.folder.join('uploads'))).toEqual([id])
  })
})

describe('where there are keys', () => {
  it('belongs to the key that began it; others have their own of the same name, and learn nothing', async () => {
    const known = ['ann', 'bob', 'ann/x'].map((name) => ({ name, key: createKey() }))
    const hashes = known.map(({ name, key }) => ({ name, hash: hashOfKey(key) }))
    const findKey = async (hash: string) => hashes.find((one) => one.hash === hash)
    const [ann, bob, odd] = known.map(({ key }) => open({ authorization: `Bearer ${key}` }, { findKey }))
    const first = await read(ann!, { question, text: 'The key is 11111.' })
    await read(odd!, { question, text: 'The key is 99999.' })
    for (const other of [bob!, odd!]) {
      const at = other === bob ? path : '/api/sessions/x%2Fdiary'
      const gone = await other.get(at)
      expect([gone.status, gone.body.error.code]).toEqual([404, 'server/no-session'])
      expect((await ask(other, { question }, at)).status).toBe(404)
      expect((await other.delete(at)).status).toBe(404)
    }
    expect((await ann!.get('/api/sessions/x%2Fdiary')).status).toBe(404)
    expect((await bob!.get('/api/sessions')).body.sessions).toEqual([])
    expect((await bob!.get(`/api/runs/${first.run.id}`)).status).toBe(404)
    expect((await read(bob!, { question: 'Who?', text: 'The key is 22222.' })).status).toBe(201)
    const { answer, sources } = (await ask(ann!)).run.result
    expect([answer, sources]).toMatchObject(['11111', [{ file: 'text 1.txt', quote: 'The key is 11111.' }]])
    expect((await ann!.get('/api/sessions')).body.sessions).toMatchObject([{ name: 'diary', question }])
    // A server without keys shows its whole store, and reads on for any owner.
    const all = open()
    const names = (await all.get('/api/sessions')).body.sessions.map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['ann/diary', 'ann/x/diary', 'bob/diary'])
    expect((await read(all, { text: 'The key is 33333.' }, '/api/sessions/ann%2Fdiary')).status).toBe(201)
    expect((await ann!.get(path)).body).toMatchObject({ readingCount: 2, memory: 'Keys: 11111 33333.' })
    expect((await ann!.get('/api/runs')).body.runs).toHaveLength(3)
  })
})

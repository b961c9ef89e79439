/** What clients are promised about runs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'
import { apiOf, longText, noter, noterUntil, servedModel } from '../testing/served.ts'

const apis = openedApis(beforeEach, afterEach)
const { folder, open } = apis
const question = 'What is the key?'

describe('a run', () => {
  it('is read to its end after the reply, and then has an answer with its sources', async () => {
    const api = open()
    const file = await api.upload('book.txt', longText(2000))
    const begun = await api.post('/api/runs', { question, files: [file.id] })
    expect(begun.status).toBe(201)
    expect(begun.body).toMatchObject({ question, document: 'book.txt' })
    expect(begun.body.state).toMatch(/^(waiting|running)$/)
    expect(begun.headers.get('location')).toBe(`/api/runs/${begun.body.id}`)
    const run = await api.ended(begun.body.id)
    expect(run).toMatchObject({ state: 'finished', outcome: 'found', result: { answer: '48213' } })
    expect(run.result.sources).toContainEqual(expect.objectContaining({ file: 'book.txt' }))
    expect(JSON.stringify(run)).not.toContain(folder.path)
    const page = await api.get(`/api/runs/${run.id}/page`)
    expect(page.body).toMatchObject({ version: expect.any(Number), run: { id: run.id } })
    const lines = (await api.get(`/api/runs/${run.id}/export`)).body as string
    expect(lines.trim().split('\n').at(-1)).toBe(JSON.stringify({ type: 'end', id: run.id }))
  })

  it('of several files of one name says which of them its sources are in', async () => {
    const api = open()
    const files = [
      (await api.upload('a.txt', 'It is calm.')).id,
      (await api.upload('a.txt', 'The key is 48213.')).id,
    ]
    const { body } = await api.post('/api/runs', { question, files })
    const { files: read, result } = await api.ended(body.id)
    expect(read.map(({ name }: { name: string }) => name)).toEqual(['a.txt', 'a.txt (2)'])
    expect(result.sources).toMatchObject([{ file: 'a.txt (2)', quote: 'The key is 48213.' }])
  })

  it('of a file that is given twice reads it once', async () => {
    const api = open()
    const { id, bytes } = await api.upload('book.txt', 'The key is 48213.\n')
    const { body } = await api.post('/api/runs', { question, files: [id, id] })
    const run = await api.ended(body.id)
    expect(run).toMatchObject({ document: 'book.txt', files: [{ id }], result: { usage: { bytes } } })
  })

  it('of a text that is pasted is of no file, and is removed with it', async () => {
    const api = open()
    const { body } = await api.post('/api/runs', { question, text: longText(500) })
    expect(await api.ended(body.id)).toMatchObject({ result: { answer: '48213' } })
    expect((await api.get('/v1/files')).body.data).toEqual([])
    expect((await api.delete(`/api/runs/${body.id}`)).status).toBe(204)
    expect((await api.get(`/api/runs/${body.id}`)).status).toBe(404)
  })

  it.each([['run-file', 404] as const, ['user_data', 200] as const])(
    'of a file with the purpose %s leaves it at %d when it is erased',
    async (purpose, after) => {
      const api = open()
      const { id } = await api.upload('book.txt', 'The key is 48213.\n', purpose)
      const { body } = await api.post('/api/runs', { question, files: [id] })
      await api.ended(body.id)
      expect((await api.get(`/api/files/${id}/text`)).status).toBe(200)
      await api.delete(`/api/runs/${body.id}`)
      expect((await api.get(`/api/files/${id}/text`)).status).toBe(after)
    },
  )

  it('of a text that another run reads too leaves it to that', async () => {
    const api = open()
    const first = (await api.post('/api/runs', { question, text: longText(500) })).body
    const file = first.files[0].id
    const second = (await api.post('/api/runs', { question: 'Where?', files: [file] })).body
    for (const { id } of [first, second]) await api.ended(id)
    const textOf = async () => (await api.get(`/api/files/${file}/text`)).status
    await api.delete(`/api/runs/${second.id}`)
    expect(await textOf()).toBe(200)
    await api.delete(`/api/runs/${first.id}`)
    expect(await textOf()).toBe(404)
  })

  it('without a question takes notes', async () => {
    const api = open()
    const { body } = await api.post('/api/runs', { text: longText(300) })
    const { result, outcome } = await api.ended(body.id)
    expect(outcome).toBe('notes')
    expect(result.answer).toBeUndefined()
    expect(result.memory).not.toBe('')
  })

  it('of several questions answers each, and its memories can be asked', async () => {
    const api = open()
    const questions = [question, 'Where is the sea?']
    const { body } = await api.post('/api/runs', { questions, text: longText(500) })
    const { result } = await api.ended(body.id)
    expect(result.answers).toMatchObject([
      { question, answer: '48213' },
      { question: questions[1], answer: '48213' },
    ])
    expect((await api.get(`/api/runs/${body.id}/page?question=2`)).body.run.question).toBe(questions[1])
    expect((await api.get(`/api/runs/${body.id}/page?question=3`)).status).toBe(404)
    expect((await api.get(`/api/runs/${body.id}/page.html`)).body.error.param).toBe('question')
    const path = `/api/runs/${body.id}/ask`
    expect((await api.post(path, { question: 'Which key?' })).body.error.param).toBe('memoryOf')
    const asked = await api.post(path, { question: 'Which key?', memoryOf: 2 })
    expect(await api.ended(asked.body.id)).toMatchObject({
      question: 'Which key?',
      result: { answer: '48213' },
    })
  })

  it('that failed says why, can be resumed, and does not go on by itself', async () => {
    let fails = true
    const served = servedModel((call) =>
      fails ? Promise.reject(new Error('no such luck')) : (noter as (of: typeof call) => string)(call),
    )
    const api = open([served])
    const { body } = await api.post('/api/runs', { question, text: longText(300) })
    expect(await api.ended(body.id)).toMatchObject({
      state: 'unfinished',
      failure: { message: expect.stringContaining('no such luck') },
    })
    fails = false
    const again = open([served])
    await again.runs.goOn()
    expect((await again.get(`/api/runs/${body.id}`)).body.state).toBe('unfinished')
    expect((await again.post(`/api/runs/${body.id}/resume`)).body.failure).toBeUndefined()
    expect(await again.ended(body.id)).toMatchObject({ state: 'finished', result: { answer: '48213' } })
  })

  it('of a file that cannot be read fails with the reason', async () => {
    const api = open()
    const { id } = await api.upload(
      'picture.png',
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]),
    )
    const { body } = await api.post('/api/runs', { question, files: [id] })
    expect(await api.ended(body.id)).toMatchObject({
      state: 'unfinished',
      failure: { message: expect.stringContaining('picture.png') },
    })
  })
})

describe('cancelling', () => {
  it('stops a run that is read, which goes on where it stopped when it is resumed', async () => {
    const whole = servedModel(noter)
    const undisturbed = open([whole])
    const first = await undisturbed.post('/api/runs', { question, text: longText(1000) })
    const { result } = await undisturbed.ended(first.body.id)

    const { served, stopped } = noterUntil(8)
    const api = open([served])
    const { body } = await api.post('/api/runs', { question, text: longText(1000) })
    await stopped
    expect((await api.delete(`/api/runs/${body.id}`)).body.error.code).toBe('server/run-under-way')
    const cancelled = await api.post(`/api/runs/${body.id}/cancel`)
    expect(cancelled.body).toMatchObject({ state: 'unfinished', steps: 7, failure: { code: 'cancelled' } })

    const after = servedModel(noter)
    const restarted = open([after])
    await restarted.runs.goOn()
    expect((await restarted.get(`/api/runs/${body.id}`)).body.state).toBe('unfinished')
    await restarted.post(`/api/runs/${body.id}/resume`)
    const run = await restarted.ended(body.id)
    expect({ ...run.result, seconds: 0 }).toEqual({ ...result, seconds: 0 })
    expect(after.model.calls.length).toBe(whole.model.calls.length - 7)
    expect((await restarted.post(`/api/runs/${body.id}/resume`)).status).toBe(409)
    expect((await restarted.post(`/api/runs/${body.id}/cancel`)).body.state).toBe('finished')
  })

  it('and resuming can be asked for by several at once: the run is read once, and can be stopped', async () => {
    const { served, stopped } = noterUntil(8)
    const api = open([served])
    const { body } = await api.post('/api/runs', { question, text: longText(1000) })
    const path = `/api/runs/${body.id}`
    await stopped
    const all = (action: string) =>
      Promise.all(Array.from({ length: 6 }, () => api.post(`${path}/${action}`)))
    for (let round = 0; round < 3; round++) {
      for (const { status, body } of await all('cancel')) {
        expect([status, body.state, body.failure]).toMatchObject([200, 'unfinished', { code: 'cancelled' }])
      }
      for (const { status, body } of await all('resume')) {
        expect([status, body.state]).toEqual([200, expect.stringMatching(/waiting|running/)])
      }
    }
    await Promise.all([all('cancel'), all('resume'), all('cancel')])
    expect((await api.get(path)).body).toMatchObject({ state: 'unfinished', failure: { code: 'cancelled' } })

    await api.post(`${path}/resume`)
    await api.runs.close()
    const next = open([servedModel(noter)])
    await Promise.all([next.runs.goOn(), next.post(`${path}/resume`), next.post(`${path}/resume`)])
    expect(await next.ended(body.id)).toMatchObject({ state: 'finished', result: { answer: '48213' } })
  })

  it('takes a run that waits out of the line, and what is read goes on', async () => {
    const { served, stopped } = noterUntil(3)
    const api = open([served], { readings: 1 })
    const reading = await api.post('/api/runs', { question, text: longText(500) })
    await stopped
    const waiting = await api.post('/api/runs', { question, text: longText(600) })
    expect(waiting.body).toMatchObject({ state: 'waiting', steps: 0 })
    expect(await api.get('/api/runs?stat=waiting')).toMatchObject({ status: 400 })
    expect((await api.get('/api/runs?state=waiting')).body.runs).toMatchObject([{ id: waiting.body.id }])
    await api.post(`/api/runs/${waiting.body.id}/cancel`)
    expect((await api.get('/api/runs')).body.runs).toMatchObject([
      { id: waiting.body.id, state: 'unfinished', failure: { code: 'cancelled' } },
      { id: reading.body.id, state: 'running' },
    ])
  })
})

it.each([
  [{ question }, 'files'],
  [{ question, questions: [question], text: 'x' }, 'questions'],
  [{ question: ' ', text: 'x' }, 'question'],
  [{ question: 'why '.repeat(500), text: 'x' }, 'question'],
  [{ question, text: 'x', model: 'other' }, 'model'],
  [{ question, text: 'x', workflow: 'other' }, 'workflow'],
  [{ question, text: 'x', colour: 'red' }, 'colour'],
  [{ question, files: ['../../etc/passwd'] }, undefined],
])('refuses %j, naming the field', async (body, param) => {
  const { status, body: said } = await open().post('/api/runs', body)
  expect(status).toBe(param === undefined ? 404 : 400)
  expect(said.error.param).toBe(param)
  expect(await apis.store.list()).toEqual([])
})

it('refuses more runs than may wait, and says when to come again', async () => {
  const { served } = noterUntil(1)
  const api = open([served], { readings: 1 })
  const begin = () => api.post('/api/runs', { question, text: longText(300) })
  const replies = await Promise.all(Array.from({ length: 40 }, begin))
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await apis.store.list()).toHaveLength(40 - refused.length)
})

it('says that it keeps nothing where it was started so', async () => {
  const api = apiOf([servedModel(noter)])
  for (const path of ['/api/runs', '/v1/files']) {
    const { status, body } = await api.get(path)
    expect(status).toBe(503)
    expect(body.error.code).toBe('server/nothing-kept')
  }
  expect((await api.get('/api/models')).body.models).toMatchObject([{ id: 'reader', workflow: 'overwrite' }])
})

it('says which workflows a model was trained for, where its profile does', async () => {
  const models = [
    servedModel(noter, { workflows: ['edits', 'overwrite'] }),
    { ...servedModel(noter), id: 'other' },
  ]
  const [trained, other] = (await apiOf(models).get('/api/models')).body.models
  expect(trained.trainedFor).toEqual(expect.arrayContaining(['overwrite', 'edits', 'skim']))
  expect(trained.workflows).toEqual(expect.arrayContaining(['recall']))
  expect(trained.trainedFor).not.toContain('recall')
  expect(other.trainedFor).toBeUndefined()
})

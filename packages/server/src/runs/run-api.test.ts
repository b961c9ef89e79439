/** What clients are promised of runs. */
import { temporaryFolder } from '@memagent/core/testing'
import { openRunStore, type Store } from '@memagent/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiOf, longText, noter, servedModel } from '../testing/served.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let store: Store
beforeEach(async () => {
  store = await openRunStore(`${folder.path}/runs.sqlite`)
})
afterEach(() => store.close())

const question = 'What is the key?'
const open = (models = [servedModel(noter)], more = {}) =>
  apiOf(models, { store, uploads: `${folder.path}/uploads`, ...more })

describe('a run', () => {
  it('is read to its end after the reply, and then has an answer with its sources', async () => {
    const api = open()
    const file = await api.upload('book.txt', longText(2000))
    const begun = await api.post('/api/runs', { question, files: [file.id] })
    expect(begun.status).toBe(201)
    expect(begun.body).toMatchObject({
      state: expect.stringMatching(/waiting|running/),
      question,
      document: 'book.txt',
    })
    expect(begun.headers.get('location')).toBe(`/api/runs/${begun.body.id}`)
    const run = await api.ended(begun.body.id)
    expect(run).toMatchObject({ state: 'finished', outcome: 'found', result: { answer: '48213' } })
    expect(run.result.sources).toContainEqual(expect.objectContaining({ file: 'book.txt' }))
    expect(JSON.stringify(run)).not.toContain(folder.path)
  })

  it('of a text that is pasted is known by no file', async () => {
    const api = open()
    const { body } = await api.post('/api/runs', { question, text: longText(500) })
    expect(await api.ended(body.id)).toMatchObject({ result: { answer: '48213' } })
    expect((await api.get('/v1/files')).body.data).toEqual([])
    expect((await api.delete(`/api/runs/${body.id}`)).status).toBe(204)
    expect((await api.get(`/api/runs/${body.id}`)).status).toBe(404)
  })
})

/** Files in requests of all three protocols: by id, or with their content. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'
import { clientOf, longText, noter, servedModel } from '../testing/served.ts'

const apis = openedApis(beforeEach, afterEach)
const question = 'What is the key?'
const max_tokens = 100

const chat = (file: object) => ({
  model: 'reader',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'file', file },
        { type: 'text', text: question },
      ],
    },
  ],
})
const responses = (file: object) => ({
  model: 'reader',
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_file', ...file },
        { type: 'input_text', text: question },
      ],
    },
  ],
})
const messages = (source: object, title?: string) => ({
  model: 'reader',
  max_tokens,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'document', source, title },
        { type: 'text', text: question },
      ],
    },
  ],
})
const base64 = (text: string) => Buffer.from(text).toString('base64')
const pdf = (text: string) => `data:application/pdf;base64,${text}`
const corpus = join(import.meta.dirname, '../../../documents/src/testing/__fixtures__/corpus')

describe('an uploaded file', () => {
  it.each([
    ['/v1/chat/completions', (id: string) => chat({ file_id: id })],
    ['/v1/responses', (id: string) => responses({ file_id: id })],
    ['/v1/messages', (id: string) => messages({ type: 'file', file_id: id })],
  ])('is read by %s, under its own name', async (path, body) => {
    const api = apis.open()
    const { id } = await api.upload('harbour.txt', longText(2000))
    const reply = await api.post(path, body(id))
    expect(reply.status).toBe(200)
    expect(JSON.stringify(reply.body)).toContain('48213')
    expect(reply.body.memagent).toMatchObject({ read: true, outcome: 'found' })
    expect(reply.body.memagent.sources[0]).toMatchObject({ file: 'harbour.txt' })
  })

  it("of another client is as if it were not there; and nothing's id is a path", async () => {
    const findKey = async (hash: string) => ({ name: hash.slice(0, 8), hash, createdMs: 0 })
    const open = (key: string) => apis.open(undefined, { findKey }, { authorization: `Bearer ${key}` })
    const { id } = await open('mine').upload('a.txt', 'The key is 1.')
    expect((await open('mine').post('/v1/chat/completions', chat({ file_id: id }))).status).toBe(200)
    for (const file_id of [id, '../runs.sqlite', 'file-00000000000000000000000000000000']) {
      const { status, body } = await open('other').post('/v1/chat/completions', chat({ file_id }))
      expect([status, body.error.code]).toEqual([404, 'server/no-file'])
    }
  })

  it('cannot be named where nothing is kept', async () => {
    const { post } = clientOf([servedModel(noter)])
    expect((await post('/v1/chat/completions', chat({ file_id: 'file-1' }))).status).toBe(503)
  })
})

describe('a file that comes with the request', () => {
  it.each([
    [
      '/v1/chat/completions',
      (data: string) => chat({ filename: 'harbour.txt', file_data: `data:text/plain;base64,${data}` }),
    ],
    ['/v1/responses', (data: string) => responses({ filename: 'harbour.txt', file_data: data })],
    [
      '/v1/messages',
      (data: string) => messages({ type: 'base64', media_type: 'text/plain', data }, 'harbour.txt'),
    ],
  ])('is read by %s, with nothing kept', async (path, body) => {
    const { post } = clientOf([servedModel(noter)])
    const reply = await post(path, body(base64(longText(2000))))
    expect(reply.status).toBe(200)
    expect(reply.body.memagent).toMatchObject({ outcome: 'found', sources: [{ file: 'harbour.txt' }] })
  })

  it('is said to lack what could not be read of it, and refused where nothing could', async () => {
    const { post } = clientOf([servedModel(noter)])
    const half = (await readFile(join(corpus, 'half-scan.pdf'))).toString('base64')
    const reply = await post('/v1/chat/completions', chat({ filename: 'half.pdf', file_data: pdf(half) }))
    expect(reply.status).toBe(200)
    expect(reply.body.memagent.remarks.join()).toMatch(/half\.pdf.*page/i)
    const scan = (await readFile(join(corpus, 'scan.pdf'))).toString('base64')
    const none = await post('/v1/chat/completions', chat({ filename: 'scan.pdf', file_data: pdf(scan) }))
    expect([none.status, none.body.error.message]).toEqual([400, expect.stringContaining('scan.pdf')])
  })

  it('has a name of its own, however many are called the same', async () => {
    const { post } = clientOf([servedModel(noter)])
    const file = { type: 'file', file: { filename: 'a.txt', file_data: base64('The key is 5.') } }
    const content = [file, file, { type: 'text', text: question }]
    const body = { model: 'reader', messages: [{ role: 'user', content }], memagent: { question } }
    const { body: reply } = await post('/v1/chat/completions', body)
    expect(new Set(reply.memagent.sources.map(({ file }: { file: string }) => file))).toContain('a.txt')
  })

  it.each([
    ['no base64', chat({ filename: 'a.txt', file_data: '§§§' }), 400],
    ['nothing', chat({ filename: 'a.txt', file_data: '' }), 400],
    ['an address', chat({ file_url: 'http://localhost/a.txt' }), 400],
    ['an image', chat({ file_id: 'file-1', image_url: 'http://localhost/a.png' }), 400],
  ])('is refused if it is %s', async (_, body, status) => {
    expect((await clientOf([servedModel(noter)]).post('/v1/chat/completions', body)).status).toBe(status)
  })
})

describe('files without text', () => {
  const blank = ' \n\ufeff\t\n'
  const asked = (...files: object[]) => ({
    model: 'reader',
    messages: [{ role: 'user', content: [...files, { type: 'text', text: question }] }],
  })

  it.each([
    ['/v1/chat/completions', (id: string) => chat({ file_id: id })],
    ['/v1/responses', (id: string) => responses({ file_id: id })],
    ['/v1/messages', (id: string) => messages({ type: 'file', file_id: id })],
  ])('are refused by %s: "not found" would be said of a text that is not there', async (path, body) => {
    for (const served of [servedModel(noter), servedModel(noter, { workflows: ['overwrite'] })]) {
      const api = apis.open([served])
      for (const text of ['', blank]) {
        const { id } = await api.upload('harbour.txt', text)
        const { status, body: reply } = await api.post(path, body(id))
        expect(status).toBe(400)
        expect(reply.error.message).toContain('There is no text in harbour.txt.')
      }
      expect(served.model.calls).toEqual([])
    }
  })

  it('are refused where they come with the request, whatever else is said', async () => {
    const { post } = clientOf([servedModel(noter)])
    const text = (data: string) => messages({ type: 'text', media_type: 'text/plain', data }, 'harbour.txt')
    expect(await post('/v1/messages', text(''))).toMatchObject({ status: 400 })
    expect(await post('/v1/messages', text('The key is 5.'))).toMatchObject({ status: 200 })
    const before = { role: 'user', content: longText(2000) }
    const { messages: last, ...body } = chat({ filename: 'harbour.txt', file_data: base64(blank) })
    const { status, body: reply } = await post('/v1/chat/completions', {
      ...body,
      messages: [before, ...last],
    })
    expect([status, reply.error.code]).toEqual([400, 'document/no-text'])
  })

  it('are told of where others have text', async () => {
    const { post } = clientOf([servedModel(noter)])
    for (const words of [10, 2000]) {
      const [empty, real] = [blank, longText(words)].map((text, i) => ({
        type: 'file',
        file: { filename: `${i}.txt`, file_data: base64(text) },
      }))
      const { status, body } = await post('/v1/chat/completions', asked(empty!, real!))
      expect(status).toBe(200)
      expect(body.memagent.remarks).toEqual(['There is no text in 0.txt.'])
      expect((await post('/v1/chat/completions', asked(real!))).body.memagent.remarks).toBeUndefined()
    }
  })
})

describe('the length of a conversation', () => {
  it('is counted as its texts and files have tokens', async () => {
    const api = apis.open()
    const { id } = await api.upload('a.txt', longText(5000))
    const count = async (body: object) =>
      (await api.post('/v1/messages/count_tokens', body)).body.input_tokens
    const { max_tokens: _, ...named } = messages({ type: 'file', file_id: id })
    const short = await count({ model: 'reader', messages: [{ role: 'user', content: question }] })
    const text = await count({ model: 'reader', messages: [{ role: 'user', content: longText(5000) }] })
    expect(short).toBeGreaterThan(3)
    expect(short).toBeLessThan(100)
    const both = await count(named)
    expect(both).toBeGreaterThan(text)
    expect(both - text).toBeLessThan(100)
    expect(await api.post('/v1/messages/count_tokens', { model: 'other', messages: [] })).toMatchObject({
      status: 400,
    })
  })
})

/** What tools tell clients about what could not be read, and which runs their calls continue. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'
import { longText, noter, noterUntil, servedModel } from '../testing/served.ts'

const apis = openedApis(beforeEach, afterEach)
const corpus = join(import.meta.dirname, '../../../documents/src/testing/__fixtures__/corpus')
const question = 'What is the key?'

type Api = ReturnType<typeof apis.open>

async function clientOf({ app }: Api) {
  const client = new Client({ name: 'test', version: '1' })
  const fetch = async (url: string | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('host', 'localhost')
    return app.request(String(url), { ...init, headers })
  }
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }))
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into.
  return async (name: string, args: object): Promise<any> => {
    const { isError, content } = await client.callTool({ name, arguments: { ...args } })
    const [first] = content as { text: string }[]
    const { text } = first!
    return isError ? { isError, text } : JSON.parse(text)
  }
}

const uploadOf = async (api: Api, name: string, content: string | Uint8Array<ArrayBuffer>) =>
  (await api.upload(name, content)).id

const fixture = async (name: string) => Uint8Array.from(await readFile(join(corpus, name)))

it('of a text that was not read whole, what was not', async () => {
  const api = apis.open()
  const call = await clientOf(api)
  const files = [await uploadOf(api, 'half.pdf', await fixture('half-scan.pdf'))]
  const remarks = [expect.stringMatching(/half\.pdf: no text on page 2.*OCR/)]
  const asked = await call('ask_documents', { question, files })
  expect(asked).toMatchObject({ state: 'finished', outcome: 'unsure', remarks })
  expect(asked.warnings).toEqual([
    expect.stringMatching(/^Not everything could be read: half\.pdf: no text on page 2/),
  ])
  expect(await call('get_result', { run: asked.run })).toMatchObject({ remarks })
  const read = await call('read_into_session', { session: 'half', question, files })
  expect(read).toMatchObject({ state: 'finished', remarks })
  expect(await call('ask_session', { session: 'half' })).toMatchObject({ outcome: 'unsure', remarks })
})

it('of an argument that no tool has, its name', async () => {
  const call = await clientOf(apis.open())
  const asked = await call('ask_documents', { question, text: 'The key is 1.', workflow: 'skim' })
  expect(asked).toMatchObject({ isError: true, text: expect.stringMatching(/Unrecognized key: "workflow"/) })
})

describe('documents that cannot be read', () => {
  it.each([
    ['scan.pdf', () => fixture('scan.pdf'), /scan\.pdf.*picture.\n.*ocrmypdf/],
    ['binary.txt', async () => new Uint8Array(2000).map((_, i) => (i * 7919) % 256), /binary\.txt/],
    ['empty.txt', async () => '', /empty\.txt.*is empty/],
  ])('%s: is told with what can be done, and that the same call is in vain', async (name, content, told) => {
    const api = apis.open()
    const call = await clientOf(api)
    const files = [await uploadOf(api, name, await content())]
    for (const _ of ['once', 'again']) {
      const reply = await call('ask_documents', { question, files })
      expect(reply).toMatchObject({ isError: true, text: expect.stringMatching(told) })
      expect(reply.text).toMatch(/The same call fails in the same way.*\n\(document\/[a-z-]+\)$/)
      expect(reply.text).not.toMatch(/What was read is kept|with the same arguments again/)
    }
    const { body } = await api.get('/api/runs')
    const [{ id, failure }] = body.runs
    const result = await call('get_result', { run: id })
    expect(result).toMatchObject({ state: 'unfinished', stopped: failure.message })
    expect(result.hint).toBe(failure.hint)
    expect(result.next).toMatch(/fails in the same way/)
  })

  it('a text of white space is no text', async () => {
    const call = await clientOf(apis.open())
    const reply = await call('ask_documents', { question, text: ' \n\t ' })
    expect(reply).toMatchObject({ isError: true, text: expect.stringMatching(/nothing but white space/) })
  })

  it('of a session, how it goes on', async () => {
    const api = apis.open()
    const call = await clientOf(api)
    const files = [await uploadOf(api, 'scan.pdf', await fixture('scan.pdf'))]
    const reply = await call('read_into_session', { session: 'scans', question, files })
    const [, id] = /taken back: DELETE \/api\/runs\/([0-9a-f]+)\./.exec(reply.text)!
    expect((await api.delete(`/api/runs/${id}`)).status).toBe(204)
    expect(await call('read_into_session', { session: 'scans', question, text: longText(30) })).toMatchObject(
      { state: 'finished' },
    )
  })
})

it('of a run whose file is gone, that it does not go on', async () => {
  const { served, stopped } = noterUntil(4)
  const first = apis.open([served])
  const files = [await uploadOf(first, 'log.txt', longText(600))]
  const { body } = await first.post('/api/runs', { question, files })
  await stopped
  await first.runs.close()
  await rm(apis.folder.join('uploads'), { recursive: true })
  const api = apis.open()
  await api.runs.goOn()
  expect(await (await clientOf(api))('get_result', { run: body.id })).toMatchObject({
    state: 'unfinished',
    stopped: 'The file log.txt is not here any more.',
    hint: expect.stringContaining('Upload it again'),
    next: expect.stringContaining('fails in the same way'),
  })
})

describe('a call goes on with no reading but the same', () => {
  /** Stops a run in the middle. */
  async function stopped(begin: (api: Api, files: readonly string[]) => Promise<string>) {
    const { served, stopped } = noterUntil(4)
    const first = apis.open([served])
    const files = [await uploadOf(first, 'log.txt', longText(600))]
    const id = await begin(first, files)
    await stopped
    await first.post(`/api/runs/${id}/cancel`)
    const api = apis.open([servedModel(noter)])
    const reply = await (await clientOf(api))('ask_documents', { question, files })
    expect(reply).toMatchObject({ state: 'finished', answer: '48213', outcome: 'found' })
    return { goesOn: reply.run === id, state: (await api.get(`/api/runs/${id}`)).body.state }
  }

  const run = (more: object) => async (api: Api, files: readonly string[]) =>
    (await api.post('/api/runs', { question, files, ...more })).body.id as string
  const session = async (api: Api, files: readonly string[]) =>
    (await api.post('/api/sessions/log/read', { question, files })).body.run.id as string

  it('one that the run API began', async () => {
    expect(await stopped(run({}))).toEqual({ goesOn: true, state: 'finished' })
  })

  it.each([
    ['of a session', session],
    ['with another sampling', run({ temperature: 0.5 })],
    ['with a seed', run({ seed: 7 })],
    ['by another workflow', run({ workflow: 'gated' })],
  ])('not with one %s', async (_, begin) => {
    expect(await stopped(begin)).toEqual({ goesOn: false, state: 'unfinished' })
  })
})

it('the same question twice at once is one run', async () => {
  const served = servedModel(noter)
  const api = apis.open([served])
  const call = await clientOf(api)
  const files = [await uploadOf(api, 'a.txt', longText(600))]
  const asked = [files, [...files, ...files]]
  const replies = await Promise.all(asked.map((given) => call('ask_documents', { question, files: given })))
  expect(replies).toMatchObject([{ state: 'finished' }, { state: 'finished' }])
  expect(replies[0].run).toBe(replies[1].run)
  expect(await apis.store.list()).toHaveLength(1)
})

it.each([
  ["failure = '{'"],
  [`state = 'unfinished', failure = '{"code":"cancelled","message":""}', checkpoint = '{'`],
])('a question that a damaged run asked is read anew: %s', async (damage) => {
  const api = apis.open()
  const files = [await uploadOf(api, 'a.txt', 'The key is 48213.')]
  const { id } = await api.ended((await api.post('/api/runs', { question, files })).body.id)
  const database = new DatabaseSync(join(apis.folder.path, 'runs.sqlite'))
  database.prepare(`UPDATE runs SET ${damage} WHERE id = ?`).run(id)
  database.close()
  const reply = await (await clientOf(api))('ask_documents', { question, files })
  expect(reply).toMatchObject({ state: 'finished', answer: '48213' })
  expect(reply.run).not.toBe(id)
})

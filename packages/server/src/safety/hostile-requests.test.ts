/** Malicious requests and files. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { openRunStore, type Store } from '@memagent/store'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listen } from '../listen.ts'
import { apiOf, clientOf, longText, noter, servedModel } from '../testing/served.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let store: Store
beforeEach(async () => {
  mkdirSync(folder.join('data'))
  store = await openRunStore(folder.join('data/runs.sqlite'))
  writeFileSync(folder.join('secret.txt'), 'The key is 11111.')
})
afterEach(() => store.close())
const api = (more = {}) =>
  apiOf([servedModel(noter)], { store, uploads: folder.join('data/uploads'), ...more })

/** All paths below, except the store. */
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true })
    .map(String)
    .filter((name) => !name.includes('runs.sqlite'))
    .sort()

const names = [
  '../../secret.txt',
  '..\\..\\secret.txt',
  '/etc/passwd',
  'C:\\secret.txt',
  '.',
  '..',
  'a\u0000.txt',
  '%2e%2e%2fsecret.txt',
  'x'.repeat(5000),
  '"; rm -rf /; echo ".txt',
  '<img src=x onerror=alert(1)>.html',
]

describe('files', () => {
  it.each(names)('of the name %j stay in the data folder, for their owner alone', async (name) => {
    const { upload, get } = api()
    const { id } = await upload(name, 'The key is 22222.')
    expect(filesIn(folder.path)).toEqual(
      [
        'data',
        'data/uploads',
        `data/uploads/${id}`,
        `data/uploads/${id}/content`,
        `data/uploads/${id}/file.json`,
        'secret.txt',
      ].sort(),
    )
    for (const file of ['content', 'file.json']) {
      expect(statSync(folder.join(join('data/uploads', id, file))).mode & 0o777).toBe(0o600)
    }
    expect(statSync(folder.join(join('data/uploads', id))).mode & 0o777).toBe(0o700)
    const content = await get(`/v1/files/${id}/content`)
    // Never as a page of this server.
    expect(content.headers.get('content-type')).toBe('application/octet-stream')
    expect(content.headers.get('content-disposition')).toMatch(
      /^attachment; filename\*=UTF-8''[\w%.~!'()*-]*$/,
    )
  })

  it.each([
    '../../secret.txt',
    '..%2f..%2fsecret.txt',
    '%2e%2e/%2e%2e/secret.txt',
    '..%5c..%5csecret.txt',
    'file-%2e%2e%2f%2e%2e%2fsecret.txt',
    '%00',
    `file-${'0'.repeat(32)}%2f..%2f..%2f..%2fsecret.txt`,
  ])('no id leads out: %s', async (id) => {
    const { get, delete: remove, post } = api()
    for (const path of [`/v1/files/${id}`, `/v1/files/${id}/content`, `/api/files/${id}/text`]) {
      const { status, body } = await get(path)
      expect([path, status]).toEqual([path, 404])
      expect(JSON.stringify(body)).not.toContain('11111')
    }
    await remove(`/v1/files/${id}`)
    const begun = await post('/api/runs', { question: 'What is the key?', files: [decodeURIComponent(id)] })
    expect(begun.status).toBe(404)
    expect(readFileSync(folder.join('secret.txt'), 'utf8')).toBe('The key is 11111.')
  })

  it('are refused over their limit, and nothing of them is left', async () => {
    const { upload } = api({ mostFileBytes: 1000 })
    await expect(upload('big.txt', 'x'.repeat(1001))).rejects.toThrow('server/file-too-large')
    expect(filesIn(folder.join('data/uploads'))).toEqual([])
  })
})

it('no address in a request or a document is fetched', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  const connected = vi.spyOn(Socket.prototype, 'connect')
  const address = 'http://127.0.0.1:9/secret'
  const { post } = clientOf([servedModel(noter)])
  const chat = (content: object) => ({ model: 'reader', messages: [{ role: 'user', content: [content] }] })
  const refused = [
    ['/v1/chat/completions', chat({ type: 'image_url', image_url: { url: address } })],
    ['/v1/chat/completions', chat({ type: 'file', file: { file_url: address } })],
    [
      '/v1/responses',
      { model: 'reader', input: [{ role: 'user', content: [{ type: 'input_file', file_url: address }] }] },
    ],
    [
      '/v1/responses',
      { model: 'reader', input: [{ role: 'user', content: [{ type: 'input_image', image_url: address }] }] },
    ],
    ['/v1/messages', { max_tokens: 9, ...chat({ type: 'document', source: { type: 'url', url: address } }) }],
    ['/v1/messages', { max_tokens: 9, ...chat({ type: 'image', source: { type: 'url', url: address } }) }],
  ] as const
  for (const [path, body] of refused) {
    const { status } = await post(path, body, { 'anthropic-version': '2023-06-01' })
    expect([path, status]).toEqual([path, 400])
  }
  const { upload, post: send, ended, get } = api()
  const page = `<html><head><link rel=stylesheet href="${address}"><base href="${address}"></head><body><img src="${address}">
    <iframe src="${address}"></iframe><script src="${address}"></script><p>${longText(300)} See ${address}</p></body></html>`
  const { id } = await upload('page.html', page)
  expect((await get(`/api/files/${id}/text`)).status).toBe(200)
  const { body } = await send('/api/runs', { question: 'What is the key?', files: [id] })
  expect(await ended(body.id)).toMatchObject({ state: 'finished' })
  expect((await send('/api/runs', { question: 'What is the key?', files: [address] })).status).toBe(404)
  expect(fetched).not.toHaveBeenCalled()
  expect(connected).not.toHaveBeenCalled()
})

describe('a request', () => {
  it.each(['/v1/chat/completions', '/v1/responses', '/v1/messages', '/api/runs'])(
    'that is too large for %s is refused, also where it does not say how large it is',
    async (path) => {
      const { app } = api({ mostBytes: 1000 })
      const headers = { host: 'localhost', 'content-type': 'application/json' }
      const body = JSON.stringify({ text: 'x'.repeat(1000) })
      const whole = await app.request(`http://localhost${path}`, { method: 'POST', headers, body })
      expect(whole.status).toBe(413)
      const pieces = new Blob([body]).stream()
      const init = { method: 'POST', headers, body: pieces, duplex: 'half' }
      expect((await app.request(`http://localhost${path}`, init as RequestInit)).status).toBe(413)
    },
  )

  it.each([
    ['no end of its head', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n'],
    [
      'no end of its body',
      'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{',
    ],
  ])('with %s is ended after a while', async (_, text) => {
    const sending = { headMs: 100, requestMs: 300 }
    const server = await listen({ models: [servedModel(noter)], port: 0, sending })
    const reply = await new Promise<string>((resolve, reject) => {
      let said = ''
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text))
      socket.on('data', (data) => {
        said += data
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(said))
    })
    expect(reply).toMatch(/^HTTP\/1\.1 408 /)
    await server.stop()
  })

  it('from another machine does not arrive: the server listens on this one', async () => {
    const server = await listen({ models: [servedModel(noter)], port: 0 })
    const { hostname, port } = new URL(server.url)
    expect(hostname).toBe('127.0.0.1')
    const code = await new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.2', () => resolve('connected'))
      socket.on('error', (error) => resolve((error as NodeJS.ErrnoException).code))
    })
    expect(code).toBe('ECONNREFUSED')
    await server.stop()
  })
})

/** What clients can do with files, and what they cannot. */
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'
import { hangingModel } from '../testing/served.ts'
import { Uploads } from './uploads.ts'

const apis = openedApis(beforeEach, afterEach)
const { folder } = apis

const uploads = () => join(folder.path, 'uploads')
const open = (more = {}, models?: Parameters<typeof apis.open>[0]) => apis.open(models, more)
const kept = () => readdir(uploads()).catch(() => [])

describe('a file', () => {
  it("is uploaded, listed, given back and removed by OpenAI's client", async () => {
    const { app } = open()
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: 'http://localhost/v1',
      fetch: async (input, init) => {
        const headers = new Headers(init?.headers)
        headers.set('host', 'localhost')
        return app.request(new Request(input as string, { ...init, headers, duplex: 'half' } as RequestInit))
      },
    })
    const content = Buffer.from('Zwölf Boxkämpfer\n'.repeat(20_000))
    const made = await client.files.create({
      file: new File([content], 'Bericht ä.txt'),
      purpose: 'user_data',
    })
    expect(made).toMatchObject({
      object: 'file',
      bytes: content.length,
      filename: 'Bericht ä.txt',
      status: 'processed',
    })
    const listed = await client.files.list()
    expect(listed.data).toEqual([await client.files.retrieve(made.id)])
    const given = await client.files.content(made.id)
    expect(Buffer.from(await given.arrayBuffer()).equals(content)).toBe(true)
    expect(given.headers.get('content-type')).toBe('application/octet-stream')
    expect(await client.files.delete(made.id)).toMatchObject({ deleted: true })
    expect(await kept()).toEqual([])
  })

  it('is given back if its name is cut', async () => {
    const { get, upload } = open()
    const { id, filename } = await upload(`${'x'.repeat(999)}🐱.txt`, 'text')
    expect(filename).toBe('x'.repeat(999))
    expect(await get(`/v1/files/${id}/content`)).toMatchObject({ status: 200, body: 'text' })
  })

  it('is not opened for a client that wants its head alone', async () => {
    const { app, upload } = open()
    const { id, bytes } = await upload('a.txt', 'text')
    const opened = vi.spyOn(Uploads.prototype, 'contentOf')
    const head = await app.request(`http://localhost/v1/files/${id}/content`, {
      method: 'HEAD',
      headers: { host: 'localhost' },
    })
    expect([head.status, head.headers.get('content-length'), opened.mock.calls]).toEqual([
      200,
      `${bytes}`,
      [],
    ])
  })

  it('has no purpose that the server itself gives, and pages go on behind one that is there', async () => {
    const { app, get } = open()
    const form = new FormData()
    form.set('file', new File(['text'], 'a.txt'))
    form.set('purpose', 'pasted-text')
    const sent = await app.request('http://localhost/v1/files', {
      method: 'POST',
      headers: { host: 'localhost' },
      body: form,
    })
    expect([sent.status, await kept()]).toEqual([400, []])
    expect((await get('/v1/files?after=file-0')).status).toBe(400)
  })

  it('can be read by nobody else on the machine', async () => {
    const { id } = await open().upload('a.txt', 'text')
    const modes = [
      uploads(),
      join(uploads(), id),
      join(uploads(), id, 'content'),
      join(uploads(), id, 'file.json'),
    ]
    for (const path of modes) expect((await stat(path)).mode & 0o077, path).toBe(0)
  })

  it.each([
    '../../../etc/passwd',
    '..\\..\\x',
    '/etc/cron.d/x',
    'a\0b',
    '.',
    '',
    '"; rm -rf /',
    'x'.repeat(5000),
  ])('is kept in its own folder, whatever it is called: %j', async (name) => {
    const api = open()
    const { id } = await api.upload(name, 'The key is 4.')
    expect(await kept()).toEqual([id])
    expect((await readdir(join(uploads(), id))).sort()).toEqual(['content', 'file.json'])
    expect(await readdir(folder.path)).not.toContain('etc')
    expect((await api.get(`/api/files/${id}/text`)).body.text).toBe('The key is 4.')
  })

  it.each(['../runs.sqlite', '..%2Fruns.sqlite', '%2e%2e', 'file-../../x', `file-${'0'.repeat(31)}/`])(
    'is found by an id alone: %s',
    async (id) => {
      for (const path of [`/v1/files/${id}`, `/v1/files/${id}/content`, `/api/files/${id}/text`]) {
        expect((await open().get(path)).status).toBe(404)
      }
    },
  )

  it('that is too large is refused, and nothing of it stays', async () => {
    const api = open({ mostFileBytes: 1000 })
    await expect(api.upload('a.txt', 'x'.repeat(1001))).rejects.toThrow(/1000 bytes at most/)
    expect(await kept()).toEqual([])
    await api.upload('a.txt', 'x'.repeat(1000))
    expect(await kept()).toHaveLength(1)
  })

  it('may be larger than other requests', async () => {
    const api = open({ mostBytes: 1000 })
    expect(await api.upload('a.txt', 'x'.repeat(5000))).toMatchObject({ bytes: 5000 })
  })

  it('that a run is reading is not removed', async () => {
    const { served, asked } = hangingModel()
    const api = open({}, [served])
    const { id } = await api.upload('a.txt', 'word '.repeat(500))
    const { body } = await api.post('/api/runs', { question: 'What?', files: [id] })
    await asked
    expect((await api.delete(`/v1/files/${id}`)).status).toBe(409)
    await api.post(`/api/runs/${body.id}/cancel`)
    expect((await api.delete(`/v1/files/${id}`)).status).toBe(200)
    const resumed = await api.post(`/api/runs/${body.id}/resume`)
    expect([resumed.status, resumed.body.error.code]).toEqual([409, 'server/file-gone'])
  })
})

describe('an upload', () => {
  const post = (body: RequestInit['body'], type: string) =>
    open().app.request('http://localhost/v1/files', {
      method: 'POST',
      headers: { host: 'localhost', 'content-type': type },
      body,
      duplex: 'half',
    } as RequestInit)
  const part = (name: string, value: string, more = '') =>
    `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const file = part('file', 'some text', '; filename="a.txt"')

  it('takes fields in any order', async () => {
    for (const body of [part('purpose', 'batch') + file, file + part('purpose', 'batch')]) {
      const reply = await post(`${body}--B--\r\n`, 'multipart/form-data; boundary=B')
      expect(await reply.json()).toMatchObject({ purpose: 'batch', filename: 'a.txt', bytes: 9 })
    }
  })

  it.each([
    ['cut short', file.slice(0, -4), 'multipart/form-data; boundary=B', 400],
    ['cut short behind the file', file, 'multipart/form-data; boundary=B', 400],
    ['without a file', `${part('purpose', 'x')}--B--\r\n`, 'multipart/form-data; boundary=B', 400],
    [
      'with a file of another name',
      `${file.replace('"file"', '"other"')}--B--\r\n`,
      'multipart/form-data; boundary=B',
      400,
    ],
    ['without a boundary', file, 'multipart/form-data', 415],
    ['that is JSON', '{}', 'application/json', 415],
    ['of rubbish', '\0\xff'.repeat(1000), 'multipart/form-data; boundary=B', 400],
    ['of nothing', '', 'multipart/form-data; boundary=B', 400],
  ])('%s is refused in words, and nothing of it stays', async (_, body, type, status) => {
    const reply = await post(body, type)
    expect(reply.status).toBe(status)
    expect(((await reply.json()) as { error: object }).error).toMatchObject({ message: expect.any(String) })
    expect(await kept()).toEqual([])
  })

  it('that the client gives up leaves nothing', async () => {
    const content = new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from(file.slice(0, -4) + 'more '.repeat(20_000)))
        await new Promise((resolve) => setTimeout(resolve, 20))
        controller.error(new Error('gone'))
      },
    })
    const reply = await post(content, 'multipart/form-data; boundary=B')
    expect(reply.status).toBe(400)
    expect(await kept()).toEqual([])
  })

  it('that a killed server left is removed by the next, unless it may still be going on', async () => {
    const [old, young] = ['a', 'b'].map((letter) => `file-${letter.repeat(32)}`)
    for (const id of [old!, young!]) {
      await mkdir(join(uploads(), id), { recursive: true })
      await writeFile(join(uploads(), id, 'content'), 'half')
    }
    await utimes(join(uploads(), old!, 'content'), 1, 1)
    const api = open()
    const { id } = await api.upload('whole.txt', 'x')
    await api.runs.goOn()
    expect((await kept()).sort()).toEqual([young, id].sort())
    await api.runs.close()
  })
})

it('whose entry is damaged is as if it were not there, and stops neither the list nor the server', async () => {
  const api = open()
  const [damaged, whole] = [await api.upload('a.md', 'lost'), await api.upload('b.md', 'kept')]
  await writeFile(join(folder.path, 'uploads', damaged.id, 'file.json'), '{"id"')
  const run = await api.post('/api/runs', { question: 'What?', files: [damaged.id] })
  expect([run.status, run.body.error.code]).toEqual([404, 'server/no-file'])
  expect((await api.get('/v1/files')).body.data).toMatchObject([{ id: whole.id }])
  await open().runs.goOn()
})

describe('the text of a file', () => {
  it('comes in parts that are cut between signs and say where they go on', async () => {
    const api = open()
    const text = 'Ünï – cödé 漢字 🐱 '.repeat(500)
    const { id } = await api.upload('a.md', text)
    let [all, next] = ['', 0 as number | undefined]
    while (next !== undefined) {
      const { body } = await api.get(`/api/files/${id}/text?startByte=${next}&most=1001`)
      expect(body.text).not.toContain('\ufffd')
      all += body.text
      next = body.nextByte
    }
    expect(all).toBe(text)
    for (let startByte = 0; startByte < 30; startByte++) {
      const { body } = await api.get(`/api/files/${id}/text?startByte=${startByte}&most=100`)
      const rest = Buffer.from(text).subarray(body.startByte).toString()
      expect([rest.startsWith(body.text), body.text.includes('\ufffd')]).toEqual([true, false])
      expect(body.startByte - startByte).toBeLessThan(4)
    }
  })

  it('names rows and entries, as sources do', async () => {
    const api = open()
    const { id } = await api.upload('people.csv', 'name,age\nAnn,7\nBob,8\n')
    const { body } = await api.get(`/api/files/${id}/text`)
    expect(body.name).toBe('people.csv')
    expect(body.marks.map(({ place }: { place: string }) => place).join(' ')).toMatch(/row 2.*row 3/)
  })

  it('of a file that cannot be read is a 422 with the reason', async () => {
    const api = open()
    const { id } = await api.upload('x.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]))
    const { status, body } = await api.get(`/api/files/${id}/text`)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({
      code: expect.stringMatching(/^document\//),
      message: expect.stringContaining('x.png'),
    })
    expect(JSON.stringify(body)).not.toContain(folder.path)
  })
})

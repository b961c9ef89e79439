/** What clients are promised about the runs of a server that stops: the next one goes on with them. */
import { cp, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'
import { longText, noter, noterUntil, servedModel } from '../testing/served.ts'

const apis = openedApis(beforeEach, afterEach)
const { open } = apis
const question = 'What is the key?'

describe('a server that stops', () => {
  it('leaves its runs to the next one: those that are read, and those that wait', async () => {
    const { served, stopped } = noterUntil(5)
    const api = open([served], { readings: 1 })
    const ids: string[] = []
    for (const words of [1000, 700, 400]) {
      ids.push((await api.post('/api/runs', { question, text: longText(words) })).body.id)
    }
    await stopped
    await api.runs.close()
    const next = open([servedModel(noter)], { readings: 1 })
    await next.runs.goOn()
    for (const id of ids) expect((await next.get(`/api/runs/${id}`)).body.state).toMatch(/waiting|running/)
    for (const id of ids) expect(await next.ended(id)).toMatchObject({ state: 'finished', outcome: 'found' })
  })

  it('leaves a run of a model that it does not serve as it is, and says so', async () => {
    const { served, stopped } = noterUntil(5)
    const api = open([served])
    const { body } = await api.post('/api/runs', { question, text: longText(1000) })
    await stopped
    await api.runs.close()
    const other = open([{ ...servedModel(noter), id: 'other' }])
    await other.runs.goOn()
    expect(await apis.store.load(body.id)).toMatchObject({
      state: 'unfinished',
      failure: { code: 'interrupted' },
    })
    const told = { code: 'server/model-not-served', hint: expect.stringContaining('that model is started') }
    const path = `/api/runs/${body.id}`
    expect((await other.get(path)).body).toMatchObject({ state: 'unfinished', failure: told })
    expect((await other.get('/api/runs')).body.runs).toMatchObject([{ state: 'unfinished', failure: told }])
    const resumed = await other.post(`${path}/resume`)
    expect([resumed.status, resumed.body.error.code]).toEqual([409, told.code])
    // Nothing to wait for, so followers are released.
    expect((await other.ended(body.id)).state).toBe('unfinished')
  })

  it('says of a run whose file is gone that it does not go on, until the file is back', async () => {
    const { served, stopped } = noterUntil(5)
    const api = open([served])
    const { id } = await api.upload('log.txt', longText(1000))
    const { body } = await api.post('/api/runs', { question, files: [id] })
    await stopped
    await api.runs.close()
    const [kept, gone] = [id, 'gone'].map((name) => apis.folder.join(`uploads/${name}`))
    await rename(kept!, gone!)
    const next = open([servedModel(noter)])
    await next.runs.goOn()
    const told = { state: 'unfinished', failure: { code: 'server/file-gone' } }
    expect((await next.get(`/api/runs/${body.id}`)).body).toMatchObject(told)
    expect((await next.get('/api/runs')).body.runs).toMatchObject([told])
    expect(await next.ended(body.id)).toMatchObject(told)
    await next.runs.close()
    await rename(gone!, kept!)
    const last = open([servedModel(noter)])
    await last.runs.goOn()
    expect(await last.ended(body.id)).toMatchObject({ state: 'finished', outcome: 'found' })
  })

  it('leaves a run to others whatever it is doing when it stops, or when the run is cancelled', async () => {
    const failures: unknown[] = []
    for (let turns = 0; turns < 40; turns++) {
      const api = open([servedModel(noter)], { onFailure: (error) => failures.push(error) })
      const { body } = await api.post('/api/runs', { question, text: longText(100 + turns) })
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      if (turns % 2 === 0) await api.post(`/api/runs/${body.id}/cancel`)
      else await api.runs.close()
      expect((await apis.store.load(body.id)).state).not.toBe('running')
    }
    expect(failures).toEqual([])
  })

  it('removes texts that it kept for runs which never began', async () => {
    const api = open()
    const { body } = await api.post('/api/runs', { question, text: longText(100) })
    await api.ended(body.id)
    const folder = apis.folder.join('uploads')
    const [kept] = await readdir(folder)
    const lost = kept!.replace(/.{4}$/, '0000')
    await cp(join(folder, kept!), join(folder, lost), { recursive: true })
    const file = join(folder, lost, 'file.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace(kept!, lost))
    await open().runs.goOn()
    expect((await readdir(folder)).toSorted()).toEqual([lost, kept].toSorted())
    const longAgo = new Date(Date.now() - 86_400_000)
    for (const id of [lost, kept!]) await utimes(join(folder, id, 'content'), longAgo, longAgo)
    await open().runs.goOn()
    expect(await readdir(folder)).toEqual([kept])
  })
})

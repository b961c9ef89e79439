/** What every driver promises about sessions. */
import { createTextDocument } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readingUnfinished, sessionMemory } from './session-memory.ts'
import { type NewDocument, sessionFingerprint } from './session-store.ts'
import type { Store } from './store.ts'
import { drivers } from './testing/drivers.ts'
import { openedStores } from './testing/opened-stores.ts'
import { description, question, readShortly, text } from './testing/short-run.ts'

const folder = temporaryFolder(beforeEach, afterEach)

const documentAt = (path: string, more: Partial<NewDocument> = {}): NewDocument => ({
  path,
  sizeBytes: 12,
  sha256: `hash of ${path}`,
  ...more,
})

describe.each(drivers)('a store of sessions: $name', (driver) => {
  const test = it.skipIf(driver.skipped !== undefined)
  const open = openedStores(driver, folder, afterEach)

  const beginning = (store: Store, after: number, paths: readonly string[], model = description.model) =>
    store.sessions.begin('diary', {
      run: { ...description, model, document: paths.join(', ') },
      documents: paths.map((path) => documentAt(path)),
      after,
    })
  /** One reading of the session. */
  async function read(store: Store, after: number, paths: readonly string[], stopAfter?: number) {
    const start = after === 0 ? undefined : await store.sessions.start('diary', after)
    const { unfinished } = (await store.sessions.find('diary')) ?? {}
    const run = unfinished ? await store.resume(unfinished) : beginning(store, after, paths)
    const document = {
      ...createTextDocument(`${text} ${paths.join()}`),
      fingerprint: async () => sessionFingerprint('diary', after + 1),
    }
    const part = await readShortly(run, { document, answers: false, start, stopAfter })
    if (part.result) await run.finish(part.result)
    else await run.stop()
    return { ...part, run: run.id! }
  }

  test('keeps readings in order, each going on from the memory before it', async () => {
    const store = await open()
    expect(await store.sessions.find('diary')).toBeUndefined()
    await expect(store.sessions.load('diary')).rejects.toMatchObject({ code: 'store/no-session' })
    await expect(store.sessions.load('')).rejects.toThrow('The name of the session is empty.')
    const first = await read(store, 0, ['/b.md', '/a.md'])
    const second = await read(store, 1, ['/c.md'])
    const { steps } = (await store.sessions.start('diary', 1))!
    const ordinals = second.events.flatMap((event) => (event.type === 'chunk-end' ? [event.step] : []))
    expect(ordinals[0]).toBe(steps)
    const other = await open()
    const found = await other.sessions.load('diary')
    const unchanged = { question, model: 'scripted', workflow: 'overwrite', name: 'diary' }
    expect(found).toMatchObject({ ...unchanged, readings: 2, documents: 3, steps: steps + ordinals.length })
    expect(await other.sessions.list()).toEqual([found])
    expect(await other.sessions.readings('diary')).toMatchObject([
      { number: 1, id: first.run, state: 'finished' },
      { number: 2, id: second.run, state: 'finished' },
    ])
    const documents = await other.sessions.documents('diary')
    expect(documents.map(({ path, reading, number, isRead }) => [path, reading, number, isRead])).toEqual([
      ['/b.md', 1, 0, true],
      ['/a.md', 1, 1, true],
      ['/c.md', 2, 0, true],
    ])
    expect(await other.sessions.start('diary')).toMatchObject({ question, steps: found.steps })
  })

  test('goes on with a reading that was stopped, which nothing may come before', async () => {
    const store = await open()
    await read(store, 0, ['/a.md'])
    const stopped = await read(store, 1, ['/b.md'], 2)
    expect(await store.sessions.load('diary')).toMatchObject({ readings: 2, unfinished: stopped.run })
    expect((await store.sessions.documents('diary')).map(({ isRead }) => isRead)).toEqual([true, false])
    const identity = { document: 'other' }
    await expect(beginning(store, 1, ['/c.md']).load(identity)).rejects.toMatchObject({
      code: 'store/session-unfinished',
    })
    const before = await store.sessions.start('diary', 1)
    const during = await store.sessions.start('diary')
    expect(during!.steps).toBe(before!.steps + 2)
    const rest = await read(store, 1, ['/b.md'])
    expect(rest.run).toBe(stopped.run)
    expect(stopped.calls + rest.calls).toBe((await store.load(rest.run)).steps)
    await expect(beginning(store, 1, ['/c.md']).load(identity)).rejects.toMatchObject({
      code: 'store/session-moved',
    })
  })

  test('keeps a reading that is to be done later, and nothing comes before it', async () => {
    const store = await open()
    await read(store, 0, ['/a.md'])
    const reading = { run: description, documents: [documentAt('/b.md')], after: 1 }
    const id = await store.sessions.create('diary', reading)
    expect(await store.sessions.load('diary')).toMatchObject({ readings: 2, unfinished: id })
    await expect(store.sessions.create('diary', reading)).rejects.toMatchObject({
      code: 'store/session-unfinished',
    })
    const start = await store.sessions.start('diary', 1)
    const first = await store.resume(id)
    const stopped = await readShortly(first, { answers: false, start: start!, stopAfter: 2 })
    await first.stop()
    expect(await sessionMemory(store, await store.sessions.load('diary'))).toMatchObject({
      steps: start!.steps + 2,
      warnings: [{ code: readingUnfinished }],
    })
    const writer = await store.resume(id)
    const rest = await readShortly(writer, { answers: false, start: start! })
    await writer.finish(rest.result!)
    const { steps, result } = await store.load(id)
    expect([steps, result]).toEqual([stopped.calls + rest.calls, rest.result])
    expect(await sessionMemory(store, await store.sessions.load('diary'))).toMatchObject({ warnings: [] })
    await expect(store.sessions.create('diary', reading)).rejects.toMatchObject({
      code: 'store/session-moved',
    })
  })

  test('gives one session to one writer, however many begin', async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => open()))
    const identity = { document: sessionFingerprint('diary', 1) }
    const begun = await Promise.allSettled(
      stores.map((store, i) => beginning(store, 0, [`/${i}.md`]).load(identity)),
    )
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of begun) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'store/session-in-use' })
    }
    const [store] = stores as [Store]
    await expect(store.sessions.remove('diary')).rejects.toMatchObject({ code: 'store/session-in-use' })
    await expect(store.sessions.replaceDocument('diary', 0, undefined)).rejects.toMatchObject({
      code: 'store/session-in-use',
    })
    expect(await store.sessions.documents('diary')).toHaveLength(1)
  })

  test('forgets a session that read nothing', async () => {
    const store = await open()
    const run = beginning(store, 0, ['/a.md'])
    await run.load({ document: 'x' })
    await run.stop()
    expect(await store.sessions.list()).toEqual([])
    expect(await store.list()).toEqual([])
    await read(store, 0, ['/a.md'])
    expect(await store.sessions.list()).toMatchObject([{ name: 'diary', readings: 1 }])
  })

  test('goes on as its last reading was begun, whatever was begun in vain', async () => {
    const store = await open()
    await read(store, 0, ['/a.md'])
    const identity = { document: sessionFingerprint('diary', 2) }
    const held = beginning(await open(), 1, ['/b.md'], 'other')
    await held.load(identity)
    await expect(beginning(store, 1, ['/b.md'], 'third').load(identity)).rejects.toMatchObject({
      code: 'store/session-in-use',
    })
    expect(await store.sessions.load('diary')).toMatchObject({ model: 'other', unfinished: held.id })
    await store.sessions.replaceDocument('diary', 0, documentAt('/b.md', { sha256: 'new' }), held)
    expect(await store.sessions.documents('diary')).toMatchObject([{}, { path: '/b.md', sha256: 'new' }])
    await held.stop()
    expect(await store.sessions.load('diary')).toMatchObject({ model: description.model, readings: 1 })
    await store.sessions.moveDocument('diary', '/a.md', '/moved.md')
    await store.sessions.moveDocument('diary', '/moved.md', '/again.md')
    expect(await store.sessions.documents('diary')).toMatchObject([{ path: '/again.md', readAs: '/a.md' }])
  })

  test('takes the last reading back, and no other; removes all of it', async () => {
    const store = await open()
    const first = await read(store, 0, ['/a.md'])
    const memory = await store.sessions.start('diary')
    const second = await read(store, 1, ['/b.md'])
    await expect(store.remove(first.run)).rejects.toMatchObject({ code: 'store/run-of-session' })
    await store.remove(second.run)
    expect(await store.sessions.start('diary')).toEqual(memory)
    expect((await store.sessions.documents('diary')).map(({ path }) => path)).toEqual(['/a.md'])
    await read(store, 1, ['/b.md'])
    await store.sessions.remove('diary')
    expect([await store.list(), await store.sessions.list()]).toEqual([[], []])
    expect(await store.sessions.documents('diary')).toEqual([])
    expect(await store.sessions.start('diary')).toBeUndefined()
  })

  test('changes documents that are still to be read, and ends a reading where it stands', async () => {
    const store = await open()
    const stopped = await read(store, 0, ['/a.md', '/b.md', '/c.md', '/d.md'], 3)
    await store.sessions.replaceDocument('diary', 2, documentAt('/c.md', { sha256: 'new' }))
    await store.sessions.replaceDocument('diary', 3, undefined)
    expect(await store.sessions.documents('diary')).toMatchObject([
      { path: '/a.md' },
      { path: '/b.md' },
      { path: '/c.md', sha256: 'new', number: 2 },
    ])
    const { state, steps } = (await store.sessions.start('diary'))!
    await store.sessions.endReading('diary', { lastDocument: 1, endByte: 7, memory: 'Ann came.' })
    const documents = await store.sessions.documents('diary')
    expect(documents).toMatchObject([{ path: '/a.md' }, { path: '/b.md', endByte: 7, isRead: true }])
    expect(documents[0]).not.toHaveProperty('endByte')
    expect(await store.load(stopped.run)).toMatchObject({
      state: 'finished',
      result: { type: 'notes', memory: 'Ann came.', steps: 3 },
    })
    expect(await store.sessions.start('diary', 1)).toMatchObject({ state, steps })
    expect((await read(store, 1, ['/e.md'])).result).toBeDefined()
  })

  test('keeps hostile names as they are', async () => {
    const store = await open()
    const paths = ["/'; DROP TABLE sessions; --.md", '/line\nbreak \u001b[2J.md', '/ünïcode ❄.md', '/%_?.md']
    await read(store, 0, paths)
    expect((await store.sessions.documents('diary')).map(({ path }) => path)).toEqual(paths)
    expect(await store.sessions.find("di%' OR 1=1")).toBeUndefined()
  })
})

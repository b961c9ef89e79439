/** What JavaScript may give to keep. */
import { createScriptedModel, createTextDocument, DocumentError, read, readDocument } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRunStore } from './open-store.ts'
import type { RunWriter } from './run-store.ts'
import type { Store } from './store.ts'
import { all } from './testing/opened-stores.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let store: Store
beforeEach(async () => {
  store = await openRunStore(folder.join('runs.sqlite'))
})
afterEach(() => store.close())

/** As JavaScript gives it, where no compiler looks. */
const given = (value: unknown) => value as never
const description = { question: 'Who came?', document: 'a note', model: 'scripted', workflow: 'overwrite' }
const bad = { code: 'store/bad-value' }

const reading = (checkpoints: RunWriter) => ({
  question: 'Who came?',
  document: createTextDocument('Ann came.'),
  model: createScriptedModel(['Ann came.', '\\boxed{Ann}']),
  checkpoints,
})

describe('a description', () => {
  it.each([
    ['that is missing', undefined],
    ['without the document', { ...description, document: undefined }],
    ['with the model itself', { ...description, model: createScriptedModel([]) }],
    ['with settings that no JSON says', { ...description, settings: { tokens: 1n } }],
  ])('%s is refused before anything is read', async (_, wrong) => {
    expect(() => store.begin(given(wrong))).toThrow(expect.objectContaining(bad))
    await expect(store.create(given(wrong))).rejects.toMatchObject(bad)
    const session = { run: given(wrong), after: 0, documents: [] }
    expect(() => store.sessions.begin('diary', session)).toThrow(expect.objectContaining(bad))
    expect(await store.list()).toEqual([])
  })
})

describe('a run', () => {
  it.each([
    ['nothing', undefined],
    ['a text', 'Ann'],
    ['what is no end', { type: 'memory-end', memory: 'Ann came.' }],
  ])('is not finished with %s, and goes on', async (_, wrong) => {
    const run = store.begin(description)
    for await (const _ of readDocument(reading(run)));
    await expect(run.finish(given(wrong))).rejects.toMatchObject(bad)
    expect(await store.load(run.id!)).toMatchObject({ state: 'running' })
    await run.stop()
  })

  it('is not finished with the result of `read`, whose answer is a text', async () => {
    const run = store.begin(description)
    const result = await read(reading(run))
    await expect(run.finish(given(result))).rejects.toMatchObject({
      hint: expect.stringContaining('the last event of readDocument'),
    })
    await run.stop()
  })

  it.each<[string, unknown, object]>([
    [
      'an error of ours',
      new DocumentError({ code: 'document/gone', message: 'It is gone.', hint: 'Look.' }),
      { code: 'document/gone', message: 'It is gone.', hint: 'Look.' },
    ],
    ['another error', new RangeError('no frame'), { code: 'unexpected', message: 'no frame' }],
    ['a text', 'disk', { code: 'unexpected', message: 'disk' }],
  ])('that stopped with %s says so', async (_, thrown, failure) => {
    const run = store.begin(description)
    for await (const { type } of readDocument(reading(run))) if (type === 'memory-end') break
    const id = run.id!
    await run.stop(given(thrown))
    expect(await store.load(id)).toMatchObject({ state: 'unfinished', failure })
    await store.setFailure(id, given(thrown))
    expect(await store.load(id)).toMatchObject({ failure })
  })

  it('keeps its settings when new ones cannot be written', async () => {
    const id = await store.create({ ...description, settings: 1 })
    await expect(store.setSettings(id, given({ tokens: 1n }))).rejects.toMatchObject(bad)
    expect(await store.load(id)).toMatchObject({ settings: 1 })
  })
})

it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '1 GB', undefined])(
  'a limit of %o is none',
  async (limit) => {
    await expect(store.cache.setLimit(given(limit))).rejects.toMatchObject(bad)
    if (limit === undefined) return
    for (const name of ['readings', 'requestsPerMinute']) {
      const added = store.keys.add('team', 'hash', { [name]: given(limit) })
      await expect(added).rejects.toThrow(`The limit ${name} of a key cannot be ${limit}.`)
    }
    expect(await store.keys.list()).toEqual([])
  },
)

it.each([{ state: 'done' }, { text: 3 }, { limit: Number.NaN }, { limit: -1 }])(
  'a list by %o is refused',
  async (filter) => {
    await expect(store.list(given(filter))).rejects.toMatchObject(bad)
  },
)

it('imports a whole file that is one text, and refuses lines that were parsed', async () => {
  const id = await store.create(description)
  const lines = await all(store.exportRun(id))
  const other = await openRunStore(folder.join('other.sqlite'))
  await expect(all(other.importRuns(given([JSON.parse(lines[0]!)])))).rejects.toMatchObject({
    message: 'Line 1 cannot be imported: it is no text.',
  })
  expect(await all(other.importRuns(lines.join('\n')))).toEqual([id])
  await other.close()
})

it('that was closed says so', async () => {
  await store.close()
  await expect(store.list()).rejects.toMatchObject({ code: 'store/closed' })
  await expect(store.keys.remove('team')).rejects.toMatchObject({ code: 'store/closed' })
})

it('names itself when it cannot keep what it is given', async () => {
  await expect(store.keys.remove(given(undefined))).rejects.toMatchObject(bad)
})

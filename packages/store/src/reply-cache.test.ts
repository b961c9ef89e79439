/** What every driver promises about cached replies. */
import { type ChatModel, createScriptedModel } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './open-store.ts'
import type { RunStore } from './run-store.ts'
import { drivers, openTested } from './testing/drivers.ts'
import { description, readShortly } from './testing/short-run.ts'

const folder = temporaryFolder(beforeEach, afterEach)
const budget = { window: 600, question: 60, chunk: 100, memory: 60, output: 60 }

interface ReadOptions {
  readonly question?: string
  readonly seed?: number
  /** The reading stops after this many chunks. */
  readonly stopAfter?: number
}

/** Reads as a run of the store, using its cache. */
async function readWith(store: RunStore, { question = 'Who came?', seed = 0, stopAfter }: ReadOptions = {}) {
  const scripted = createScriptedModel(
    ({ messages: [message] }) =>
      message!.content.includes('<section>')
        ? `Ann came ${message!.content.length} times. ${'She left. '.repeat(9)}`
        : '\\boxed{Ann}',
    { profile: { name: 'test', budget } },
  )
  const model: ChatModel = { ...scripted, identity: async () => 'scripted' }
  const run = store.begin({ ...description, question })
  const reading = { question, model, sampling: { seed }, cache: run.replies, stopAfter }
  const { result } = await readShortly(run, reading)
  await (result ? run.finish(result) : run.stop())
  return { id: run.id!, result, calls: scripted.calls.length }
}

describe.each(drivers)('cached replies: $name', (driver) => {
  const test = it.skipIf(driver.skipped !== undefined)
  let [location, store]: [string, RunStore] = ['', undefined as never]
  const inTables = async (sql: string, ...values: (string | number)[]) => {
    const database = await openDatabase(location)
    const changed = await database.run(sql, ...values)
    await database.close()
    return changed
  }
  beforeEach(async () => {
    if (driver.skipped !== undefined) return
    location = await driver.locate(folder.path, 'cache')
    store = await openTested(location)
  })
  afterEach(() => store?.close())

  test('serve every later run, in another process too, and are counted', async () => {
    const first = await readWith(store)
    expect(first.calls).toBeGreaterThan(5)
    const { entries, bytes, limitBytes, hits } = await store.cache.summary()
    expect({ entries, hits }).toEqual({ entries: first.calls, hits: 0 })
    expect(bytes).toBeGreaterThan(first.calls * 100)
    expect(limitBytes).toBe(256 * 1024 * 1024)
    const other = await openTested(location)
    const second = await readWith(other)
    await other.close()
    expect(second.calls).toBe(0)
    const { usage, seconds: _, ...again } = second.result!
    const { usage: paid, seconds: __, ...whole } = first.result!
    expect(again).toEqual(whole)
    expect(usage.fromCache).toMatchObject({ calls: first.calls, promptTokens: paid.promptTokens })
    expect(await store.cache.summary()).toMatchObject({
      entries: first.calls,
      hits: first.calls,
      savedTokens: paid.promptTokens + paid.completionTokens,
    })
  })

  test('are written with the step: a reading that stopped has paid for them', async () => {
    const stopped = await readWith(store, { stopAfter: 4 })
    await store.remove((await readWith(store, { question: 'Who left?', stopAfter: 1 })).id)
    expect((await store.cache.summary()).entries).toBe(stopped.calls)
    // A new run of the same reading, since the first is finished.
    const whole = await readWith(store)
    expect(whole.result!.usage.calls).toBe(stopped.calls + whole.calls)
    expect((await readWith(store)).calls).toBe(0)
  })

  test('that are damaged, or of another format, are asked for again and mended', async () => {
    const { calls } = await readWith(store)
    const one = 'hash = (SELECT min(hash) FROM cached_replies)'
    for (const set of ["reply = '{\"text'", "reply = 'null'", 'reply = \'{"text":4}\'', 'format = 99']) {
      expect(await inTables(`UPDATE cached_replies SET ${set} WHERE ${one}`)).toBe(1)
      const again = await readWith(store)
      expect(again.calls, set).toBe(1)
      expect(again.result!.usage.fromCache!.calls).toBe(calls - 1)
      expect((await readWith(store)).calls).toBe(0)
    }
  })

  test('go when there is no room, what was used least recently first', async () => {
    const keeper = await readWith(store)
    const { bytes } = await store.cache.summary()
    const limit = 3 * bytes
    await store.cache.setLimit(limit)
    for (let seed = 1; seed < 8; seed++) {
      await readWith(store, { seed })
      expect((await store.cache.summary()).bytes).toBeLessThanOrEqual(limit)
      // Used now and then, so it is not evicted.
      expect((await readWith(store)).calls, `after seed ${seed}`).toBe(0)
    }
    expect((await readWith(store, { seed: 1 })).calls).toBe(keeper.calls)
    await store.cache.setLimit(0)
    expect((await store.cache.summary()).entries).toBe(0)
    expect((await readWith(store)).calls).toBe(keeper.calls)
    expect((await store.cache.summary()).entries).toBe(0)
  })

  test('are erased with the last run that used them', async () => {
    const first = await readWith(store)
    const second = await readWith(store)
    const other = await readWith(store, { seed: 1 })
    await store.remove(first.id)
    expect((await store.cache.summary()).entries).toBe(first.calls + other.calls)
    await store.remove(second.id)
    expect((await store.cache.summary()).entries).toBe(other.calls)
    expect((await readWith(store)).calls).toBe(first.calls)
    expect(await store.cache.clear()).toBe(first.calls + other.calls)
    expect(await store.cache.summary()).toMatchObject({ entries: 0, bytes: 0, hits: 0 })
    expect((await store.load(other.id)).result).toEqual(other.result)
  })

  test('are written by many at once, and none fails or is lost', async () => {
    await store.cache.setLimit(40_000)
    const stores = await Promise.all(Array.from({ length: 5 }, () => openTested(location)))
    const results = await Promise.all(
      stores.flatMap((one, i) => [1, 2, 3].map((seed) => readWith(one, { seed, question: `Who is ${i}?` }))),
    )
    for (const { result } of results) expect(result).toMatchObject({ type: 'answer' })
    // Each store checks the size only now and then; the next one finds the cache too large.
    await readWith(store, { stopAfter: 1 })
    expect((await store.cache.summary()).bytes).toBeLessThanOrEqual(40_000)
    await Promise.all(stores.map((one) => one.close()))
  })
})

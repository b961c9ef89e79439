/** The disk fills up while a run is written: one error, nothing damaged, and the run goes on once there is room. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase, openRunStore } from '../open-store.ts'
import { SqlRunStore } from '../sql-run-store.ts'
import { description, readShortly } from '../testing/short-run.ts'
import { sqliteError } from './sqlite-errors.ts'

const folder = temporaryFolder(beforeEach, afterEach)

it('keeps what was written before the disk was full', async () => {
  const whole = await openRunStore(folder.join('whole.sqlite'))
  const expected = await readShortly(whole.begin(description))
  await whole.close()
  const path = folder.join('runs.sqlite')
  const database = await openDatabase(path)
  const full = new SqlRunStore(database)
  const run = full.begin(description)
  await readShortly(run, { stopAfter: 2 })
  const [{ page_count: pages } = { page_count: 0 }] = await database.all('PRAGMA page_count')
  await database.all(`PRAGMA max_page_count = ${Number(pages)}`)
  const filling = async () => {
    // Fills the last page.
    for (let i = 0; i < 1000; i++) {
      await run.append([{ type: 'memory', index: i, step: i, text: 'Anna came. '.repeat(50) }])
    }
  }
  await expect(filling()).rejects.toMatchObject({ name: 'StoreError', code: 'store/full' })
  await database.all(`PRAGMA max_page_count = ${1 << 30}`)
  await run.stop()
  await full.close()
  const store = await openRunStore(path)
  const [{ id, steps } = { id: '', steps: 0 }] = await store.list({ state: 'unfinished' })
  expect(steps).toBeGreaterThan(0)
  const resumed = await readShortly(await store.resume(id))
  expect(resumed.result).toMatchObject({ answer: (expected.result as { answer?: unknown }).answer })
  await store.close()
  const checked = await openDatabase(path)
  expect(await checked.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  await checked.close()
})

it('leaves a run free that could not be given back', async () => {
  const database = await openDatabase(folder.join('runs.sqlite'))
  const store = new SqlRunStore(database)
  const run = store.begin(description)
  await readShortly(run, { stopAfter: 2 })
  // Every write fails.
  await database.all('PRAGMA query_only = 1')
  await expect(run.stop()).rejects.toMatchObject({ name: 'StoreError' })
  expect((await store.summary(run.id!)).state).toBe('unfinished')
  await database.all('PRAGMA query_only = 0')
  const { result } = await readShortly(await store.resume(run.id!))
  expect(result).toBeDefined()
  await store.close()
})

it('is named as full where a store is opened, too: SQLite calls that an I/O error', () => {
  const cause = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 4874 })
  const { code, message } = sqliteError('/data/runs.sqlite', cause)
  expect([code, message]).toEqual([
    'store/full',
    'The store /data/runs.sqlite cannot be written: the disk is full.',
  ])
})

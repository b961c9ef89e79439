/** What only a store in a file promises. */
import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@memagent/core/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openRunStore } from '../open-store.ts'
import { schemaVersion } from '../schema.ts'
import { description, readShortly } from '../testing/short-run.ts'

const folder = temporaryFolder(beforeEach, afterEach)
const path = () => folder.join('data', 'memagent', 'runs.sqlite')

async function oneRun(stopAfter?: number): Promise<string> {
  const store = await openRunStore(path())
  const run = store.begin(description)
  await readShortly(run, stopAfter === undefined ? {} : { stopAfter })
  await run.stop()
  await store.close()
  return run.id!
}

it.skipIf(process.platform === 'win32')('is readable by its owner alone', async () => {
  const store = await openRunStore(path())
  const modeOf = async (file: string) => (await stat(file)).mode & 0o777
  expect(await modeOf(path())).toBe(0o600)
  expect(await modeOf(`${path()}-wal`)).toBe(0o600)
  expect(await modeOf(folder.join('data', 'memagent'))).toBe(0o700)
  await store.close()
})

it('keeps nothing of a removed run in its files', async () => {
  const secret = 'Where is the treasure of Rackham?'
  const store = await openRunStore(path())
  const run = store.begin({ ...description, question: secret })
  await readShortly(run, { question: secret, stopAfter: 4 })
  await run.stop()
  const contains = async () => {
    const files = [path(), `${path()}-wal`]
    const contents = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))
    return contents.some((content) => content.includes('Rackham'))
  }
  expect(await contains()).toBe(true)
  await store.remove(run.id!)
  expect(await contains()).toBe(false)
  await store.close()
})

it('refuses what is no store, and changes nothing of it', async () => {
  const other = folder.join('other.sqlite')
  const database = new DatabaseSync(other)
  database.exec('CREATE TABLE recipes (name TEXT)')
  database.close()
  await writeFile(folder.join('notes.txt'), 'Buy bread. '.repeat(500))
  for (const [file, code] of [
    [other, 'store/not-a-store'],
    [folder.join('notes.txt'), 'store/damaged'],
    [folder.path, 'store/unwritable'],
    ['/proc/memagent/runs.sqlite', 'store/unwritable'],
  ] as const) {
    const before = await readFile(file).catch(() => undefined)
    await expect(openRunStore(file)).rejects.toMatchObject({ name: 'StoreError', code })
    expect(await readFile(file).catch(() => undefined)).toEqual(before)
  }
})

it('refuses a store of a newer version, and changes nothing of it', async () => {
  await oneRun(2)
  const database = new DatabaseSync(path())
  database.exec('UPDATE schema_version SET version = 99')
  database.close()
  const before = await readFile(path())
  await expect(openRunStore(path())).rejects.toMatchObject({ code: 'store/version' })
  expect(await readFile(path())).toEqual(before)
})

it('opens a store that version 1 wrote, and continues its run', async () => {
  const fixture = `${import.meta.dirname}/__fixtures__/version-1.sqlite`
  await mkdir(folder.join('data', 'memagent'), { recursive: true })
  await cp(fixture, path())
  const store = await openRunStore(path())
  const [unfinished, finished] = await store.list()
  expect(finished).toMatchObject({ state: 'finished', outcome: 'found', question: 'Who left?' })
  expect(unfinished).toMatchObject({ state: 'unfinished', steps: 4, question: 'Who came?' })
  const run = store.begin(description)
  const { events, result } = await readShortly(run)
  expect(run.id).toBe(unfinished!.id)
  expect(events[0]).toMatchObject({ type: 'reading-start', resumedSteps: 4 })
  await run.finish(result!)
  await store.close()
  const database = new DatabaseSync(path())
  expect(database.prepare('SELECT version FROM schema_version').all()).toEqual([{ version: schemaVersion }])
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
})

it('with bytes changed anywhere ends in one error, or works', async () => {
  await oneRun()
  const whole = await readFile(path())
  const change = fc.tuple(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 64 }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const bytes = Buffer.from(whole)
      for (const [at, more] of changes) bytes.set(more.subarray(0, bytes.length - at), at)
      await writeFile(path(), bytes)
      try {
        const store = await openRunStore(path())
        try {
          for (const { id } of await store.list()) {
            for await (const _ of store.events(id));
          }
          await readShortly(store.begin(description))
        } finally {
          await store.close()
        }
      } catch (error) {
        expect(['StoreError', 'CheckpointError']).toContain((error as Error).name)
      }
    }),
    { numRuns: 60 },
  )
})

it.each([
  ['description', '{"question"'],
  ['description', '{"question":"Who came?"}'],
  ['description', '{"question":7,"document":"a","model":"a","workflow":"a"}'],
  ['failure', '{"cpde":"a","message":"a"}'],
  ['failure', '{"code"'],
  ['failure', 'null'],
])('lists a run whose %s is %s with the others, and erases it', async (column, value) => {
  const whole = await oneRun(2)
  const store = await openRunStore(path())
  const damaged = await store.create(description)
  const database = new DatabaseSync(path())
  database.prepare(`UPDATE runs SET ${column} = ? WHERE id = ?`).run(value, damaged)
  database.close()
  const message = expect.stringContaining(`The run ${damaged} is damaged`)
  const told = { code: 'store/damaged', message, hint: expect.stringContaining(`runs rm ${damaged}`) }
  const listed = await store.list({ state: 'unfinished' })
  expect(listed).toHaveLength(2)
  expect(listed.find(({ id }) => id === whole)).toMatchObject(description)
  expect(listed.find(({ id }) => id === damaged)).toMatchObject({ isDamaged: true, failure: told })
  expect(await store.summary(damaged)).toEqual(listed.find(({ id }) => id === damaged))
  await expect(store.load(damaged)).rejects.toMatchObject(told)
  await store.remove(damaged)
  expect(await store.list()).toHaveLength(1)
  await store.close()
})

it('keeps what is readable of a damaged run in the list', async () => {
  const store = await openRunStore(path())
  const id = await store.create({ ...description, settings: { budget: 9 } })
  const database = new DatabaseSync(path())
  database.prepare("UPDATE runs SET failure = '{' WHERE id = ?").run(id)
  database.close()
  expect(await store.list()).toMatchObject([
    { id, ...description, settings: { budget: 9 }, isDamaged: true, state: 'unfinished' },
  ])
  await store.close()
})

it('lists a session whose last reading is damaged with the others, and erases it', async () => {
  const store = await openRunStore(path())
  const reading = (after: number) => ({ run: description, documents: [], after })
  const runs: string[] = []
  for (const name of ['whole', 'diary']) {
    runs.push(await store.sessions.create(name, reading(0)))
  }
  const damaged = runs[1]!
  const database = new DatabaseSync(path())
  database.prepare("UPDATE runs SET description = '{' WHERE id = ?").run(damaged)
  database.close()
  const { sessions } = store
  const all = await sessions.list()
  expect(all.find(({ name }) => name === 'whole')).toMatchObject({ model: description.model })
  expect(all.find(({ name }) => name === 'diary')).toMatchObject({
    damaged,
    unfinished: damaged,
    readings: 1,
  })
  await expect(sessions.find('diary')).rejects.toMatchObject({
    message: expect.stringContaining(`The run ${damaged} is damaged`),
  })
  await expect(sessions.readings('diary')).rejects.toMatchObject({ code: 'store/damaged' })
  expect(await sessions.readings('diary', { withDamaged: true })).toMatchObject([{ isDamaged: true }])
  await sessions.remove('diary')
  expect((await sessions.list()).map(({ name }) => name)).toEqual(['whole'])
  expect(await store.list()).toHaveLength(1)
  await store.close()
})

it.each(['{"pid"', 'null'])('waits for no process that the row of a run does not name: %s', async (owner) => {
  const store = await openRunStore(path())
  const id = await store.create(description)
  const database = new DatabaseSync(path())
  database.prepare('UPDATE runs SET owner = ?, leased_until_ms = 9e15 WHERE id = ?').run(owner, id)
  database.close()
  expect(await store.list()).toMatchObject([{ id, state: 'unfinished' }])
  await store.remove(id)
  expect(await store.list()).toEqual([])
  await store.close()
})

it('says which Node it needs where there is no SQLite', () => {
  const program = `
    import { openRunStore } from '@memagent/store'
    await openRunStore(${JSON.stringify(path())}).catch((error) => console.log(error.code))`
  const args = [
    '--no-experimental-sqlite',
    '--conditions=@memagent/source',
    '--input-type=module',
    '-e',
    program,
  ]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: 'store/no-sqlite\n', stderr: '' })
})

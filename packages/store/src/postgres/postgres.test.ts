/** What only a store in Postgres promises. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, openRunStore } from '../open-store.ts'
import { type CuttingProxy, createCuttingProxy } from '../testing/cutting-proxy.ts'
import { administer, drivers, testCluster } from '../testing/drivers.ts'
import { description, readShortly } from '../testing/short-run.ts'
import { loadPg } from './load-pg.ts'

const driver = drivers.find(({ name }) => name === 'postgres')!

it('says what to install where the package is missing', async () => {
  const absent = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  await expect(loadPg(() => Promise.reject(absent))).rejects.toMatchObject({
    code: 'store/no-pg',
    message: expect.stringContaining('pg'),
    hint: expect.stringContaining('npm install pg'),
  })
})

// The title says why the driver was skipped: its server is not installed, or may not be started here.
if (driver.skipped !== undefined) it.skip(`nothing was tried: ${driver.skipped}`)

describe.skipIf(driver.skipped !== undefined)('a store in Postgres', () => {
  const password = 'pass: word/@'
  let cluster: Awaited<ReturnType<typeof testCluster>>
  let proxy: CuttingProxy | undefined
  let databases = 0
  const fresh = () => driver.locate('postgres.test', `${process.pid}-${databases++}`)
  const overNetwork = (location: string, port = cluster.port) =>
    `postgres://reader:${encodeURIComponent(password)}@127.0.0.1:${port}/${location.split('/').at(-1)}`
  /** A store whose connections go through the proxy. */
  const cuttable = async () => {
    const location = await fresh()
    proxy = await createCuttingProxy(cluster.port)
    return overNetwork(location, proxy.port)
  }
  beforeAll(async () => {
    cluster = await testCluster()
    const literal = `'${password}'`
    await administer(
      `${cluster.address}postgres`,
      `DO $$ BEGIN CREATE ROLE reader LOGIN SUPERUSER PASSWORD ${literal}; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    )
  })
  afterEach(async () => {
    await proxy?.close()
    proxy = undefined
  })

  it('keeps its tables in a schema of its own, and every text as it is', async () => {
    const location = await fresh()
    const database = await openDatabase(location)
    const texts = [
      '',
      'a\0b',
      '\ud800',
      'x\udc00\ud800',
      '\ufdd0',
      '\ufdd00000',
      '🗼',
      '\\u0000',
      "'; --",
      '\u001b[2J',
    ]
    const [row] = await database.all(
      `SELECT ${texts.map((_, i) => `CAST(? AS TEXT) AS text${i}`).join()}`,
      ...texts,
    )
    expect(Object.values(row!)).toEqual(texts)
    await database.close()
    const schemas = await administer(
      location,
      `SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    expect(schemas).toEqual([{ schemaname: 'memagent' }])
  })

  it('keeps rows of many megabytes', async () => {
    const store = await openRunStore(await fresh())
    const question = 'é'.repeat(8_000_000)
    const run = store.begin({ ...description, question })
    await run.load({ document: 'text' })
    expect((await store.load(run.id!)).question).toBe(question)
    await run.stop()
    await store.close()
  })

  it.each(['before', 'after'] as const)('does once what was cut off %s it was committed', async (when) => {
    const database = await openDatabase(await cuttable())
    await database.run('CREATE TABLE counter (value BIGINT NOT NULL)')
    await database.run('INSERT INTO counter VALUES (0)')
    let commits = 0
    proxy!.cut = (sent) => (sent.includes('COMMIT') && ++commits % 2 === 1 ? when : undefined)
    for (let i = 0; i < 6; i++) await database.run('UPDATE counter SET value = value + 1')
    expect(await database.all('SELECT value FROM counter')).toEqual([{ value: 6 }])
    expect(commits).toBeGreaterThanOrEqual(6)
    await database.close()
  })

  it('reads on through a network that breaks at every turn', async () => {
    const store = await openRunStore(await cuttable())
    let sent = 0
    proxy!.cut = () => (++sent % 17 === 0 ? (sent % 2 === 0 ? 'before' : 'after') : undefined)
    const run = store.begin(description)
    const { result, calls } = await readShortly(run)
    await run.finish(result!)
    expect(sent).toBeGreaterThan(50)
    proxy!.cut = () => undefined
    const [kept] = await store.list()
    expect(kept).toMatchObject({ state: 'finished', outcome: 'found' })
    expect(calls).toBe(kept!.steps + 1)
    await store.close()
  })

  it('waits for a server that restarts, and not for one that was never there', async () => {
    const address = await cuttable()
    const store = await openRunStore(address)
    const run = store.begin(description)
    await readShortly(run, { stopAfter: 2 })
    proxy!.cut = () => 'before'
    proxy!.isAway = true
    const listed = store.list()
    await expect(openRunStore(address.replace(String(proxy!.port), '1'))).rejects.toMatchObject({
      code: 'store/unreachable',
    })
    proxy!.isAway = false
    proxy!.cut = () => undefined
    expect(await listed).toHaveLength(1)
    await run.stop()
    await store.close()
  })

  it('says in one error what is wrong, and never the password', async () => {
    const location = await fresh()
    await (await openRunStore(location)).close()
    const [other, latin, readOnly, foreign] = [await fresh(), 'latin', await fresh(), await fresh()]
    await administer(
      `${cluster.address}postgres`,
      `DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN PASSWORD '${password}'`,
    )
    await administer(
      `${cluster.address}postgres`,
      `CREATE DATABASE ${latin} ENCODING LATIN1 TEMPLATE template0`,
    )
    await administer(
      `${cluster.address}postgres`,
      `ALTER DATABASE "${readOnly.split('/').at(-1)}" SET default_transaction_read_only TO on`,
    )
    await administer(foreign, 'CREATE SCHEMA memagent; CREATE TABLE memagent.recipes (name TEXT)')
    const wrong: readonly (readonly [string, string])[] = [
      [overNetwork(location).replace('%3A', 'x'), 'store/authentication'],
      [overNetwork(location).replace(/:[^:@/]*@/, '@'), 'store/authentication'],
      [overNetwork(`${cluster.address}nowhere`), 'store/no-database'],
      [overNetwork(location).replace('reader', 'stranger'), 'store/unwritable'],
      [overNetwork(other).replace('reader', 'stranger'), 'store/unwritable'],
      [overNetwork(readOnly), 'store/unwritable'],
      [overNetwork(`/${latin}`), 'store/encoding'],
      [overNetwork(foreign), 'store/not-a-store'],
      [`${overNetwork(location)}?sslmode=verify-full`, 'store/tls'],
      [overNetwork(location, 1), 'store/unreachable'],
      [overNetwork(location).replace('127.0.0.1', 'nowhere.invalid'), 'store/unreachable'],
    ]
    for (const [address, code] of wrong) {
      const error = await openRunStore(address).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect({ address, error }).toMatchObject({ error: { name: 'StoreError', code } })
      const { message, hint, details } = error as { message: string; hint: string; details: object }
      const said = JSON.stringify({ message, hint, details })
      expect(said).not.toContain(password)
      expect(said).not.toContain(encodeURIComponent(password))
      expect(hint).not.toBe('')
    }
    expect(
      await administer(foreign, `SELECT tablename FROM pg_tables WHERE schemaname = 'memagent'`),
    ).toEqual([{ tablename: 'recipes' }])
  })

  it('refuses a store of a newer version, and changes nothing of it', async () => {
    const location = await fresh()
    await (await openRunStore(location)).close()
    await administer(
      location,
      'UPDATE memagent.schema_version SET version = 99; DROP TABLE memagent.conversations',
    )
    await expect(openRunStore(location)).rejects.toMatchObject({ code: 'store/version' })
    const left = await administer(location, `SELECT to_regclass('memagent.conversations') AS "table"`)
    expect(left).toEqual([{ table: null }])
  })

  it('becomes a store once when many open it at once', async () => {
    const location = await fresh()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openRunStore(location)))
    await Promise.all(stores.map((store) => store.close()))
    expect(await administer(location, 'SELECT count(*)::int AS count FROM memagent.schema_version')).toEqual([
      { count: 1 },
    ])
  })

  it('removes a run from every table', async () => {
    const location = await fresh()
    const store = await openRunStore(location)
    const run = store.begin(description)
    await readShortly(run, { stopAfter: 3 })
    await run.stop()
    await store.remove(run.id!)
    await store.close()
    const tables = await administer(location, `SELECT tablename FROM pg_tables WHERE schemaname = 'memagent'`)
    for (const { tablename } of tables) {
      if (tablename === 'schema_version') continue
      expect(await administer(location, `SELECT * FROM memagent."${tablename}"`)).toEqual([])
    }
  })

  it.each(['await store.close()', ''])('lets its process end: %j', async (close) => {
    const program = `
      import { openRunStore } from '@memagent/store'
      const store = await openRunStore(${JSON.stringify(await fresh())})
      console.log(await store.list())
      ${close}`
    const args = ['--conditions=@memagent/source', '--input-type=module', '-e', program]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

/** What every driver promises about runs. */
import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { type CheckpointStore, createTextDocument, type ReadingEvent } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoreError } from './errors.ts'
import { drivers } from './testing/drivers.ts'
import { all, openedStores } from './testing/opened-stores.ts'
import { description, question, readShortly, text } from './testing/short-run.ts'

/** A process that writes steps until it cannot. */
async function startWriter(location: string, ending: string) {
  const program = `${import.meta.dirname}/testing/endless-writer.ts`
  const child = spawn(process.execPath, ['--conditions=@memagent/source', program, location, ending, ending])
  let said = ''
  const closed = new Promise<string>((done) =>
    child.once('close', () => done(said.trim().split('\n').at(-1)!)),
  )
  await new Promise<void>((done, failed) => {
    child.once('close', () => failed(new Error('The writer ended early.')))
    child.stdout.on('data', (data) => {
      said += data
      if (said.includes('writes')) done()
    })
  })
  return { child, outcome: closed }
}

const folder = temporaryFolder(beforeEach, afterEach)

describe.each(drivers)('a store of runs: $name', (driver) => {
  const isSkipped = driver.skipped !== undefined
  const test = it.skipIf(isSkipped)
  // The title says why a driver was skipped: its server is not installed, or may not be started here.
  if (isSkipped) it.skip(`nothing was tried: ${driver.skipped}`)

  const open = openedStores(driver, folder, afterEach)
  const undisturbed = () =>
    readShortly({ load: async () => undefined, save: none, append: none, readLog: async () => [] })
  const none = async () => undefined
  const untimed = (events: readonly (ReadingEvent | undefined)[]) =>
    events.map((event) => ({ ...event, seconds: 0 }))

  test('keeps a reading with its result and every memory', async () => {
    const store = await open()
    const told: unknown[] = []
    const run = store.begin(description, (id, isContinued) => {
      told.push([id, isContinued])
    })
    const { events, result } = await readShortly(run)
    const id = run.id!
    await run.finish(result!)
    expect(told).toEqual([[id, false]])
    expect(untimed([result])).toEqual(untimed([(await undisturbed()).result]))
    const stored = await (await open()).load(id)
    expect(stored).toMatchObject({ ...description, id, state: 'finished', outcome: 'found' })
    // JSON omits undefined fields.
    expect(stored.result).toEqual(JSON.parse(JSON.stringify(result)))
    expect(stored.steps).toBeGreaterThan(6)
    expect(stored.checkpoint?.answer?.text).toMatch(/^Ann, /)
    const kept = await all(store.events(id))
    const ofSteps = new Set(['memory-end', 'chunk-end', 'warning'])
    expect(kept).toEqual(events.filter(({ type }) => ofSteps.has(type)))
  })

  test('continues the unfinished run of the same reading, and makes no call again', async () => {
    const whole = await undisturbed()
    const ids = new Set<string>()
    let calls = 0
    let result: ReadingEvent | undefined
    for (const stopAfter of [2, 1, 3, Number.POSITIVE_INFINITY]) {
      const store = await open()
      const run = store.begin(description)
      const part = await readShortly(run, { stopAfter })
      ids.add(run.id!)
      calls += part.calls
      result = part.result
      if (part.result) await run.finish(part.result)
      else await run.stop({ code: 'test/stopped', message: 'Stopped.' })
    }
    expect(ids.size).toBe(1)
    expect(calls).toBe(whole.calls)
    expect(untimed([result])).toEqual(untimed([whole.result]))
    const kept = await all((await open()).events([...ids][0]!))
    expect(untimed(kept)).toEqual(
      untimed(whole.events.filter(({ type }) => /^(memory|chunk)-end$/.test(type))),
    )
  })

  test('frees the run where what follows its beginning fails', async () => {
    const begin = async (onRun: () => void) => {
      const run = (await open()).begin(description, onRun)
      await readShortly(run, { stopAfter: 2 }).finally(() => run.stop())
      return run.id
    }
    const failing = () => {
      throw new Error('The disk is full.')
    }
    await expect(begin(failing)).rejects.toThrow('full')
    expect(await (await open()).list()).toEqual([])
    const id = await begin(() => undefined)
    await expect(begin(failing)).rejects.toThrow('full')
    expect(await begin(() => undefined)).toBe(id)
  })

  test('begins another run for other weights, and continues one that knows none', async () => {
    const store = await open()
    const begun = async (question: string, weights: object) => {
      const run = store.begin({ ...description, question })
      const checkpoints: CheckpointStore = {
        load: (identity) => run.load({ ...identity, ...weights }),
        save: (checkpoint) => run.save(checkpoint),
        append: (entries) => run.append(entries),
        readLog: () => run.readLog(),
      }
      await readShortly(checkpoints, { question, stopAfter: 1 })
      await run.stop()
      return run.id!
    }
    const first = await begun('Who came?', { weights: '1' })
    expect(await begun('Who came?', { weights: '2' })).not.toBe(first)
    expect(await begun('Who came?', { weights: '1' })).toBe(first)
    const old = await begun('Who left?', {})
    expect(await begun('Who left?', { weights: '1' })).toBe(old)
  })

  test('begins another run for another text, question or setting, and after the end', async () => {
    const store = await open()
    const ids = new Set<string>()
    const others = [
      {},
      { document: createTextDocument(`${text} More.`) },
      { question: 'Who left?' },
      { sampling: { seed: 7 } },
    ]
    for (const options of others) {
      const run = store.begin(description)
      await readShortly(run, { stopAfter: 2, ...options })
      ids.add(run.id!)
      await run.stop()
    }
    const run = store.begin(description)
    const { result } = await readShortly(run)
    ids.add(run.id!)
    await run.finish(result!)
    expect(ids.size).toBe(others.length)
    const again = store.begin(description)
    await readShortly(again, { stopAfter: 1 })
    expect(ids).not.toContain(again.id)
    await again.stop()
    expect(await store.list()).toHaveLength(others.length + 1)
  })

  test('resumes the run that is named, for its own reading alone', async () => {
    const store = await open()
    const run = store.begin(description)
    await readShortly(run, { stopAfter: 3 })
    const id = run.id!
    await run.stop()
    const other = await store.resume(id.slice(0, 6))
    const otherText = readShortly(other, { document: createTextDocument(`${text} More.`) })
    await expect(otherText).rejects.toMatchObject({
      code: 'checkpoint/of-another-run',
      details: { differing: ['document'] },
    })
    await other.stop()
    const resumed = await store.resume(id)
    const { result } = await readShortly(resumed)
    await resumed.finish(result!)
    expect(await store.load(id)).toMatchObject({ state: 'finished' })
    await expect(store.resume('0000')).rejects.toMatchObject({ code: 'store/no-run' })
  })

  test('gives one run to one writer', async () => {
    const [store, other] = [await open(), await open()]
    const run = store.begin(description)
    await readShortly(run, { stopAfter: 2 })
    await expect(readShortly(other.begin(description))).rejects.toMatchObject({ code: 'store/run-in-use' })
    await expect(other.remove(run.id!)).rejects.toMatchObject({ code: 'store/run-in-use' })
    expect(await other.list({ state: 'running' })).toMatchObject([{ id: run.id, state: 'running' }])
    await run.stop({ code: 'test/stopped', message: 'Stopped.' })
    const failure = { code: 'test/stopped', message: 'Stopped.' }
    expect(await other.list()).toMatchObject([{ id: run.id, state: 'unfinished', failure }])
    const next = other.begin(description)
    await readShortly(next, { stopAfter: 1 })
    expect(next.id).toBe((await store.list())[0]!.id)
  })

  test('creates one run when many ask the same at once', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open()))
    const identity = { document: 'text', question }
    const begun = await Promise.allSettled(stores.map((store) => store.begin(description).load(identity)))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stores[0]!.list()).toHaveLength(1)
  })

  test('takes over the run of a process that is gone or frozen, which then writes nothing more', {
    timeout: 60_000,
  }, async () => {
    const location = await driver.locate(folder.path, 'runs')
    const store = await open('runs', 3000)
    for (const ending of ['is killed', 'freezes'] as const) {
      const identity = { document: ending }
      const { child, outcome } = await startWriter(location, ending)
      if (ending === 'is killed') child.kill('SIGKILL')
      let run = store.begin(description)
      let refused = 0
      for (;;) {
        const taken = await run.load(identity).then(
          () => true,
          (error: StoreError) => error.code !== 'store/run-in-use',
        )
        if (taken) break
        refused++
        await setTimeout(50)
        run = store.begin(description)
      }
      const { steps } = await store.load(run.id!)
      expect(steps).toBeGreaterThan(0)
      child.kill('SIGCONT')
      if (ending === 'freezes') {
        expect(refused).toBeGreaterThan(0)
        expect(await outcome).toBe('store/lease-lost')
      }
      expect((await store.load(run.id!)).steps).toBe(steps)
      await run.stop()
    }
  })

  test('lists, filters and removes', async () => {
    const store = await open()
    const ids: string[] = []
    for (const asked of ['Who came?', 'Who left?', 'WHO stayed?']) {
      const run = store.begin({ ...description, question: asked })
      await readShortly(run, { question: asked, stopAfter: 1 })
      ids.push(run.id!)
      await run.stop()
    }
    expect((await store.list()).map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect((await store.list({ text: 'who ST' })).map(({ id }) => id)).toEqual([ids[2]])
    expect(await store.list({ state: 'finished' })).toEqual([])
    await store.remove(ids[1]!)
    expect(await store.list({ text: 'left' })).toEqual([])
    expect(await all(store.events(ids[0]!))).not.toEqual([])
    await expect(store.load(ids[1]!)).rejects.toMatchObject({ code: 'store/no-run' })
    await expect(store.load('')).rejects.toMatchObject({
      code: 'store/no-run',
      message: 'The name of the run is empty.',
    })
    await expect(store.load("%' OR 1=1")).rejects.toMatchObject({ code: 'store/no-run' })
  })

  test('keeps hostile text as it is', async () => {
    const asked = `Who\u0000 came? '; DROP TABLE runs; -- \u001b[2J \ud800 ${'é'.repeat(500)}`
    const store = await open()
    const run = store.begin({ ...description, question: asked })
    await readShortly(run, { question: asked, stopAfter: 1 })
    await run.stop()
    expect(await (await open()).load(run.id!)).toMatchObject({ question: asked, steps: 1 })
  })
})

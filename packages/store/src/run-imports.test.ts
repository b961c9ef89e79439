/** What every driver promises about moving runs to another store: all or nothing, and checked. */
import type { ReadingEvent } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { drivers } from './testing/drivers.ts'
import { all, openedStores } from './testing/opened-stores.ts'
import { description, readShortly } from './testing/short-run.ts'

const folder = temporaryFolder(beforeEach, afterEach)

describe.each(drivers)('runs in another store: $name', (driver) => {
  const isSkipped = driver.skipped !== undefined
  const test = it.skipIf(isSkipped)
  // The title says why a driver was skipped: its server is not installed, or may not be started here.
  if (isSkipped) it.skip(`nothing was tried: ${driver.skipped}`)
  const open = openedStores(driver, folder, afterEach)
  const none = async () => undefined
  const undisturbed = () =>
    readShortly({ load: async () => undefined, save: none, append: none, readLog: async () => [] })
  const untimed = (events: readonly (ReadingEvent | undefined)[]) =>
    events.map((event) => ({ ...event, seconds: 0 }))

  test('exports and imports, and the imported run continues', async () => {
    const [store, other] = [await open(), await open('elsewhere')]
    const run = store.begin(description)
    await readShortly(run, { stopAfter: 3 })
    const id = run.id!
    await run.stop()
    const lines = await all(store.exportRun(id))
    expect(await all(other.importRuns(lines))).toEqual([id])
    await expect(all(other.importRuns(lines))).rejects.toMatchObject({ code: 'store/run-exists' })
    // An imported file must not choose a server or a module.
    expect((await other.load(id)).settings).toBeUndefined()
    const exported = await all(other.exportRun(id))
    const whole = lines.map((line) => JSON.parse(line))
    delete whole[0].settings
    expect(exported.map((line) => JSON.parse(line))).toEqual(whole)
    const resumed = other.begin(description)
    const { result, calls } = await readShortly(resumed)
    expect(resumed.id).toBe(id)
    const undisturbedReading = await undisturbed()
    expect(calls).toBe(undisturbedReading.calls - 3)
    expect(untimed([result])).toEqual(untimed([undisturbedReading.result]))
    await resumed.finish(result!)
  })

  test('refuses an import that is cut short, changed or something else, and takes none of it', async () => {
    const [store, other] = [await open(), await open('elsewhere')]
    const run = store.begin(description)
    await readShortly(run, { stopAfter: 3 })
    await run.stop()
    const lines = await all(store.exportRun(run.id!))
    const changed = (at: number, change: object) =>
      lines.map((line, i) => (i === at ? JSON.stringify({ ...JSON.parse(line), ...change }) : line))
    const broken = [
      [],
      lines.slice(0, -1),
      lines.slice(1),
      lines.map((line, i) => (i === 1 ? line.slice(0, -9) : line)),
      changed(0, { id: '../../etc' }),
      changed(0, { version: 9 }),
      changed(0, { checkpoint: { version: 2 } }),
      changed(0, { identity: 'x' }),
      changed(0, { createdMs: Number.MAX_SAFE_INTEGER }),
      changed(0, { updatedMs: Date.now() + 2 * 86_400_000 }),
      changed(1, { type: 'other' }),
      changed(lines.length - 1, { id: 'ffff' }),
      ['"text"'],
    ]
    for (const wrong of broken) {
      await expect(all(other.importRuns(wrong))).rejects.toMatchObject({ code: 'store/bad-import' })
    }
    expect(await other.list()).toEqual([])
  })

  test('imports no result that is not what it should be', async () => {
    const [store, other] = [await open(), await open('elsewhere')]
    const run = store.begin(description)
    const { result } = await readShortly(run)
    await run.finish(result!)
    const [first, ...rest] = await all(store.exportRun(run.id!))
    const whole = JSON.parse(first!)
    const hostile = '\u001b[2J'
    const answered = whole.result
    const wrong = [
      { outcome: 'not-found' },
      { result: undefined },
      { result: undefined, isFinished: false },
      { isFinished: false },
      { result: {} },
      { result: { ...answered, steps: hostile } },
      { result: { ...answered, usage: { ...answered.usage, calls: hostile } } },
      { result: { ...answered, answer: { ...answered.answer, outcome: hostile } } },
      { result: { ...answered, provenance: { memory: [hostile] } } },
      { result: { type: 'answers', answers: [answered] } },
      { questions: ['Who?'], result: { type: 'answers', answers: [{ type: 'answer' }] } },
      { questions: ['Who?'], result: { type: 'answers', answers: [{ ...answered, question: hostile }] } },
      { failure: { code: 5, message: 'away' } },
    ]
    for (const changes of wrong) {
      const lines = [JSON.stringify({ ...whole, ...changes }), ...rest]
      await expect(all(other.importRuns(lines))).rejects.toMatchObject({ code: 'store/bad-import' })
    }
    expect(await all(other.importRuns([first!, ...rest]))).toEqual([run.id])
  })

  test('passes over runs that are here, imports the others, and names what it passed over', async () => {
    const [store, other] = [await open(), await open('elsewhere')]
    const exported: string[] = []
    const ids: string[] = []
    for (const asked of ['Who?', 'When?', 'Where?']) {
      const run = store.begin({ ...description, question: asked })
      await readShortly(run, { question: asked, stopAfter: 1 })
      await run.stop()
      ids.push(run.id!)
      exported.push(...(await all(store.exportRun(run.id!))))
    }
    // The same reading under another id.
    const second = other.begin({ ...description, question: 'When?' })
    await readShortly(second, { question: 'When?', stopAfter: 1 })
    await second.stop()
    const taken: string[] = []
    const importing = async () => {
      for await (const id of other.importRuns(exported)) taken.push(id)
    }
    await expect(importing()).rejects.toMatchObject({
      code: 'store/run-exists',
      message: `The run ${ids[1]} (here as ${second.id}, unfinished) is in the store already, and was not imported.`,
      hint: expect.stringContaining(`memagent runs rm ${second.id}`),
    })
    expect(taken).toEqual([ids[0], ids[2]])
    expect((await other.list()).map(({ id }) => id).sort()).toEqual([ids[0], ids[2], second.id].sort())
  })
})

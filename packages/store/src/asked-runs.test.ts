/** What every driver promises about runs that are created before they are read, and about watching a run. */
import type { ReadingEvent, RunIdentity } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StepEvents } from './run-log.ts'
import type { KeptSteps } from './run-store.ts'
import { drivers } from './testing/drivers.ts'
import { openedStores } from './testing/opened-stores.ts'
import { description, question, readShortly } from './testing/short-run.ts'

const folder = temporaryFolder(beforeEach, afterEach)

async function rest(steps: KeptSteps, most = 3): Promise<StepEvents[]> {
  const all: StepEvents[] = []
  for (let next = await steps.next(most); next.length > 0; next = await steps.next(most)) all.push(...next)
  return all
}

describe.each(drivers)('in $name', (driver) => {
  const isSkipped = driver.skipped !== undefined
  const test = it.skipIf(isSkipped)
  // The title says why a driver was skipped: its server is not installed, or may not be started here.
  if (isSkipped) it.skip(`nothing was tried: ${driver.skipped}`)

  const open = openedStores(driver, folder, afterEach)

  test('a run that is asked for is kept from then on, read or not', async () => {
    const store = await open()
    const id = await store.create(description)
    expect(await (await open()).load(id)).toMatchObject({
      id,
      state: 'unfinished',
      steps: 0,
      question,
      identity: {},
    })
    const writer = await store.resume(id)
    await readShortly(writer, { stopAfter: 0 })
    await writer.stop({ code: 'interrupted', message: 'Interrupted.' })
    expect(await store.load(id)).toMatchObject({ state: 'unfinished', failure: { code: 'interrupted' } })
    const again = await store.resume(id)
    const { result } = await readShortly(again)
    await again.finish(result!)
    expect(await store.load(id)).toMatchObject({ state: 'finished', outcome: 'found' })
  })

  test('a reading that stops while it takes the run leaves it to others', async () => {
    const store = await open()
    const id = await store.create(description)
    const writer = await store.resume(id)
    const loading = writer.load({} as RunIdentity)
    const failure = { code: 'interrupted', message: 'Interrupted.' }
    await writer.stop(failure)
    await loading
    expect(await store.load(id)).toMatchObject({ state: 'unfinished', failure })
    await store.setFailure(id, undefined)
  })

  test('two that ask for the same are two, and no other reading continues one', async () => {
    const store = await open()
    const ids = [await store.create(description), await store.create(description)]
    const begun = store.begin(description)
    await readShortly(begun, { stopAfter: 2 })
    expect(new Set([...ids, begun.id]).size).toBe(3)
    await begun.stop()
  })

  test('why a run does not go on is told of one that nobody reads alone', async () => {
    const store = await open()
    const id = await store.create(description)
    const failure = { code: 'cancelled', message: 'Cancelled.' }
    await store.setFailure(id, failure)
    expect(await store.load(id)).toMatchObject({ failure })
    await store.setFailure(id, undefined)
    expect((await store.load(id)).failure).toBeUndefined()
    const writer = await store.resume(id)
    await readShortly(writer, { stopAfter: 1 })
    await expect((await open()).setFailure(id, failure)).rejects.toMatchObject({ code: 'store/run-in-use' })
    await writer.stop()
    await expect(store.setFailure('0123456789', failure)).rejects.toMatchObject({ code: 'store/no-run' })
  })

  test('settings are replaced, and nothing else', async () => {
    const store = await open()
    const id = await store.create(description)
    const { settings: _, ...before } = await store.load(id)
    await store.setSettings(id, { other: [1] })
    const { settings, ...after } = await store.load(id)
    expect(settings).toEqual({ other: [1] })
    expect(after).toEqual(before)
  })

  test('who watches is told every step once, while it is written and after it went on', async () => {
    const store = await open()
    const run = store.begin(description)
    await readShortly(run, { stopAfter: 3 })
    const id = run.id!
    const watching = (await open()).steps(id)
    const first = await rest(watching)
    expect(await watching.next(3)).toEqual([])
    await run.stop()
    const resumed = await store.resume(id)
    const { result } = await readShortly(resumed)
    await resumed.finish(result!)
    const told = [...first, ...(await rest(watching))]
    expect(told).toEqual(await rest(store.steps(id), 100))
    expect(told.map(({ sequence }) => sequence)).toEqual([...told.keys()].map((i) => i + told[0]!.sequence))
    const kept: ReadingEvent[] = []
    for await (const event of store.events(id)) kept.push(event)
    expect(told.flatMap(({ events }) => events)).toEqual(kept)
  })

  test('a memory can be asked something else', async () => {
    const store = await open()
    const id = await store.create(description)
    expect(await store.memory(id)).toBeUndefined()
    const writer = await store.resume(id)
    await readShortly(writer)
    await writer.stop()
    const start = await store.memory(id)
    expect(start).toMatchObject({ question, steps: (await store.load(id)).steps })
    await expect(store.memory(id, 0)).rejects.toMatchObject({ code: 'store/no-question' })
  })
})

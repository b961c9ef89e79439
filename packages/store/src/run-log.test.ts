/** What every driver promises about the steps of a run. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { KeptSteps } from './run-store.ts'
import { drivers, openTested } from './testing/drivers.ts'
import { description, readShortly } from './testing/short-run.ts'

const folder = temporaryFolder(beforeEach, afterEach)

for (const driver of drivers) {
  it.skipIf(driver.skipped !== undefined)(
    `are read from any position, with how many chunks stand before it: ${driver.name}`,
    async () => {
      const store = await openTested(await driver.locate(folder.path, 'runs'))
      const run = store.begin(description)
      // Text that looks like an event is not counted as one.
      const { result } = await readShortly(run, { question: 'Who "type":"chunk-end" came?' })
      await run.finish(result!)
      const chunksIn = (rows: Awaited<ReturnType<KeptSteps['next']>>) =>
        rows.flatMap(({ events }) => events.filter(({ type }) => type === 'chunk-end')).length
      const all = await store.steps(run.id!).next(1000)
      expect(chunksIn(all)).toBeGreaterThan(5)
      for (const [i, { sequence }] of all.entries()) {
        const log = store.steps(run.id!)
        expect(await log.skipTo(sequence)).toBe(chunksIn(all.slice(0, i)))
        expect((await log.next(1000)).map((row) => row.sequence)).toEqual(
          all.slice(i).map((row) => row.sequence),
        )
      }
      await store.close()
    },
  )

  it.skipIf(driver.skipped !== undefined)(
    `are not told as all if the run is erased meanwhile: ${driver.name}`,
    async () => {
      const store = await openTested(await driver.locate(folder.path, 'runs'))
      const run = store.begin(description)
      await run.finish((await readShortly(run)).result!)
      const log = store.steps(run.id!)
      expect(await log.next(2)).toHaveLength(2)
      await store.remove(run.id!)
      await expect(log.next(2)).rejects.toMatchObject({ name: 'StoreError', code: 'store/no-run' })
      await store.close()
    },
  )
}

/** Short forms of `npm run test:runs`. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { drivers } from '../../packages/store/src/testing/drivers.ts'
import { problemsOf } from './integrity.ts'
import { killRuns } from './killed-runs.ts'
import { writeTogether } from './many-writers.ts'

const folder = temporaryFolder(beforeEach, afterEach)

describe.each(drivers)('in $name', ({ skipped, locate }) => {
  // A driver whose server is not installed, or may not be started here, cannot be tried: the title says which.
  if (skipped !== undefined) it.skip(`nothing was tried: ${skipped}`)
  const test = it.skipIf(skipped !== undefined)

  test('a run that is killed five times ends as one that was never disturbed', {
    timeout: 120_000,
  }, async () => {
    const store = await locate(folder.path, 'runs')
    const { kills, problems } = await killRuns({
      keep: () => ['--store', store],
      isWrittenFirst: true,
      problemsOf: () => problemsOf(store),
      folder: folder.path,
      kills: 5,
    })
    expect(problems).toEqual([])
    expect(kills).toBe(5)
  })

  test('four processes write one store, and nothing is lost', { timeout: 120_000 }, async () => {
    const { told, kept, steps, problems } = await writeTogether(await locate(folder.path, 'runs'), 4, 1)
    expect(problems).toEqual([])
    expect(kept).toBe(told)
    expect(kept).toBeGreaterThanOrEqual(4)
    expect(steps).toBeGreaterThan(kept)
  })
})

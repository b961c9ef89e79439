/** Short forms of `npm run test:runs`. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { killRuns } from './killed-runs.ts'
import { writeTogether } from './many-writers.ts'

const folder = temporaryFolder(beforeEach, afterEach)

it('a run that is killed five times ends as one that was never disturbed', { timeout: 120_000 }, async () => {
  const { kills, problems } = await killRuns(folder.path, 5)
  expect(problems).toEqual([])
  expect(kills).toBe(5)
})

it('four processes write one store, and nothing is lost', { timeout: 120_000 }, async () => {
  const { told, kept, steps, problems } = await writeTogether(folder.path, 4, 1)
  expect(problems).toEqual([])
  expect(kept).toBe(told)
  expect(kept).toBeGreaterThanOrEqual(4)
  expect(steps).toBeGreaterThan(kept)
})

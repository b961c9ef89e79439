/** The short form of `npm run test:server-kills`. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { killServer } from './killed-server.ts'

const folder = temporaryFolder(beforeEach, afterEach)

it('a killed server goes on with all its runs, and followers miss nothing and hear nothing twice', {
  timeout: 120_000,
}, async () => {
  const { problems, kills, connections } = await killServer(folder.path, {
    runs: 5,
    kills: 2,
    sentences: 150,
  })
  expect(problems).toEqual([])
  expect(kills).toBe(2)
  expect(connections).toBeGreaterThan(5)
})

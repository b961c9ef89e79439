/** Some malformed requests to every route; `npm run fuzz:server` sends ten thousand. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it('answers or refuses three hundred malformed requests in the form of their protocols', async () => {
  const { outcomes, broken, failures, valid } = await fuzz({ count: 300, seed: 1, folder: folder.path })
  expect(broken).toEqual([])
  expect(failures).toEqual([])
  expect(new Set(valid)).toEqual(new Set([200]))
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['200', '400', '404']))
})

/** Some mutated files of the corpus; `npm run fuzz:documents` reads a thousand. */
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fuzz } from './testing/fuzz.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it('reads or refuses forty mutated files', async () => {
  const { outcomes, broken } = await fuzz({ count: 40, seed: 1, folder: folder.path })
  expect(broken).toEqual([])
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['read', 'document/broken']))
})

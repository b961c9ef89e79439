/** What counts as new to a session, by path and content. */
import { expect, test } from 'vitest'
import { sessionNews } from './session-news.ts'

const version = (sha256: string) => ({ path: '/price.txt', sizeBytes: 3, sha256 })
const read = (...versions: readonly string[]) =>
  versions.map((sha256, i) => ({
    ...version(sha256),
    ...{ reading: i + 1, number: 0, startByte: 0, isRead: true },
  }))

test('a text that went back to an earlier version has changed since it was read', async () => {
  const documents = read('old', 'new')
  const now = async (sha256: string) => sessionNews([version(sha256)], documents, { readsChanged: true })
  expect(await now('new')).toMatchObject({ known: ['/price.txt'], changed: [], fresh: [] })
  expect(await now('old')).toMatchObject({ known: [], changed: ['/price.txt'], fresh: [version('old')] })
})

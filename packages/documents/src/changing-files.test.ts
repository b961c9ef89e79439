import { appendFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDocuments } from './open-documents.ts'

const folder = temporaryFolder(beforeEach, afterEach)

describe('a file that changes while it is read', () => {
  const long = 'The tide came in.\n'.repeat(20_000)
  const readWith = async (change: (path: string) => void) => {
    const path = folder.join('log.txt')
    writeFileSync(path, long)
    let text = ''
    for await (const piece of (await openDocuments([path])).open()) {
      if (text === '') change(path)
      text += piece.text
    }
    return text
  }

  it('fails where it was cut or written anew: an end that is missing is no end', async () => {
    const changed = {
      code: 'document/changed',
      message: expect.stringContaining('log.txt was cut or written anew'),
    }
    await expect(readWith((path) => truncateSync(path, 100_000))).rejects.toMatchObject(changed)
    const other = () => utimesSync(folder.join('log.txt'), 1, 1)
    await expect(readWith(other)).rejects.toMatchObject(changed)
  })

  it('is read to its new end where it only grew', async () => {
    expect(await readWith((path) => appendFileSync(path, 'The end.\n'))).toBe(`${long}The end.\n`)
  })

  it('may change behind what was read', async () => {
    const path = folder.join('short.txt')
    writeFileSync(path, 'The tide came in.')
    for await (const { text } of (await openDocuments([path])).open()) {
      expect(text).toBe('The tide came in.')
      truncateSync(path)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { openFile } from './open-file.ts'

/** The error of Node. */
const missing = (name: string) => async () => {
  throw Object.assign(new Error(`Cannot find package '${name}' imported from /x.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
}
const notInstalled = missing('@memagent/documents')

const part = (data: string | Uint8Array | URL, mediaType: string) => ({
  type: 'file' as const,
  data,
  mediaType,
})

describe('without the package that reads documents', () => {
  it.each(['text/plain', 'text/markdown', 'application/json', 'application/ld+json'])(
    '%s is read',
    async (mediaType) => {
      const base64 = Buffer.from('Grüße').toString('base64')
      const document = await openFile(part(base64, mediaType), 'a', undefined, notInstalled)
      let text = ''
      for await (const piece of document.open()) text += piece.text
      expect(text).toBe('Grüße')
    },
  )

  it('other kinds are refused by name, and what to install is named', async () => {
    await expect(openFile(part('', 'application/pdf'), 'a.pdf', undefined, notInstalled)).rejects.toThrow(
      /a\.pdf \(application\/pdf\) without the package @memagent\/documents/,
    )
  })

  it('a fault of that package is not taken for its absence', async () => {
    await expect(openFile(part('', 'text/plain'), 'a', undefined, missing('unpdf'))).rejects.toThrow('unpdf')
  })
})

it('a link is refused: nothing is fetched', async () => {
  const link = new URL('https://example.com/a.txt')
  await expect(openFile(part(link, 'text/plain'), 'a.txt')).rejects.toThrow('a.txt')
})

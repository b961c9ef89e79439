import { describe, expect, it } from 'vitest'
import { type FilePart, openFile } from './open-file.ts'

/** The error of Node. */
const missing = (name: string) => async () => {
  throw Object.assign(new Error(`Cannot find package '${name}' imported from /x.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
}
const notInstalled = missing('@memagent/documents')

const part = (data: FilePart['data'], mediaType: string) => ({
  type: 'file' as const,
  data,
  mediaType,
})

describe('without the package that reads documents', () => {
  it.each(['text', 'text/plain', 'text/markdown', 'application/json', 'application/ld+json'])(
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

it.each([
  ['without', notInstalled],
  ['with', undefined],
])('text that AI SDK 7 gives as it is, is read %s that package', async (_, load) => {
  const document = await openFile(part({ type: 'text', text: 'Grüße' }, 'text/plain'), 'a', undefined, load)
  let text = ''
  for await (const piece of document.open()) text += piece.text
  expect(text).toBe('Grüße')
})

it.each([
  ['a link', new URL('https://example.com/a.txt')],
  ['a reference to what a provider keeps', { type: 'reference' } as const],
])('%s is refused: nothing is fetched', async (_, data) => {
  await expect(openFile(part(data, 'text/plain'), 'a.txt')).rejects.toThrow(/does not support .*a\.txt/)
})

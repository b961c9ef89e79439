import { expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { type ZippedFile, zipOf } from '../testing/zip-of.ts'
import { parseEpub } from './epub.ts'
import type { Parsed } from './parser.ts'

const container = '<container><rootfiles><rootfile full-path="text/book.opf"/></rootfiles></container>'
const chapter = (title: string, body: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title></head><body>${body}</body></html>`
const item = (id: string, more = '') =>
  `<item id="${id}" href="${id}%20x.xhtml" media-type="application/xhtml+xml"${more}/>`

const bookOf = (spine: readonly string[], ...more: readonly ZippedFile[]) =>
  zipOf([
    { name: 'mimetype', content: 'application/epub+zip', isStored: true },
    { name: 'META-INF/container.xml', content: container },
    {
      name: 'text/book.opf',
      content: `<package><manifest>${item('nav', ' properties="nav"')}${item('b')}${item('a')}${item('c')}<item id="drawing" href="drawing.svg" media-type="image/svg+xml"/></manifest><spine>${spine
        .map((id) => `<itemref idref="${id}"/>`)
        .join('')}</spine></package>`,
    },
    { name: 'text/nav x.xhtml', content: chapter('nav', '<ol><li>Contents</li></ol>') },
    { name: 'text/a x.xhtml', content: chapter('a.xhtml', '<h1>The ford</h1><p>It is deep.</p>') },
    { name: 'text/b x.xhtml', content: chapter('b.xhtml', '<p>No heading&#160;here.</p>') },
    ...more,
  ])

async function parsedOf(book: Uint8Array) {
  const parts: Parsed[] = []
  for await (const part of parseEpub(book, defaultLimits)) parts.push(part)
  return parts
}
const partsOf = async (book: Uint8Array) => (await parsedOf(book)).filter((part) => 'text' in part)
const textOf = async (book: Uint8Array) => (await partsOf(book)).map(({ text }) => text).join('')

it('reads chapters in the order of the book, each once, without titles of files and the table of contents', async () => {
  const book = bookOf(['nav', 'a', 'b', 'a'])
  expect((await textOf(book)).split(/\n+/)).toEqual(['The ford', 'It is deep.', 'No heading\u00a0here.', ''])
  const last = (await partsOf(book)).findLast(({ position }) => position !== undefined)
  expect(last).toMatchObject({ text: expect.stringContaining('No heading'), position: {} })
})

it('reads on behind elements that end at once, as XML has them', async () => {
  const body = '<p>Before.</p><script src="a.js"/><style/><h2/><p>Behind.</p>'
  const a = { name: 'text/a x.xhtml', content: chapter('a', body) }
  const parts = await partsOf(bookOf(['a'], a))
  expect(parts.map(({ text }) => text).join('')).toBe('Before.\n\nBehind.\n')
  expect(parts.flatMap(({ position }) => position?.headings ?? [])).toEqual([])
})

it('warns of chapters that are no pages, or not there', async () => {
  const book = bookOf(['a', 'drawing', 'nowhere', 'c'])
  expect((await parsedOf(book)).filter((part) => 'warning' in part)).toEqual([
    { warning: 'the chapter text/drawing.svg is image/svg+xml, which is not read' },
    { warning: 'the chapter nowhere is missing' },
    { warning: 'the chapter text/c x.xhtml is missing' },
  ])
  expect(await textOf(book)).toContain('It is deep.')
})

it('refuses a protected book, one without chapters, and one whose chapter is missing', async () => {
  const reference = '<CipherReference URI="text/a%20x.xhtml"/>'
  const encryption = { name: 'META-INF/encryption.xml', content: `<encryption>${reference}</encryption>` }
  const kinds = [bookOf(['a'], encryption), bookOf([]), bookOf(['a']).subarray(0, 500)].map((book) =>
    textOf(book).catch(({ kind }) => kind),
  )
  expect(await Promise.all(kinds)).toEqual(['encrypted', 'broken', 'broken'])
  expect(await textOf(bookOf(['b'], encryption))).toContain('No heading')
})

it('reads chapters in the encoding that they declare', async () => {
  const declared = (encoding: string) => ({
    name: 'text/a x.xhtml',
    content: `<?xml version="1.0" encoding="${encoding}"?>${chapter('a', '<p>\xb3\xf3d\xbc</p>')}`,
  })
  expect(await textOf(bookOf(['a'], declared('ISO-8859-2')))).toBe('łódź\n')
  await expect(textOf(bookOf(['a'], declared('klingon')))).rejects.toThrow('unknown encoding, klingon')
})

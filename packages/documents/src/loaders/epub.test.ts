import { expect, it } from 'vitest'
import { readBytes, textOf } from '../testing/read-bytes.ts'
import { type ZippedFile, zipOf } from '../testing/zip-of.ts'

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
      content: `<package><manifest>${item('nav', ' properties="nav"')}${item('b')}${item('a')}</manifest><spine>${spine
        .map((id) => `<itemref idref="${id}"/>`)
        .join('')}</spine></package>`,
    },
    { name: 'text/nav x.xhtml', content: chapter('nav', '<ol><li>Contents</li></ol>') },
    { name: 'text/a x.xhtml', content: chapter('a.xhtml', '<h1>The ford</h1><p>It is deep.</p>') },
    { name: 'text/b x.xhtml', content: chapter('b.xhtml', '<p>No heading&#160;here.</p>') },
    ...more,
  ])

it('reads chapters in the order of the book, without titles of files and the table of contents', async () => {
  const pieces = await readBytes(bookOf(['nav', 'a', 'b']), 'a.epub')
  expect(textOf(pieces).split(/\n+/)).toEqual(['The ford', 'It is deep.', 'No heading\u00a0here.', ''])
  const last = pieces.findLast(({ position }) => position !== undefined)
  expect(last).toMatchObject({ text: expect.stringContaining('No heading'), position: {} })
})

it('refuses a protected book, one without chapters, and one whose chapter is missing', async () => {
  const reference = '<CipherReference URI="text/a%20x.xhtml"/>'
  const encryption = { name: 'META-INF/encryption.xml', content: `<encryption>${reference}</encryption>` }
  const codes = [bookOf(['a'], encryption), bookOf([]), bookOf(['a']).subarray(0, 500)].map((bytes) =>
    readBytes(bytes, 'a.epub').then(textOf, ({ code }) => code),
  )
  expect(await Promise.all(codes)).toEqual(['document/encrypted', 'document/broken', 'document/broken'])
  expect(textOf(await readBytes(bookOf(['b'], encryption), 'a.epub'))).toContain('No heading')
})

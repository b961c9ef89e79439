/** Broken files and bombs in formats that are parsed whole end as one clear error that names the file. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { DocumentError } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Limits } from './limits.ts'
import { openDocuments } from './open-documents.ts'
import { corpusFile, outcomeOf, readTexts } from './testing/corpus.ts'
import { flateBomb, pdfOf } from './testing/flate-bomb.ts'
import { type ZippedFile, zipOf } from './testing/zip-of.ts'

/** 96 MiB. */
const bomb = flateBomb(96)
const folder = temporaryFolder(beforeEach, afterEach)

/** What reading a file ends with: its text, or the error's code, message and hint. */
async function endOf(name: string, bytes: Uint8Array, limits: Partial<Limits> = {}) {
  const path = folder.join(name)
  writeFileSync(path, bytes)
  try {
    const [read] = (await readTexts(path, { limits })).values()
    return { text: read!.text }
  } catch (error) {
    if (!DocumentError.isInstance(error)) throw error
    return { code: error.code, message: error.message.replace(path, name) }
  }
}

const relationships = `<Relationships><Relationship Id="1" Type="x/officeDocument" Target="word/document.xml"/></Relationships>`
const docxOf = (body: string | Buffer, ...more: readonly ZippedFile[]) =>
  zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: '_rels/.rels', content: relationships },
    { name: 'word/document.xml', content: body },
    ...more,
  ])
const inDocument = (text: string) =>
  `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`

describe('broken files', () => {
  it.each([
    'report.docx',
    'slides.pptx',
    'ledger.xlsx',
    'report.odt',
    'slides.odp',
    'ledger.ods',
    'report.rtf',
    'report.pdf',
  ])('half of %s', async (name) => {
    const bytes = readFileSync(corpusFile(name))
    expect(await endOf(name, bytes.subarray(0, bytes.length / 2))).toMatchObject({
      code: 'document/broken',
      message: expect.stringMatching(new RegExp(`^${name} is an? .*, but a broken one: `)),
    })
  })

  it('a changed byte in the text of an Office file', async () => {
    const bytes = Buffer.from(docxOf(inDocument('Ines Calder, harbour master')))
    const checksum = zipOf([{ name: 'word/document.xml', content: inDocument('Ines'), checksum: 7 }])
    expect(await endOf('a.docx', bytes)).toEqual({ text: 'Ines Calder, harbour master\n' })
    expect(await endOf('b.docx', checksum)).toMatchObject({ code: 'document/broken' })
  })

  it('XML that is not well-formed, missing parts, and a binary workbook', async () => {
    expect(await endOf('a.docx', docxOf('<w:document><w:p></w:document>'))).toMatchObject({
      code: 'document/broken',
    })
    expect(await endOf('a.docx', zipOf([{ name: 'word/x.xml', content: '' }]))).toEqual({
      code: 'document/broken',
      message: 'a.docx is an Office file, but a broken one: it names no main part.',
    })
    const parts = [
      { name: '_rels/.rels', content: relationships.replace('word/document.xml', 'xl/workbook.bin') },
    ]
    expect(await endOf('a.xlsb', zipOf([...parts, { name: 'xl/workbook.bin', content: 'x' }]))).toMatchObject(
      {
        message: expect.stringContaining('saved as .xlsx'),
      },
    )
  })

  it('a PDF that is cut off, or whose last change is, says so', async () => {
    const whole = readFileSync(corpusFile('slides.pdf'))
    const remarksOf = async (bytes: Uint8Array) => {
      const path = folder.join('cut.pdf')
      writeFileSync(path, bytes)
      const messages: string[] = []
      const [read] = (
        await readTexts(path, { onRemark: ({ message }) => messages.push(message.replace(path, 'cut.pdf')) })
      ).values()
      expect(read!.text).toContain('12 March 1911')
      return messages
    }
    expect(await remarksOf(whole)).toEqual([])
    const message =
      'cut.pdf: its end is missing or broken, perhaps because it was cut off: text may be missing.'
    expect(await remarksOf(whole.subarray(0, whole.length - 60))).toEqual([message])
    expect(await remarksOf(Buffer.concat([whole, Buffer.from('\n90 0 obj\n<</Type')]))).toEqual([message])
  })

  it('one page of a PDF that cannot be read costs that page alone', async () => {
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'
    const content = 'BT /F1 12 Tf 10 50 Td (The quay is new.) Tj ET'
    const page = (contents: number) =>
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents ${contents} 0 R/Resources<</Font<</F1 ${font}>>>>>>`
    const bytes = pdfOf(
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 9 0 R]/Count 2>>',
      page(4),
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    )
    expect(await endOf('a.pdf', bytes)).toEqual({ text: 'The quay is new.\n' })
  })
})

describe('names do not decide', () => {
  it.each([
    ['report.docx', 'notes.txt'],
    ['page.pdf', 'table.csv'],
    ['ledger.xlsx', 'ledger.zip'],
    ['report.rtf', 'report.doc'],
  ])('%s as %s', async (name, other) => {
    const path = folder.join(other)
    copyFileSync(corpusFile(name), path)
    const texts = async (file: string) => [...(await readTexts(file)).values()].map(({ text }) => text)
    expect(await texts(path)).toEqual(await texts(corpusFile(name)))
  })

  it('text named like an Office file is text', async () => {
    expect(await endOf('a.docx', Buffer.from('Only text.\n'))).toEqual({ text: 'Only text.\n' })
  })
})

describe('bombs', () => {
  it('a part that unpacks to many times its size', async () => {
    expect(await endOf('a.docx', docxOf(Buffer.alloc(20 << 20, ' ')), { ratio: 500 })).toEqual({
      code: 'document/over-limit',
      message: 'a.docx is not read: a part of it unpacks to more than 500 times its size.',
    })
  })

  it('more than may be unpacked', async () => {
    const bytes = docxOf(inDocument('word '.repeat(500_000)))
    expect(await endOf('a.docx', bytes, { unpackedBytes: 2 ** 20 })).toEqual({
      code: 'document/over-limit',
      message: 'a.docx is not read: it unpacks to more than 1 MiB.',
    })
  })

  it('a part that is longer than it says', async () => {
    const bytes = docxOf(inDocument('word '.repeat(50_000)))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(inDocument('word '.repeat(50_000))))
    for (let at = bytes.indexOf(length); at >= 0; at = bytes.indexOf(length)) bytes.writeUInt32LE(99, at)
    expect(await endOf('a.docx', bytes)).toMatchObject({ code: 'document/broken' })
  })

  it('a part that is referred to again and again', async () => {
    const type = 'Type="x/slide" Target="slide.xml"'
    const bytes = zipOf([
      { name: '_rels/.rels', content: relationships.replace('word/document.xml', 'ppt/presentation.xml') },
      { name: 'ppt/_rels/presentation.xml.rels', content: `<x><Relationship Id="1" ${type}/></x>` },
      {
        name: 'ppt/presentation.xml',
        content: `<presentation>${'<sldId r:id="1"/>'.repeat(1000)}</presentation>`,
      },
      { name: 'ppt/slide.xml', content: `<x>${' '.repeat(2 ** 20)}</x>` },
    ])
    expect(await endOf('a.pptx', bytes)).toEqual({
      code: 'document/over-limit',
      message: 'a.pptx is not read: it unpacks to more than 250 times its size.',
    })
  })

  it('more parts than are allowed', async () => {
    const parts = Array.from({ length: 30 }, (_, i) => ({ name: `word/${i}`, content: '' }))
    expect(await endOf('a.docx', docxOf('', ...parts), { entries: 20 })).toMatchObject({
      code: 'document/over-limit',
    })
  })

  it('a billion laughs', async () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      '',
    )
    const body = `<!DOCTYPE d [<!ENTITY l0 "ha">${laughs}]>${inDocument('&l9;')}`
    expect(await endOf('a.docx', docxOf(body))).toMatchObject({ code: 'document/broken' })
  })

  it('a PDF page that unpacks to more memory than a parser may take', async () => {
    expect(bomb.length).toBeLessThan(2000)
    expect(await endOf('a.pdf', bomb, { parseMegabytes: 16 })).toEqual({
      code: 'document/over-limit',
      message: 'a.pdf is not read: a PDF that takes more than 16 MB of memory to parse.',
    })
  })

  it('a document that is one paragraph larger than the memory of its parser', async () => {
    const text = Buffer.alloc(16 << 20, 'abcdefghij klmnopqrstuvw xyz')
    const body = Buffer.concat([Buffer.from('<document><p><t>'), text, Buffer.from('</t></p></document>')])
    expect(await endOf('a.docx', docxOf(body), { parseMegabytes: 8, ratio: 5000 })).toMatchObject({
      code: 'document/over-limit',
      message: expect.stringContaining('more than 8 MB of memory'),
    })
  })

  it('a file from which no text comes', async () => {
    expect(await endOf('a.pdf', bomb, { parseSeconds: 0.2 })).toEqual({
      code: 'document/over-limit',
      message: 'a.pdf is not read: a PDF from which no text came within 0.2 seconds.',
    })
  })

  it('a file larger than may be held', async () => {
    expect(await endOf('a.pdf', pdfOf('<</Type/Catalog>>'), { wholeBytes: 99 })).toMatchObject({
      code: 'document/over-limit',
    })
  })

  it('pages and rows that are only announced', async () => {
    const pages = pdfOf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 2000000000>>')
    expect(await endOf('a.pdf', pages)).toMatchObject({ code: 'document/broken' })
  })
})

it('a reading that is aborted stops its parser, and the next file is read', async () => {
  const path = folder.join('a.pdf')
  writeFileSync(path, bomb)
  const abort = new AbortController()
  const reading = (async () => {
    for await (const _ of (await openDocuments([path])).open(abort.signal));
  })()
  setTimeout(() => abort.abort(new Error('enough')), 300)
  await expect(reading).rejects.toThrow('enough')
  expect(await outcomeOf(corpusFile('report.pdf'))).toBe('read')
})

it('a reading that is left early ends its parser', async () => {
  for await (const piece of (await openDocuments([corpusFile('page.pdf')])).open()) {
    expect(piece.position).toEqual({ page: 1 })
    break
  }
  expect(await outcomeOf(corpusFile('page.pdf'))).toBe('read')
})

/** Content that is not text is named, with advice, from files and streams, however it is split and whatever is allowed. */
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DocumentError } from '../errors.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createFileDocument } from './file-document.ts'
import { createStreamDocument } from './text-document.ts'

const bytes = (latin1: string, length = 0) => Buffer.from(latin1.padEnd(length, '\0'), 'latin1')

/** Uncompressed entries, each with its local header: enough of a zip file to be recognized. */
const zip = (entries: Readonly<Record<string, string>>) =>
  Buffer.concat(
    Object.entries(entries).flatMap(([name, content]) => {
      const header = Buffer.alloc(30)
      header.write('PK\x03\x04', 'latin1')
      header.writeUInt32LE(content.length, 18)
      header.writeUInt32LE(content.length, 22)
      header.writeUInt16LE(name.length, 26)
      return [header, Buffer.from(name), Buffer.from(content)]
    }),
  )

/** A stored entry whose size follows its content, as programs write that stream a zip file. */
function streamed(name: string, content: Buffer): Buffer {
  const file = zip({ [name]: content.toString('latin1') })
  const header = Buffer.from(file.subarray(0, 30 + name.length))
  header.writeUInt16LE(8, 6)
  header.writeUInt32LE(0, 18)
  header.writeUInt32LE(0, 22)
  return Buffer.concat([header, content])
}

const story = 'The guest came on foot, and the night was long. '.repeat(30)
const swapped = (text: Buffer) => Buffer.from(text).swap16()
const utf32 = (text: string, isLittle: boolean) =>
  Buffer.concat(
    [...text].map((sign) => {
      const unit = Buffer.alloc(4)
      if (isLittle) unit.writeUInt32LE(sign.codePointAt(0)!)
      else unit.writeUInt32BE(sign.codePointAt(0)!)
      return unit
    }),
  )

const samples: readonly (readonly [kind: string, content: Buffer, remedy: RegExp])[] = [
  ['pdf', bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'), /pdftotext FILE -/],
  ['pdf', bytes('\r\n\n %PDF-1.4\n%\xe2\xe3\xcf\xd3\n'), /pdftotext/],
  ['pdf', bytes('\xef\xbb\xbf%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'), /pdftotext/],
  ['rtf', bytes('{\\rtf1\\ansi The guest came.\\par}'), /pandoc -f rtf/],
  ['postscript', bytes('%!PS-Adobe-3.0\n%%Pages: 1\n'), /ps2ascii/],
  [
    'docx',
    zip({ '[Content_Types].xml': '<Types/>', '_rels/.rels': '', 'word/document.xml': story }),
    /pandoc -f docx/,
  ],
  ['docx', zip({ 'word/numbering.xml': '<x/>', 'word/document.xml': story }), /pandoc/],
  ['xlsx', zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '' }), /xlsx2csv/],
  ['xlsx', zip({ 'xl/worksheets/sheet1.xml': story }), /xlsx2csv/],
  ['pptx', zip({ '[Content_Types].xml': '<Types/>', 'ppt/presentation.xml': '' }), /markitdown/],
  ['odt', zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '' }), /pandoc -f odt/],
  ['opendocument', zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }), /soffice --cat/],
  ['epub', zip({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '' }), /pandoc -f epub/],
  ['jar', zip({ 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0', 'a/Main.class': '' }), /program/],
  ['zip', zip({ 'notes/a.txt': story }), /unzip -p/],
  ['zip', zip({ 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0', 'notes.txt': story }), /unzip -p/],
  ['zip', zip({ 'word/chapter1.txt': story }), /unzip -p/],
  [
    'zip',
    zip({ 'a.docx': zip({ '[Content_Types].xml': '', 'word/document.xml': story }).toString('latin1') }),
    /unzip/,
  ],
  ['zip', streamed('a/report.docx', zip({ '[Content_Types].xml': '', 'word/document.xml': story })), /unzip/],
  ['zip', bytes('PK\x05\x06', 22), /unzip -p/],
  ['ole', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 512), /catdoc FILE[\s\S]*xls2csv/],
  ['gzip', gzipSync(story), /zcat/],
  ['bzip2', bytes('BZh91AY&SY\xd0\x4e\x2f\x11'), /bzcat/],
  ['xz', bytes('\xfd7zXZ\0\0\x04\xe6\xd6'), /xzcat/],
  ['zstd', bytes('\x28\xb5\x2f\xfd\x04\x58'), /zstdcat/],
  ['lz4', bytes('\x04\x22\x4d\x18\x64\x40'), /lz4cat/],
  ['7z', bytes('7z\xbc\xaf\x27\x1c\0\x04'), /7z x -so/],
  ['rar', bytes('Rar!\x1a\x07\x01\0'), /unrar/],
  [
    'tar',
    Buffer.concat([bytes('notes/a.txt', 257), bytes('ustar\x0000', 255), Buffer.from(story)]),
    /tar -xOf/,
  ],
  ['sqlite', bytes('SQLite format 3\0\x10\0\x01\x01'), /sqlite3 FILE \.dump/],
  ['parquet', bytes('PAR1\x15\x04\x15\x10'), /parquet cat/],
  ['mobi', bytes(`${'A_book'.padEnd(60, '\0')}BOOKMOBI`, 80), /ebook-convert/],
  ['image', bytes('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR'), /tesseract FILE -/],
  ['image', bytes('\xff\xd8\xff\xe0\0\x10JFIF'), /tesseract/],
  ['image', bytes('GIF89a\x01\0\x01\0'), /tesseract/],
  ['image', bytes('RIFF\x24\0\0\0WEBPVP8 '), /tesseract/],
  ['image', bytes('\0\0\0\x18ftypheic'), /tesseract/],
  ['media', bytes('\0\0\0\x18ftypmp42'), /whisper/],
  ['media', bytes('RIFF\x24\0\0\0WAVEfmt '), /whisper/],
  ['media', bytes('ID3\x04\0\0\0\0'), /whisper/],
  ['media', bytes('OggS\0\x02\0\0'), /whisper/],
  ['media', bytes('\x1aE\xdf\xa3\x01\0\0'), /whisper/],
  ['executable', bytes('\x7fELF\x02\x01\x01\0'), /no text/],
  ['executable', bytes('MZ\x90\0\x03\0\0\0'), /no text/],
  ['weights', bytes('GGUF\x03\0\0\0'), /--model gguf:FILE/],
  ['weights', bytes('\x80\x01\0\0\0\0\0\0{"__metadata__":{}}'), /--model/],
  ['utf-16le', Buffer.from(story, 'utf16le'), /iconv -f UTF-16LE -t UTF-8 FILE/],
  ['utf-16be', swapped(Buffer.from(story, 'utf16le')), /iconv -f UTF-16BE/],
  ['utf-32le', utf32(story, true), /iconv -f UTF-32LE/],
  ['utf-32be', utf32(story, false), /iconv -f UTF-32BE/],
  ['utf-32', utf32(`\ufeff${story}`, true), /iconv -f UTF-32 /],
  ['utf-32', utf32(`\ufeff${story}`, false), /iconv -f UTF-32 /],
]

const folder = temporaryFolder(beforeAll, afterAll)

async function failureOf(pieces: AsyncIterable<unknown>): Promise<DocumentError> {
  try {
    for await (const _ of pieces);
  } catch (error) {
    expect(error).toBeInstanceOf(DocumentError)
    return error as DocumentError
  }
  throw new Error('It was read as text.')
}

async function textOf(pieces: AsyncIterable<{ readonly text: string }>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece.text
  return text
}

async function* cut(content: Uint8Array, sizes: readonly number[]) {
  let from = 0
  for (const size of sizes) {
    yield content.slice(from, from + size)
    from += size
  }
  yield content.slice(from)
}

describe('content that is not text', () => {
  it.each(samples.map(([kind, content, remedy], i) => ({ kind, content, remedy, i })))(
    'is named in a file and in standard input: $kind ($i)',
    async ({ kind, content, remedy, i }) => {
      const path = folder.join(`${i} ${kind}`)
      await writeFile(path, content)
      for (const invalidBytes of ['error', 'replace'] as const) {
        const file = await failureOf((await createFileDocument(path, { invalidBytes })).open())
        expect(file).toMatchObject({ code: 'document/not-text', details: { source: path, kind } })
        expect(file.hint).toMatch(new RegExp(remedy.source.replace('FILE', `'${path}'`)))
        const stream = createStreamDocument(cut(content, []), 'standard input', { invalidBytes })
        const input = await failureOf(stream.open())
        expect(input.message).toMatch(/^standard input is /)
        expect(input.hint).toMatch(remedy)
      }
    },
  )

  it('is the same wherever the stream is cut', async () => {
    const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 600 })), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), sizes, async ([kind, content], at) => {
        const error = await failureOf(createStreamDocument(cut(content, at), 'stream').open())
        expect(error.details.kind).toBe(kind)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('text is accepted, whatever it begins with', () => {
  it.each([
    'MZ said that the guest came.',
    'BM is a unit of something. '.repeat(20),
    'ID3 tags hold the name of a song. '.repeat(20),
    'GIF89a is a format for pictures. '.repeat(20),
    'RIFF is a container of four letters. '.repeat(20),
    'PK is a name, and P alone is one, too.',
    'PAR1',
    `${'The guest came. '.repeat(17).slice(0, 257)}ustar and more`,
    'P',
    '%',
    '{"a": 1}',
    '#!/bin/sh\necho hello\n',
    '\x1b[1mOggS\x1b[0m in bold',
    '<?xml version="1.0"?><p>The guest.</p>',
    'BZh is not much of a word. BZh91AY is none.',
    '7z and Rar! are programs.',
    '\tThe guest came.\r\n\fNobody spoke.',
    '',
  ])('%j', async (text) => {
    for (const sizes of [[], [1], [1, 1, 1, 1]]) {
      expect(await textOf(createStreamDocument(cut(Buffer.from(text), sizes), 'stream').open())).toBe(text)
    }
  })

  it('any text without control characters', async () => {
    const starts = samples.map(([, content]) => content.subarray(0, 3).toString('latin1'))
    const text = fc
      .tuple(fc.constantFrom('', ...starts), fc.string({ unit: 'grapheme', maxLength: 80 }))
      .map((parts) => parts.join('').replace(/\p{Cc}/gu, ''))
      .filter((one) => !/^(?:%PDF-|%!PS|\{\\rtf)/.test(one))
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (one, size) => {
        expect(await textOf(createStreamDocument(cut(Buffer.from(one), [size]), 'stream').open())).toBe(one)
      }),
      { numRuns: 500 },
    )
  })

  it('at once: no more bytes are awaited than are needed to know', async () => {
    const silent = async function* () {
      yield Buffer.from(story.slice(0, 200))
      await new Promise(() => undefined)
    }
    const pieces = createStreamDocument(silent(), 'log').open()[Symbol.asyncIterator]()
    expect((await pieces.next()).value.text).toBe(story.slice(0, 200))
  })
})

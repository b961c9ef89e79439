/** Archives and compressed files: their content is read; a hostile or broken one ends as one error that names it. */

import * as zlib from 'node:zlib'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import type { SourceRemark } from './loader.ts'
import { placeOf, readBytes, textOf } from './testing/read-bytes.ts'
import { type ZippedFile, zipOf } from './testing/zip-of.ts'

async function tarOf(
  files: readonly { name: string; content?: string | Buffer; type?: 'symlink' | 'directory' }[],
) {
  const tar = pack()
  for (const { name, content = '', type = 'file' } of files) {
    tar.entry(
      { name, type, ...(type === 'symlink' && { linkname: '/etc/passwd' }) },
      type === 'file' ? content : '',
    )
  }
  tar.finalize()
  const bytes: Buffer[] = []
  for await (const piece of tar) bytes.push(piece as Buffer)
  return Buffer.concat(bytes)
}

const files: readonly ZippedFile[] = [
  { name: 'notes/', content: '' },
  { name: 'notes/b.md', content: '# Sea\nsalt\n' },
  { name: 'notes/a.txt', content: 'dawn' },
  { name: 'table.csv.gz', content: gzipSync('name,hour\npier,9\n') },
  // Files that a Mac adds, and hidden ones: reading a folder skips them, too.
  { name: '.DS_Store', content: Buffer.from([0, 0, 0, 1, 0x42]) },
  { name: '__MACOSX/notes/._a.txt', content: Buffer.from([0, 5, 22, 7, 0, 2]) },
  { name: 'notes/.git/HEAD', content: 'ref: refs/heads/main' },
]

describe('archives', () => {
  it('are read entry by entry, in their own order, with everything inside', async () => {
    const zipped = zipOf(files)
    const inner = await tarOf([
      { name: './', type: 'directory' },
      { name: './inner.zip', content: zipped },
      { name: './.git/', type: 'directory' },
      { name: './.git/config', content: '[core]' },
      { name: './.env', content: 'KEY=1' },
      { name: 'last.txt', content: 'night' },
    ])
    for (const [name, bytes] of [
      ['all.tar', inner],
      ['all.tar.gz', gzipSync(inner)],
      ['all.tgz', gzipSync(inner)],
      ...('zstdCompressSync' in zlib ? ([['all.tar.zst', zlib.zstdCompressSync(inner)]] as const) : []),
    ] as const) {
      const remarks: SourceRemark[] = []
      const pieces = await readBytes(bytes, name, { remarks })
      expect(remarks.map(({ message }) => message)).toEqual([
        `A hidden entry is left out of ${name}/inner.zip, as of a folder: notes/.git/HEAD`,
        `2 hidden entries are left out of ${name}, as of a folder: ./.git/config, ...`,
      ])
      expect(textOf(pieces)).toBe('# Sea\nsalt\ndawnname,hour\npier,9\nnight')
      expect(placeOf(pieces, 'salt')).toEqual({
        source: `${name}/inner.zip/notes/b.md`,
        position: { headings: ['Sea'], line: 2 },
      })
      expect(placeOf(pieces, 'pier')).toEqual({
        source: `${name}/inner.zip/table.csv.gz`,
        position: { row: 2, line: 2 },
      })
    }
  })

  it.each([
    [
      'a zip cut short',
      zipOf(files).subarray(0, 150),
      'x.zip',
      'document/broken',
      /^x\.zip is a zip archive, but a broken one: /,
    ],
    [
      'a gzip cut short',
      gzipSync('dawn '.repeat(99)).subarray(0, 20),
      'x.gz',
      'document/broken',
      /^x\.gz is compressed with gzip, but/,
    ],
    [
      'an entry that needs a password',
      zipOf([{ name: 'a.txt', content: 'x', isEncrypted: true }]),
      'x.zip',
      'document/encrypted',
      /^x\.zip\/a\.txt is an entry of a zip archive that needs a password\.$/,
    ],
    [
      'a path out of a zip',
      zipOf([{ name: '../../etc/passwd', content: 'x' }]),
      'x.zip',
      'document/unsafe-entry',
      /^The entry \.\.\/\.\.\/etc\/passwd of x\.zip is not read/,
    ],
    [
      'an absolute path',
      zipOf([{ name: '/etc/passwd', content: 'x' }]),
      'x.zip',
      'document/unsafe-entry',
      /passwd of x\.zip/,
    ],
    [
      'a link in a zip',
      zipOf([{ name: 'link', content: '/etc/passwd', isLink: true }]),
      'x.zip',
      'document/unsafe-entry',
      /^The entry link of x\.zip is not read: it is a symbolic link\.$/,
    ],
    [
      'an entry of another checksum',
      zipOf([{ name: 'a.txt', content: 'dawn', checksum: 7 }]),
      'x.zip',
      'document/broken',
      /a\.txt/,
    ],
    [
      'a picture inside',
      zipOf([{ name: 'a.png', content: '\x89PNG\r\n\x1a\n' }]),
      'x.zip',
      'document/not-text',
      /^x\.zip\/a\.png is an image/,
    ],
  ])('%s', async (_, bytes, name, code, message) => {
    await expect(readBytes(bytes, name)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })

  it.runIf('zstdCompressSync' in zlib)('Zstandard in several frames is read to its end', async () => {
    const long = Array.from({ length: 50_000 }, (_, i) => `The tide of day ${i} came in.\n`).join('')
    const [first, second] = [zlib.zstdCompressSync(long), zlib.zstdCompressSync('The end.\n')]
    const skipped = Buffer.from('\x50\x2a\x4d\x18\x03\0\0\0abc', 'latin1')
    const all = Buffer.concat([skipped, first, skipped, second, skipped])
    for (const pieceBytes of [first.length, all.length, 7]) {
      const pieces = await readBytes(all, 'x.txt.zst', { pieceBytes })
      expect(textOf(pieces) === `${long}The end.\n`).toBe(true)
    }
    for (const bytes of [
      Buffer.concat([first, second.subarray(0, 9)]),
      Buffer.concat([first, Buffer.from('x')]),
    ]) {
      await expect(readBytes(bytes, 'x.txt.zst')).rejects.toMatchObject({ code: 'document/broken' })
    }
  })

  it('a zip with a path out of it is read behind that entry, too', async () => {
    const bytes = zipOf([
      { name: 'a.txt', content: 'dawn' },
      { name: '../up.txt', content: 'x' },
      { name: 'c:\\up.txt', content: 'x' },
      { name: 'b.txt', content: ' night' },
    ])
    const remarks: SourceRemark[] = []
    expect(textOf(await readBytes(bytes, 'x.zip', { skipsUnreadable: true, remarks }))).toBe('dawn night')
    expect(remarks.map(({ source }) => source)).toEqual(['x.zip/../up.txt', 'x.zip/c:/up.txt'])
  })

  it('a zip compressed in another way is not called broken', async () => {
    for (const [method, name] of [
      [9, 'Deflate64'],
      [12, 'bzip2'],
      [77, 'method 77'],
    ] as const) {
      await expect(
        readBytes(zipOf([{ name: 'a.txt', content: 'dawn', method }]), 'x.zip'),
      ).rejects.toMatchObject({
        message: `The entry a.txt of x.zip is not read: it is compressed with ${name}.`,
        hint: expect.stringMatching(/^Unpack the archive yourself/),
      })
    }
  })

  it('a tar with a path out of it, a link, and a cut', async () => {
    await expect(
      readBytes(await tarOf([{ name: '../up.txt', content: 'x' }]), 'x.tar'),
    ).rejects.toMatchObject({
      code: 'document/unsafe-entry',
      message: 'The entry ../up.txt of x.tar is not read: its path leads out of the archive.',
    })
    const linked = await tarOf([
      { name: 'a.txt', content: 'dawn' },
      { name: 'link', type: 'symlink' },
      { name: 'b.txt', content: ' night' },
    ])
    await expect(readBytes(linked, 'x.tar')).rejects.toMatchObject({
      message: expect.stringMatching(/^The entry link of x\.tar/),
    })
    const remarks: SourceRemark[] = []
    expect(textOf(await readBytes(linked, 'x.tar', { skipsUnreadable: true, remarks }))).toBe('dawn night')
    expect(remarks).toMatchObject([{ code: 'source-skipped', source: 'x.tar/link' }])
    const cut = (await tarOf([{ name: 'a.txt', content: 'dawn '.repeat(500) }])).subarray(0, 1500)
    await expect(readBytes(cut, 'x.tar')).rejects.toMatchObject({ code: 'document/broken' })
  })
})

describe('bombs', () => {
  it('end by their ratio, their size, their number of entries and their depth', async () => {
    const zeros = gzipSync(Buffer.alloc(17 * 2 ** 20, 'a'))
    await expect(readBytes(zeros, 'bomb.gz')).rejects.toMatchObject({
      code: 'document/over-limit',
      message: 'bomb.gz is not read: the archive unpacks to more than 250 times its size.',
    })
    await expect(
      readBytes(zeros, 'bomb.gz', { limits: { ratio: 5000, unpackedBytes: 2 ** 20 } }),
    ).rejects.toMatchObject({
      message: 'bomb.gz is not read: the archive unpacks to more than 1 MiB.',
    })
    const many = zipOf(Array.from({ length: 20 }, (_, i) => ({ name: `${i}.txt`, content: 'x ' })))
    await expect(readBytes(many, 'many.zip', { limits: { entries: 10 } })).rejects.toMatchObject({
      message: 'many.zip/10.txt is not read: there are more than 10 entries before it.',
    })
    let nested = zipOf([{ name: 'end.txt', content: 'x' }])
    for (let i = 0; i < 6; i++) nested = zipOf([{ name: `${i}.zip`, content: nested }])
    const remarks: SourceRemark[] = []
    const source = 'deep.zip/5.zip/4.zip/3.zip/2.zip/1.zip'
    const message = `${source} is not read: it is inside more than 4 other files.`
    expect(await readBytes(nested, 'deep.zip', { skipsUnreadable: true, remarks })).toMatchObject([
      { text: '', unread: { code: 'source-part-unread', message } },
    ])
    expect(remarks).toEqual([{ code: 'source-skipped', source, message }])
  })

  it('end the archive that they are in, and an entry that is merely too large does not', async () => {
    const read = async (limits: object) => {
      const large = `Subject: Tide\n\n${'x'.repeat(2000)}`
      const entries = [
        ...[
          { name: '0.txt', content: 'dawn\n' },
          { name: '1.eml', content: large },
        ],
        ...[
          { name: '2.txt', content: 'noon\n' },
          { name: '3.txt', content: 'night\n' },
        ],
      ]
      const remarks: SourceRemark[] = []
      const pieces = await readBytes(zipOf(entries), 'a.zip', { skipsUnreadable: true, remarks, limits })
      const unread = pieces.flatMap((piece) => piece.unread?.code ?? [])
      return { text: textOf(pieces).split(/\s+/).join(' ').trim(), remarks, unread }
    }
    const large = await read({ wholeBytes: 1000 })
    expect([large.text, large.unread]).toEqual(['dawn noon night', ['source-part-unread']])
    expect(large.remarks).toMatchObject([{ source: 'a.zip/1.eml' }])
    const bomb = await read({ unpackedBytes: 1000 })
    expect([bomb.text, bomb.unread]).toEqual(['dawn', ['source-part-unread']])
    expect(bomb.remarks).toMatchObject([
      {
        source: 'a.zip',
        message: expect.stringMatching(/1\.eml is not read: .* The rest of a\.zip was not read\.$/),
      },
    ])
  })
})

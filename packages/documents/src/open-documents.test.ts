import { chmodSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { TextDocument, TextPiece } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Loader, SourceRemark } from './loader.ts'
import { openDocuments } from './open-documents.ts'
import { loaders } from './registry.ts'

const folder = temporaryFolder(beforeEach, afterEach)

async function piecesOf(paths: readonly string[]): Promise<TextPiece[]> {
  const pieces: TextPiece[] = []
  for await (const piece of (await openDocuments(paths)).open()) pieces.push(piece)
  return pieces
}

it('joins files with a line break where words would meet, and counts offsets and lines in each', async () => {
  const paths = ['a.txt', 'b.txt'].map((name) => folder.join(name))
  writeFileSync(paths[0]!, 'é 12')
  writeFileSync(paths[1]!, '34\n')
  const [a, b] = paths as [string, string]
  expect(await piecesOf(paths)).toEqual([
    { text: 'é 12', source: a, offsetBytes: 0, lengthBytes: 5, position: { line: 1 } },
    { text: '\n', source: a, offsetBytes: 5, lengthBytes: 0 },
    { text: '34\n', source: b, offsetBytes: 0, lengthBytes: 3, position: { line: 1 } },
  ])
})

it('knows the size of the text beforehand only where it is that of the files', async () => {
  await write({ 'a.txt': `x${'é'.repeat(4096)}`, 'b.csv': 'a,b\n', 'c.html': '<p>x', 'd.txt': '\ufffd' })
  const sizeOf = async (...names: string[]) =>
    (await openDocuments(names.map((name) => folder.join(name)))).sizeBytes
  expect(await sizeOf('a.txt', 'b.csv')).toBe(8197)
  expect(await sizeOf('a.txt', 'c.html')).toBeUndefined()
  expect(await sizeOf('d.txt')).toBeUndefined()
  await write({ 'marked.txt': '\ufeffabc' })
  expect(await sizeOf('marked.txt')).toBe(3)
})

it('is known by its content, not by its paths', async () => {
  const paths = ['a.txt', 'b.txt', 'c.txt'].map((name) => folder.join(name))
  for (const [i, path] of paths.entries()) writeFileSync(path, i === 2 ? 'other' : 'same')
  const [a, b, c] = await Promise.all(paths.map(async (path) => (await openDocuments([path])).fingerprint!()))
  expect(a).toBe(b)
  expect(a).not.toBe(c)
})

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(folder.join(name)), { recursive: true })
    await writeFile(folder.join(name), content)
  }
}

async function namesOf(document: TextDocument): Promise<string[]> {
  const names = new Set<string>()
  for await (const { source } of document.open()) names.add(source.slice(folder.path.length + 1))
  return [...names]
}

describe('folders and globs', () => {
  const files = {
    '.gitignore': '*.log\n/build\n',
    '.secret/a.md': 'x',
    'build/out.md': 'x',
    'chapter-10.md': 'x',
    'chapter-2.md': 'x',
    'notes/.gitignore': '!keep.log\nsub/*.txt\n',
    'notes/a.log': 'x',
    'notes/keep.log': 'x',
    'notes/sub/b.txt': 'x',
    'notes/sub/c.md': 'x',
    'notes/table.csv': 'x',
  }
  beforeEach(() => write(files))

  it('are read in natural order, without what is hidden, ignored or a link', async () => {
    await symlink(folder.join('notes/a.log'), folder.join('notes/link.md'))
    const document = await openDocuments([folder.path])
    expect(document.name).toBe(`${folder.path} (5 files)`)
    expect(await namesOf(document)).toEqual([
      'chapter-2.md',
      'chapter-10.md',
      'notes/keep.log',
      'notes/sub/c.md',
      'notes/table.csv',
    ])
  })

  it('are read but for what .gitignore names in the same letters, as git has it', async () => {
    await write({ 'cased/.gitignore': 'Build/\n*.LOG\n', 'cased/build/a.md': 'x', 'cased/b.log': 'x' })
    await write({ 'cased/d.LOG': 'x' })
    expect(await namesOf(await openDocuments([folder.join('cased')]))).toEqual([
      'cased/b.log',
      'cased/build/a.md',
    ])
  })

  it('take and leave out files by patterns; a file named itself is always read', async () => {
    expect(
      await namesOf(await openDocuments([folder.path], { include: ['*.md', '*.csv'], exclude: ['sub'] })),
    ).toEqual(['chapter-2.md', 'chapter-10.md', 'notes/table.csv'])
    expect(await namesOf(await openDocuments([folder.join('**/*.md')], { exclude: ['build'] }))).toEqual([
      'chapter-2.md',
      'chapter-10.md',
      'notes/sub/c.md',
    ])
    const named = await openDocuments([folder.join('notes/a.log'), folder.join('build')], {
      exclude: ['*.log'],
    })
    expect(await namesOf(named)).toEqual(['notes/a.log', 'build/out.md'])
  })

  it.each([
    ['an empty folder', 'empty', /^There is no file to read in the folder .*empty\.$/],
    ['a glob of nothing', '*.rst', /^No file matches .*\*\.rst\.$/],
    ['a name below a file', 'chapter-2.md/a', /^Cannot read .*: part of its path is a file, not a folder\.$/],
    ['a missing file', 'missing.md', /^Cannot read .*missing\.md: there is no such file\.$/],
  ])('%s is an error', async (_, name, message) => {
    await mkdir(folder.join('empty'))
    await expect(openDocuments([folder.join(name)])).rejects.toThrow(message)
  })

  it('an empty name is an error', async () => {
    await expect(openDocuments([''])).rejects.toThrow('The name of a file is empty.')
  })
})

it('skips what cannot be read, when asked to, and says so', async () => {
  await write({ 'a.txt': 'dawn', 'b.pdf': '%PDF-1.7 \x01', 'c.txt': 'night', 'd.txt': 'x\0\x01' })
  const remarks: SourceRemark[] = []
  const document = await openDocuments([folder.path], {
    skipsUnreadable: true,
    onRemark: (remark) => remarks.push(remark),
  })
  let text = ''
  const unread: string[] = []
  for await (const piece of document.open()) {
    text += piece.text
    if (piece.unread) unread.push(piece.unread.message)
  }
  expect(text).toBe('dawn\nnight')
  expect(unread).toEqual(remarks.map(({ message }) => message))
  expect(remarks.map(({ code, source }) => [code, source.slice(-5)])).toEqual([
    ['source-skipped', 'b.pdf'],
    ['source-skipped', 'd.txt'],
  ])
  expect(await document.fingerprint!()).toMatch(/^content:readable:/)
})

it.runIf(process.platform === 'linux')(
  'passes over files that cannot be opened by their name, and rules that cannot be read, when asked to',
  async () => {
    await write({ 'a.txt': 'dawn', 'b/.gitignore': 'c.txt', 'b/c.txt': 'night' })
    writeFileSync(Buffer.from(`${folder.path}/\xe9.txt`, 'latin1'), 'x')
    chmodSync(folder.join('b/.gitignore'), 0)
    await expect(openDocuments([folder.path])).rejects.toMatchObject({ code: 'document/unreadable' })
    const skipped: string[] = []
    const onRemark = ({ source }: SourceRemark) => skipped.push(source.slice(folder.path.length + 1))
    const document = await openDocuments([folder.path], { skipsUnreadable: true, onRemark })
    expect((await namesOf(document)).filter((name) => name.endsWith('.txt'))).toContain('a.txt')
    // Root may read everything.
    expect(skipped).toEqual(process.getuid?.() === 0 ? ['\ufffd.txt'] : ['b/.gitignore', '\ufffd.txt'])
  },
)

it.runIf(process.platform === 'linux')('says of a file that its name is not UTF-8', async () => {
  writeFileSync(Buffer.from(`${folder.path}/\xe9.txt`, 'latin1'), 'x')
  for (const path of [folder.path, folder.join('\ufffd.txt')]) {
    await expect(openDocuments([path])).rejects.toMatchObject({
      message: expect.stringMatching(/\ufffd\.txt: its name is not UTF-8\.$/),
      hint: 'Rename it.',
    })
  }
})

it('reads kinds of texts that a loader of somebody else claims, whose version is part of the identity', async () => {
  await write({ 'song.lyr': 'la la la', 'plain.txt': 'dawn' })
  const lyrics = (version: number): Loader => ({
    name: 'lyrics',
    version,
    claims: ({ fileName }) => fileName.endsWith('.lyr'),
    async *load(source) {
      for await (const bytes of source.stream()) {
        yield { text: Buffer.from(bytes).toString().replaceAll('la', 'LA'), position: { headings: ['Song'] } }
      }
    },
  })
  const paths = ['song.lyr', 'plain.txt'].map((name) => folder.join(name))
  const [first, second] = await Promise.all(
    [1, 2].map((version) => openDocuments(paths, { loaders: [lyrics(version), ...loaders] })),
  )
  const pieces: TextPiece[] = []
  for await (const piece of first!.open()) pieces.push(piece)
  expect(pieces.map(({ text }) => text).join('')).toBe('LA LA LA\ndawn')
  expect(pieces[0]).toMatchObject({ position: { headings: ['Song'] } })
  expect(await first!.fingerprint!()).not.toBe(await second!.fingerprint!())
})

it('reads hundreds of small files, one open at a time', async () => {
  await write(Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`many/${i}.txt`, `number ${i}\n`])))
  const opened = new Set<number>()
  let numbers = 0
  for await (const { text } of (await openDocuments([folder.join('many')])).open()) {
    expect(text).toBe(`number ${numbers++}\n`)
    if (numbers % 150 === 0) opened.add((await readdir('/proc/self/fd').catch(() => [])).length)
  }
  expect(numbers).toBe(600)
  expect(Math.max(...opened) - Math.min(...opened)).toBeLessThan(50)
})

it('reads files longer than what is read at once, of every kind that streams', async () => {
  // Three-byte characters, so that some are split between reads.
  const long = Array.from({ length: 4000 }, (_, i) => `第${i}天: the tide came in, 潮起潮落.`)
  const letter = (number: number) =>
    `From a@example.org Mon Jan  5 10:00:00 2026\nFrom: a@example.org\nSubject: ${number}\n\n${long.join('\n')}\n\n`
  const content = `${long.join('\n')}\n`
  await write({ 'a.txt': content, 'b.csv': content, 'c.md': content, 'd.mbox': letter(1) + letter(2) })
  writeFileSync(folder.join('e.txt.gz'), gzipSync(content, { level: 0 }))
  writeFileSync(folder.join('f.txt'), Buffer.from(`\ufeff${content}`, 'utf16le'))
  const texts = new Map<string, string>()
  for (const { source, text } of await piecesOf([folder.path])) {
    texts.set(source, (texts.get(source) ?? '') + text)
  }
  const read = [...texts].map(([source, text]) => [
    source.slice(folder.path.length + 1),
    text.split(long.join('\n')).length - 1,
  ])
  expect(read).toEqual([
    ['a.txt', 1],
    ['b.csv', 1],
    ['c.md', 1],
    ['d.mbox', 2],
    ['e.txt.gz', 1],
    ['f.txt', 1],
  ])
})

it('reads standard input once, as it comes', async () => {
  let wanted = 0
  async function* input() {
    for (const line of ['The tide\n', 'came in\n']) {
      wanted++
      yield Buffer.from(line)
    }
  }
  const document = await openDocuments(['-'], { standardInput: input() })
  expect(document).toMatchObject({ name: 'standard input', isReopenable: false })
  for await (const { text, position } of document.open()) {
    expect([text, position, wanted]).toEqual(['The tide\n', { line: 1 }, 1])
    break
  }
  expect(() => document.open()).toThrow(/only once/)
})

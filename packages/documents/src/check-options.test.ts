import { writeFile } from 'node:fs/promises'
import type { TextDocument } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFiles } from './find-files.ts'
import { loadLoaders } from './load-loaders.ts'
import type { Loader } from './loader.ts'
import { openBytes } from './open-bytes.ts'
import { openDocuments } from './open-documents.ts'
import { loaders } from './registry.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const bytes = new TextEncoder().encode('dawn\n')

async function textOf(document: TextDocument) {
  let all = ''
  for await (const { text } of document.open()) all += text
  return all
}
/** As JavaScript gives it, where no compiler looks. */
const given = (value: unknown) => value as never

describe('what is no list of paths', () => {
  it.each([
    ['a path', 'a.txt', 'paths is no list of paths'],
    ['nothing', undefined, 'paths is no list of paths'],
    ['a number', ['a.txt', 3], 'paths[1] is no path'],
    ['an address', [new URL('file:///a.txt')], 'paths[0] is no path'],
    ['a file without its name', [{ path: 'a.txt' }], 'paths[0] is no path'],
  ])('%s', async (_, paths, message) => {
    const error = { code: 'document/bad-option', message: `The option ${message}.` }
    await expect(openDocuments(given(paths))).rejects.toMatchObject(error)
    await expect(findFiles(given(paths))).rejects.toMatchObject(error)
  })

  it('for loaders', async () => {
    await expect(loadLoaders(given('./mine.ts'))).rejects.toMatchObject({ code: 'document/bad-option' })
  })
})

const mine = (over: object = {}): Loader => ({
  ...{ name: 'mine', version: 1, claims: () => true },
  async *load() {
    yield { text: 'said' }
  },
  ...over,
})

it.each<[object, string | RegExp]>([
  [{ signal: new AbortController() }, 'signal is no AbortSignal'],
  [{ onRemark: console }, 'onRemark is no function'],
  [{ include: '*.md' }, 'include is no list of patterns'],
  [{ exclude: [/md/] }, 'exclude is no list of patterns'],
  [{ standardInput: 'text' }, 'standardInput is no stream'],
  [{ limits: { entry: 9 } }, 'limits.entry is not known'],
  [{ loaders: mine() }, 'loaders is no list'],
  [{ loaders: ['./mine.ts', ...loaders] }, /^The option loaders\[0\] is no loader:\n {2}an object is wanted/],
  [{ loaders: [mine({ load: 1 }), ...loaders] }, /loaders\[0\] is no loader:\n {2}load: a function/],
  [{ loaders: [mine({ name: 'pdf' }), ...loaders] }, /another loader named pdf/],
])('refuses %j', async (options, message) => {
  const error = {
    code: 'document/bad-option',
    message: typeof message === 'string' ? `The option ${message}.` : expect.stringMatching(message),
  }
  await writeFile(folder.join('a.txt'), 'dawn\n')
  await expect(openDocuments([folder.join('a.txt')], given(options))).rejects.toMatchObject(error)
  expect(() => openBytes(bytes, 'a.txt', given(options))).toThrow(expect.objectContaining(error))
})

it.each([
  ['a text', 'dawn', 'bytes is no Uint8Array'],
  ['an ArrayBuffer', bytes.buffer, 'bytes is no Uint8Array'],
])('refuses %s in place of bytes, and names the remedy', (_, wrong, message) => {
  expect(() => openBytes(given(wrong), 'a.txt')).toThrow(
    expect.objectContaining({
      message: `The option ${message}.`,
      hint: expect.stringContaining('new Uint8Array'),
    }),
  )
  expect(() => openBytes(bytes, given(undefined))).toThrow('The option name is no text.')
})

it.each<[string, unknown]>([
  ['depth', Number.NaN],
  ['entries', '9'],
])('refuses a limit %s of %o', (name, value) => {
  expect(() => openBytes(bytes, 'a.txt', { limits: { [name]: value } })).toThrow(
    `The limit ${name} is ${value}: it takes a number of at least 0.`,
  )
})

it('keeps the limit whose value is undefined', async () => {
  const limits: object = { wholeBytes: undefined, depth: undefined }
  expect(await textOf(openBytes(bytes, 'a.txt', { limits }))).toBe('dawn\n')
  const pdf = new TextEncoder().encode('%PDF-1.7\n')
  await expect(
    textOf(openBytes(pdf, 'a.pdf', { limits: { ...limits, wholeBytes: 4 } })),
  ).rejects.toMatchObject({
    code: 'document/over-limit',
  })
})

const failing = (thrown: unknown) => () => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(thrown) }),
})

describe("a program's own loader", () => {
  it.each<[string, () => AsyncIterable<unknown>, string]>([
    ['throws no error', failing({ status: 503 }), '{"status":503}'],
    ['throws undefined', failing(undefined), 'undefined'],
    [
      'yields a text alone',
      async function* () {
        yield 'said'
      },
      'it gave something without a text',
    ],
    ['gives nothing', given(() => undefined), expect.stringContaining('undefined')],
    [
      'tells a position in words',
      async function* () {
        yield { text: 'x', position: 'page 3' }
      },
      'it gave a position that is none',
    ],
    [
      'counts with texts',
      async function* () {
        yield { text: 'x', position: { page: '3' } }
      },
      'it gave a position that is none',
    ],
    [
      'yields an entry without bytes',
      async function* () {
        yield { entry: {} }
      },
      'it gave an entry that is no source',
    ],
  ])('that %s is named with the file', async (_, load, reason) => {
    const document = openBytes(bytes, 'a.txt', { loaders: [mine({ load }), ...loaders] })
    await expect(textOf(document)).rejects.toMatchObject({
      code: 'document/loader-failed',
      message:
        typeof reason === 'string'
          ? `a.txt cannot be read, since the loader mine failed: ${reason}.`
          : expect.stringContaining('the loader mine failed'),
    })
  })

  it('that fails is skipped where unreadable files are', async () => {
    const remarks: string[] = []
    await writeFile(folder.join('b.txt'), 'dusk\n')
    await writeFile(folder.join('bad.srt'), '1\n')
    const load = failing(new Error('no frame'))
    const document = await openDocuments([folder.join('bad.srt'), folder.join('b.txt')], {
      loaders: [
        mine({ load, claims: ({ fileName }: { fileName: string }) => fileName.endsWith('.srt') }),
        ...loaders,
      ],
      skipsUnreadable: true,
      onRemark: ({ code }) => remarks.push(code),
    })
    expect(await textOf(document)).toBe('dusk\n')
    expect(remarks).toEqual(['source-skipped'])
  })

  it('alone leaves texts that it does not claim to nobody', async () => {
    const document = openBytes(bytes, 'a.txt', { loaders: [mine({ claims: () => false })] })
    await expect(textOf(document)).rejects.toMatchObject({
      code: 'document/unclaimed',
      hint: 'Add those of @memagent/documents: loaders: [mine, ...loaders].',
    })
  })
})

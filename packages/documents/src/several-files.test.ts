/** Several files, and standard input among them, as one document. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chunkDocument, createEstimateTokenizer, verifySources } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SourceRemark } from './loader.ts'
import { openDocuments } from './open-documents.ts'
import { zipOf } from './testing/zip-of.ts'

const folder = temporaryFolder(beforeAll, afterAll)

async function file(name: string, content: string): Promise<string> {
  await mkdir(dirname(folder.join(name)), { recursive: true })
  await writeFile(folder.join(name), content)
  return folder.join(name)
}

async function* stream(...pieces: (string | Uint8Array)[]) {
  yield* pieces
}

async function textOf(paths: readonly string[]): Promise<string> {
  let text = ''
  for await (const piece of (await openDocuments(paths)).open()) text += piece.text
  return text
}

describe('several files', () => {
  it('follow each other, and chunks have byte ranges in each', async () => {
    const contents = ['über den Berg. ', '', 'and then 😀 over the sea.\r\n\r\n', 'the end']
    const paths = await Promise.all(contents.map((content, i) => file(`part-${i}.txt`, content)))
    expect(await textOf(paths)).toBe(contents.join(''))
    for (const mode of ['natural', 'exact'] as const) {
      const options = { maxTokens: 9, mode, tokenizer: createEstimateTokenizer() }
      const next = new Map(paths.map((path) => [path, 0]))
      let joined = ''
      let touchesTwo = false
      for await (const chunk of chunkDocument(await openDocuments(paths), options)) {
        joined += chunk.text
        touchesTwo ||= chunk.ranges.length > 1
        let ofChunk = ''
        for (const { source, startByte, endByte } of chunk.ranges) {
          expect(startByte).toBe(next.get(source))
          next.set(source, endByte)
          ofChunk += Buffer.from(contents[paths.indexOf(source)]!).subarray(startByte, endByte)
        }
        expect(ofChunk).toBe(chunk.text)
      }
      expect(joined).toBe(contents.join(''))
      expect(touchesTwo).toBe(true)
      expect([...next.values()]).toEqual(contents.map((content) => Buffer.byteLength(content)))
    }
  })

  it('end words: no number continues in the next file, and byte ranges are still those of the files', async () => {
    const contents = ['The code is 482', '13 sheep', ' and\u3000', 'more', '', '末']
    const paths = await Promise.all(contents.map((content, i) => file(`word-${i}.txt`, content)))
    expect(await textOf(paths)).toBe('The code is 482\n13 sheep and\u3000more\n末')
    for (const maxTokens of [1, 2, 50]) {
      const options = { maxTokens, tokenizer: createEstimateTokenizer() }
      const read = new Map(paths.map((path) => [path, 0]))
      for await (const { text, ranges } of chunkDocument(await openDocuments(paths), options)) {
        let ofChunk = ''
        for (const { source, startByte, endByte } of ranges) {
          expect(startByte).toBe(read.get(source))
          read.set(source, endByte)
          ofChunk += Buffer.from(contents[paths.indexOf(source)]!).subarray(startByte, endByte)
        }
        expect(ofChunk).toBe(text.replaceAll('\n', ''))
      }
      expect([...read.values()]).toEqual(contents.map((content) => Buffer.byteLength(content)))
    }
  })

  it('of one name are texts of their own, and what is quoted from each stands', async () => {
    const path = folder.join('logs.zip')
    await writeFile(
      path,
      zipOf([
        { name: 'log.txt', content: 'The gate is open' },
        { name: 'log.txt', content: 'The code is 4711' },
      ]),
    )
    const document = await openDocuments([path, path])
    const sources = new Map<string, string>()
    for await (const { source, text } of document.open()) {
      sources.set(source, (sources.get(source) ?? '') + text)
    }
    expect([...sources].map(([source, text]) => [source.slice(path.length), text])).toEqual([
      ['/log.txt', 'The gate is open\n'],
      ['/log.txt (2)', 'The code is 4711\n'],
      ['/log.txt (3)', 'The gate is open\n'],
      ['/log.txt (4)', 'The code is 4711'],
    ])
    const statements = [...sources].map(([file, text]) => ({
      text,
      verdict: 'found' as const,
      sources: [{ quote: text.trim(), file, startByte: 0, endByte: 16, step: 0 }],
    }))
    for (const { stands } of await verifySources(document, statements)) expect(stands).toBe(true)
  })

  it('must be at least one', async () => {
    await expect(openDocuments([])).rejects.toMatchObject({ code: 'document/no-files' })
  })

  it('have a piece each, though it be empty: an empty file among others is reported', async () => {
    const paths = [await file('empty.txt', ''), await file('full.txt', 'dawn')]
    const sources: string[] = []
    for await (const { source } of (await openDocuments(paths)).open()) sources.push(source)
    expect(sources).toEqual(paths)
  })

  it('are known by their contents, in their order and each by itself', async () => {
    const printOf = async (...contents: string[]) => {
      const paths = await Promise.all(contents.map((content, i) => file(`print-${i}.txt`, content)))
      return (await openDocuments(paths)).fingerprint!()
    }
    const prints = [
      await printOf('one'),
      await printOf('on', 'e'),
      await printOf('e', 'on'),
      await printOf('o', 'ne'),
    ]
    expect(new Set(prints).size).toBe(4)
  })
})

it('a file to which several paths lead is read once where that is wanted, with a remark for each path', async () => {
  const [one, two] = [await file('once/1.txt', 'One. '), await file('once/2.txt', 'Two. ')]
  const remarks: SourceRemark[] = []
  const onRemark = (remark: SourceRemark) => remarks.push(remark)
  const [around, all, link] = [
    `${folder.path}/once/../once/1.txt`,
    folder.join('once'),
    folder.join('once-link'),
  ]
  await symlink(all, link, 'junction')
  const paths = [two, around, all, one, join(link, '2.txt')]
  const document = await openDocuments(paths, { skipsRepeated: true, onRemark })
  let text = ''
  for await (const piece of document.open()) text += piece.text
  expect(text).toBe('Two. One. ')
  const message = (which: string) => `${which} given more than once, and read once.`
  expect(remarks).toEqual([
    { code: 'source-repeated', source: all, message: message(`2 files of ${all} are`) },
    { code: 'source-repeated', source: one, message: message(`${one} is`) },
    { code: 'source-repeated', source: join(link, '2.txt'), message: message(`${join(link, '2.txt')} is`) },
  ])
  const same = await openDocuments([two, one])
  expect(await document.fingerprint?.()).toBe(await same.fingerprint?.())
})

describe('standard input among files', () => {
  it('is read in its place, once', async () => {
    const one = await file('one.txt', 'One.')
    const standardInput = stream(Buffer.from('Two'), '.')
    const document = await openDocuments([one, '-', one], { standardInput })
    expect(document).toMatchObject({ name: '3 sources', isReopenable: false })
    const texts = new Map<string, string>()
    let text = ''
    for await (const piece of document.open()) {
      texts.set(piece.source, (texts.get(piece.source) ?? '') + piece.text)
      text += piece.text
    }
    expect(text).toBe('One.\nTwo.\nOne.')
    expect([...texts]).toEqual([
      [one, 'One.\n'],
      ['standard input', 'Two.\n'],
      [`${one} (2)`, 'One.'],
    ])
    expect(() => document.open()).toThrow('only once')
    const twice = openDocuments(['-', one, '-'], { standardInput: stream() })
    await expect(twice).rejects.toMatchObject({ code: 'document/input-twice' })
  })

  it('is an ordinary file name when there is no standard input', async () => {
    await expect(openDocuments(['-'])).rejects.toMatchObject({ code: 'document/unreadable' })
  })
})

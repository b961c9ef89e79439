import { execFileSync } from 'node:child_process'
import { rm, symlink, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunkDocument } from '../chunking/chunk-document.ts'
import { DocumentError } from '../errors.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { createFileDocument, createStandardInputDocument } from './file-document.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const folder = temporaryFolder(beforeAll, afterAll)

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = folder.join(name)
  await writeFile(path, content)
  return path
}

const textOf = async (paths: readonly string[]) => {
  const pieces = await collect((await createFileDocument(paths)).open())
  return pieces.map(({ text }) => text).join('')
}

describe('files', () => {
  it('follow each other, and chunks have byte ranges in each', async () => {
    const contents = ['\uFEFFüber den Berg. ', '', 'and then 😀 over the sea.\r\n\r\n', 'the end']
    const paths = await Promise.all(contents.map((content, i) => file(`part-${i}.txt`, content)))
    const text = contents.join('').slice(1)
    expect(await textOf(paths)).toBe(text)
    for (const mode of ['natural', 'exact'] as const) {
      const document = await createFileDocument(paths)
      const options = { maxTokens: 9, mode, tokenizer: createEstimateTokenizer() }
      const next = new Map(paths.map((path, i) => [path, i === 0 ? 3 : 0]))
      let joined = ''
      let touchesTwo = false
      for await (const chunk of chunkDocument(document, options)) {
        joined += chunk.text
        touchesTwo ||= chunk.ranges.length > 1
        let ofChunk = ''
        for (const { source, startByte, endByte } of chunk.ranges) {
          expect(startByte).toBe(next.get(source))
          next.set(source, endByte)
          const bytes = new TextEncoder().encode(contents[paths.indexOf(source)])
          ofChunk += new TextDecoder().decode(bytes.subarray(startByte, endByte))
        }
        expect(ofChunk).toBe(chunk.text)
      }
      expect(joined).toBe(text)
      expect(touchesTwo).toBe(true)
      expect([...next.values()]).toEqual(contents.map((content) => new TextEncoder().encode(content).length))
    }
  })

  it('end words: no number continues in the next file, and byte ranges are still those of the files', async () => {
    const contents = ['The code is 482', '13 sheep', ' and\u3000', 'more', '', '末']
    const paths = await Promise.all(contents.map((content, i) => file(`word-${i}.txt`, content)))
    expect(await textOf(paths)).toBe('The code is 482\n13 sheep and\u3000more\n末')
    for (const maxTokens of [1, 2, 50]) {
      const options = { maxTokens, tokenizer: createEstimateTokenizer() }
      const read = new Map(paths.map((path) => [path, 0]))
      for await (const { text, ranges } of chunkDocument(await createFileDocument(paths), options)) {
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

  it('larger than one read keep characters that the reads split', async () => {
    const text = `a${'😀'.repeat(150_000)}`
    expect(await textOf([await file('large.txt', text)])).toBe(text)
  })

  it('in UTF-16 are read with the byte ranges of the file', async () => {
    const text = 'über 😀 den Berg und dann weiter bis ans Meer'
    const path = await file('utf-16.txt', Buffer.from(`\uFEFF${text}`, 'utf16le'))
    const document = await createFileDocument([path])
    const options = { maxTokens: 4, tokenizer: createEstimateTokenizer() }
    const chunks = await collect(chunkDocument(document, options))
    expect(chunks.length).toBeGreaterThan(2)
    const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
    for (const { text, ranges } of chunks) {
      expect(bytes.subarray(ranges[0]!.startByte, ranges[0]!.endByte).toString('utf16le')).toBe(text)
    }
  })

  it('must be at least one', async () => {
    await expect(createFileDocument([])).rejects.toMatchObject({ code: 'document/no-files' })
  })

  it('are named in errors: missing, a folder, deleted, not text', async () => {
    const missing = folder.join('missing.txt')
    await expect(createFileDocument([missing])).rejects.toThrow(
      `Cannot read ${missing}: there is no such file.`,
    )
    const error = await createFileDocument([folder.path]).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DocumentError)
    expect(error).toMatchObject({ code: 'document/is-a-folder', details: { path: folder.path } })

    const path = await file('short-lived.txt', 'here')
    const document = await createFileDocument([path])
    await rm(path)
    await expect(collect(document.open())).rejects.toMatchObject({
      code: 'document/unreadable',
      details: { path },
    })
    await expect(document.fingerprint!()).rejects.toMatchObject({ code: 'document/unreadable' })

    const binary = await file('binary.dat', new Uint8Array([0x61, 0x00, 0x62]))
    await expect(textOf([binary])).rejects.toMatchObject({
      code: 'document/binary',
      details: { source: binary, offset: 1 },
    })
  })

  it('have a fingerprint of their content, whatever their names', async () => {
    const path = await file('print.txt', 'one')
    const printOf = async (...paths: string[]) => (await createFileDocument(paths)).fingerprint!()
    const first = await printOf(path)
    expect(await printOf(path)).toBe(first)
    const link = folder.join('link.txt')
    await symlink(path, link)
    for (const same of [
      relative('.', path),
      `./${relative('.', path)}`,
      link,
      await file('copy.txt', 'one'),
    ]) {
      expect(await printOf(same)).toBe(first)
    }
    const [a, b] = [await file('a.txt', 'on'), await file('b.txt', 'e')]
    expect(await printOf(a, b)).not.toBe(first)
    expect(await printOf(a, b)).not.toBe(await printOf(b, a))
    expect(await printOf(a, b)).not.toBe(await printOf(await file('c.txt', 'o'), await file('d.txt', 'ne')))
    await file('print.txt', 'two')
    expect(await printOf(path)).not.toBe(first)
  })

  it.runIf(process.platform !== 'win32')(
    'that are pipes give their text once, and no fingerprint',
    async () => {
      const path = folder.join('pipe')
      execFileSync('mkfifo', [path])
      const document = await createFileDocument([path])
      expect(document).toMatchObject({ isReopenable: false })
      expect(document.sizeBytes).toBeUndefined()
      expect(document.fingerprint).toBeUndefined()
      const [pieces] = await Promise.all([collect(document.open()), writeFile(path, 'from a pipe')])
      expect(pieces.map(({ text }) => text).join('')).toBe('from a pipe')
      expect(() => document.open()).toThrow('only once')
    },
  )

  it.runIf(process.platform === 'linux')('that are pipes without a writer stop on abort', async () => {
    const path = folder.join('waiting')
    execFileSync('mkfifo', [path])
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 50)
    const document = await createFileDocument([path])
    await expect(collect(document.open(controller.signal))).rejects.toBe(reason)
  })

  it('stop being fingerprinted on abort', async () => {
    const document = await createFileDocument([await file('stop-print.txt', 'x'.repeat(2_000_000))])
    const reason = new Error('enough')
    const controller = new AbortController()
    const printing = document.fingerprint!(controller.signal)
    controller.abort(reason)
    await expect(printing).rejects.toBe(reason)
  })

  it('stop on abort', async () => {
    const path = await file('stop.txt', 'x'.repeat(2_000_000))
    const reason = new Error('enough')
    const controller = new AbortController()
    const reading = async () => {
      for await (const _ of (await createFileDocument([path])).open(controller.signal))
        controller.abort(reason)
    }
    await expect(reading()).rejects.toBe(reason)
  })
})

it('standard input is read once, under its name', async () => {
  const input = (async function* () {
    yield Buffer.from('some ')
    yield 'text'
  })()
  const document = createStandardInputDocument(input)
  expect(document.name).toBe('standard input')
  const pieces = await collect(document.open())
  expect(pieces.map(({ text }) => text).join('')).toBe('some text')
})

import { execFileSync } from 'node:child_process'
import { rm, symlink, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunkDocument } from '../chunking/chunk-document.ts'
import { DocumentError } from '../errors.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { createFileDocument } from './file-document.ts'

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

const textOf = async (path: string) => {
  const pieces = await collect((await createFileDocument(path)).open())
  return pieces.map(({ text }) => text).join('')
}

describe('a file', () => {
  it('has chunks with its byte ranges', async () => {
    const content = '\uFEFFüber den Berg. and then 😀 over the sea.\r\n\r\nthe end'
    const path = await file('chunks.txt', content)
    for (const mode of ['natural', 'exact'] as const) {
      const options = { maxTokens: 9, mode, tokenizer: createEstimateTokenizer() }
      let next = 3
      let joined = ''
      for await (const { text, ranges } of chunkDocument(await createFileDocument(path), options)) {
        expect(ranges).toMatchObject([{ source: path, startByte: next }])
        next = ranges[0]!.endByte
        expect(Buffer.from(content).subarray(ranges[0]!.startByte, next).toString()).toBe(text)
        joined += text
      }
      expect([joined, next]).toEqual([content.slice(1), Buffer.byteLength(content)])
    }
  })

  it('has the size of its pieces: a byte order mark is in none', async () => {
    const texts = ['', '\uFEFF', 'ab', '\uFEFFüber']
    const contents = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')])
    for (const content of contents) {
      const document = await createFileDocument(await file('size.txt', content), { invalidBytes: 'replace' })
      const pieces = await collect(document.open())
      expect(document.sizeBytes).toBe(pieces.reduce((sum, { lengthBytes }) => sum + lengthBytes, 0))
    }
  })

  it('larger than one read keeps characters that the reads split', async () => {
    const text = `a${'😀'.repeat(150_000)}`
    expect(await textOf(await file('large.txt', text))).toBe(text)
  })

  it('in UTF-16 is read with its byte ranges', async () => {
    const text = 'über 😀 den Berg und dann weiter bis ans Meer'
    const path = await file('utf-16.txt', Buffer.from(`\uFEFF${text}`, 'utf16le'))
    const document = await createFileDocument(path)
    const options = { maxTokens: 4, tokenizer: createEstimateTokenizer() }
    const chunks = await collect(chunkDocument(document, options))
    expect(chunks.length).toBeGreaterThan(2)
    const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
    for (const { text, ranges } of chunks) {
      expect(bytes.subarray(ranges[0]!.startByte, ranges[0]!.endByte).toString('utf16le')).toBe(text)
    }
  })

  it('is named in errors: missing, a circle of links, a folder, deleted, not text', async () => {
    const missing = folder.join('missing.txt')
    await expect(createFileDocument(missing)).rejects.toThrow(
      `Cannot read ${missing}: there is no such file.`,
    )
    await symlink('circle', folder.join('circle'))
    await expect(createFileDocument(folder.join('circle'))).rejects.toThrow('lead in a circle')
    const error = await createFileDocument(folder.path).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DocumentError)
    expect(error).toMatchObject({ code: 'document/is-a-folder', details: { path: folder.path } })

    const path = await file('short-lived.txt', 'here')
    const document = await createFileDocument(path)
    await rm(path)
    await expect(collect(document.open())).rejects.toMatchObject({
      code: 'document/unreadable',
      details: { path },
    })
    await expect(document.fingerprint!()).rejects.toMatchObject({ code: 'document/unreadable' })

    const binary = await file('binary.dat', new Uint8Array([0x61, 0x00, 0x62]))
    await expect(textOf(binary)).rejects.toMatchObject({
      code: 'document/binary',
      details: { source: binary, offset: 1 },
    })
  })

  it('has a fingerprint of its content, whatever its name', async () => {
    const path = await file('print.txt', 'one')
    const printOf = async (path: string) => (await createFileDocument(path)).fingerprint!()
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
    await file('print.txt', 'two')
    expect(await printOf(path)).not.toBe(first)
  })

  it.runIf(process.platform !== 'win32')(
    'that is a pipe gives its text once, and no fingerprint',
    async () => {
      const path = folder.join('pipe')
      execFileSync('mkfifo', [path])
      const document = await createFileDocument(path)
      expect(document).toMatchObject({ isReopenable: false })
      expect(document.sizeBytes).toBeUndefined()
      expect(document.fingerprint).toBeUndefined()
      const [pieces] = await Promise.all([collect(document.open()), writeFile(path, 'from a pipe')])
      expect(pieces.map(({ text }) => text).join('')).toBe('from a pipe')
      expect(() => document.open()).toThrow('only once')
    },
  )

  it.runIf(process.platform === 'linux')('that is a pipe without a writer stops on abort', async () => {
    const path = folder.join('waiting')
    execFileSync('mkfifo', [path])
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 50)
    const document = await createFileDocument(path)
    await expect(collect(document.open(controller.signal))).rejects.toBe(reason)
  })

  it('stops being fingerprinted on abort', async () => {
    const document = await createFileDocument(await file('stop-print.txt', 'x'.repeat(2_000_000)))
    const reason = new Error('enough')
    const controller = new AbortController()
    const printing = document.fingerprint!(controller.signal)
    controller.abort(reason)
    await expect(printing).rejects.toBe(reason)
  })

  it('stops on abort', async () => {
    const path = await file('stop.txt', 'x'.repeat(2_000_000))
    const reason = new Error('enough')
    const controller = new AbortController()
    const reading = async () => {
      for await (const _ of (await createFileDocument(path)).open(controller.signal)) controller.abort(reason)
    }
    await expect(reading()).rejects.toBe(reason)
  })
})

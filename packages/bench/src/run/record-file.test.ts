import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeRecord } from '../testing/made-records.ts'
import { openRecordFile } from './record-file.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let path: string
beforeEach(() => {
  path = folder.join('record.jsonl')
})

const lineOf = (index: number, answer = 'Anna Lind — 🙂') =>
  `${JSON.stringify(makeRecord({ index, answer }))}\n`
const keysOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).key)

/** Opens the record, adds one line, and returns what the file then contains. */
async function goOn(index: number): Promise<{ recorded: number; text: string }> {
  const file = await openRecordFile(path)
  const recorded = file.recorded.size
  await file.append(makeRecord({ index }))
  await file.close()
  return { recorded, text: await readFile(path, 'utf8') }
}

describe('a record', () => {
  it('starts in a new folder, and can be resumed', async () => {
    path = folder.join('a', 'b', 'record.jsonl')
    expect((await goOn(0)).recorded).toBe(0)
    const { recorded, text } = await goOn(1)
    expect(recorded).toBe(1)
    expect(keysOf(text)).toEqual([makeRecord({ index: 0 }).key, makeRecord({ index: 1 }).key])
    expect(await readdir(folder.join('a', 'b'))).toEqual(['record.jsonl'])
  })

  it('drops a last line that was cut short, wherever the cut fell, and nothing else', async () => {
    const [whole, cut] = [Buffer.from(lineOf(0)), Buffer.from(lineOf(1))]
    for (let length = 0; length <= cut.length; length += length < 20 ? 1 : 37) {
      await writeFile(path, Buffer.concat([whole, cut.subarray(0, length)]))
      const { recorded, text } = await goOn(2)
      expect(recorded, `cut after ${length} bytes`).toBe(1)
      expect(keysOf(text)).toEqual([makeRecord({ index: 0 }).key, makeRecord({ index: 2 }).key])
    }
  })

  it('drops the zero bytes that a loss of power leaves behind, with the line that they end', async () => {
    const zeros = '\0'.repeat(5000)
    for (const [rest, kept] of [
      ['', 1],
      [lineOf(1).slice(0, 90), 1],
      ['{"ver', 1],
      [lineOf(1).trimEnd(), 2],
    ] as const) {
      await writeFile(path, lineOf(0) + rest + zeros)
      const { recorded, text } = await goOn(2)
      expect(recorded, rest.slice(0, 20)).toBe(kept)
      expect(keysOf(text)).toHaveLength(kept + 1)
      expect(text).not.toContain('\0')
    }
  })

  it('keeps a last line of which only its end is missing', async () => {
    await writeFile(path, lineOf(0) + lineOf(1).trimEnd())
    const { recorded, text } = await goOn(2)
    expect(recorded).toBe(2)
    expect(keysOf(text)).toHaveLength(3)
  })

  it('finds the last line of a file whose lines are long', async () => {
    await writeFile(path, lineOf(0, 'x'.repeat(200_000)) + lineOf(1, 'y'.repeat(300_000)).slice(0, 250_000))
    expect(keysOf((await goOn(2)).text)).toHaveLength(2)
  })

  it('uses the last line of a key', async () => {
    await writeFile(path, lineOf(0, 'first') + lineOf(0, 'second'))
    const file = await openRecordFile(path)
    expect([...file.recorded.values()].map(({ answer }) => answer)).toEqual(['second'])
    await file.close()
  })

  it('takes no line that could not be read again, and goes on after one', async () => {
    const file = await openRecordFile(path)
    const metrics = { exact: true } as unknown as Record<string, number>
    await expect(file.append(makeRecord({ index: 0, metrics }))).rejects.toMatchObject({
      code: 'bench/bad-record',
      message: expect.stringMatching(/^The answer to facts\/8000\/0\/overwrite\/nano .*"metrics\.exact": /),
    })
    await file.close()
    expect((await goOn(1)).recorded).toBe(0)
  })

  it('is written by one at a time', async () => {
    const file = await openRecordFile(path)
    await expect(openRecordFile(path)).rejects.toMatchObject({ code: 'file/locked' })
    await file.close()
    await (await openRecordFile(path)).close()
  })

  it('writes concurrent lines one after another', async () => {
    const file = await openRecordFile(path)
    await Promise.all(Array.from({ length: 50 }, (_, index) => file.append(makeRecord({ index }))))
    await file.close()
    expect(keysOf(await readFile(path, 'utf8'))).toEqual(
      Array.from({ length: 50 }, (_, index) => makeRecord({ index }).key),
    )
  })
})

it.each([
  ['prose', 'Notes of mine.\nThe last line has no end'],
  ['other JSON lines', '{"a": 1}\n{"b"'],
  ['a JSON file', '{\n  "name": "mine"\n}'],
  ['one object', '{"name": "mine'],
])('leaves %s alone', async (_, text) => {
  await writeFile(path, text)
  await expect(openRecordFile(path)).rejects.toMatchObject({ code: 'bench/bad-record' })
  expect(await readFile(path, 'utf8')).toBe(text)
  expect(await readdir(folder.path)).toEqual(['record.jsonl'])
})

it('names a folder that is not writable', async () => {
  await appendFile(folder.join('file'), '')
  await expect(openRecordFile(folder.join('file', 'record.jsonl'))).rejects.toMatchObject({
    code: 'bench/unwritable',
    message: expect.stringContaining('file'),
  })
})

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TaskError } from '@memagent/core'
import { checkSettings } from '@memagent/core/settings'
import { temporaryFolder } from '@memagent/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRows } from './open-rows.ts'
import type { Row, RowFile } from './row-file.ts'
import { type RowFilter, rowFilter, selectRows } from './row-filter.ts'

const fixtures = join(import.meta.dirname, '../published/__fixtures__')
const folder = temporaryFolder(beforeAll, afterAll)

let written = 0
async function fileOf(content: string | Uint8Array): Promise<string> {
  written += 1
  const path = folder.join(`rows-${written}`)
  await writeFile(path, content)
  return path
}
const read = async (...paths: string[]): Promise<RowFile> => openRows(paths)
async function allRows(file: RowFile): Promise<Row[]> {
  const rows: Row[] = []
  for (let row = 0; row < file.count; row += 1) {
    rows.push(await file.read(row))
  }
  return rows
}

describe('rows', () => {
  // Written by pyarrow: nested columns, 64-bit integers, nulls, several row groups and pages, three codecs.
  it.each(['narrativeqa', 'mrcr', 'babilong-qa1'])(
    'of %s are the same in Parquet and JSONL',
    async (name) => {
      const [parquet, jsonl] = [
        await read(join(fixtures, `${name}.parquet`)),
        await read(join(fixtures, `${name}.jsonl`)),
      ]
      const lines = (await readFile(join(fixtures, `${name}.jsonl`), 'utf8')).trim().split('\n')
      const wanted = lines.map((line) => JSON.parse(line))
      expect(wanted.length).toBeGreaterThan(3)
      expect(await allRows(parquet)).toEqual(wanted)
      expect(await allRows(jsonl)).toEqual(wanted)
      // In any order, as samples draw their rows.
      expect(await parquet.read(wanted.length - 1)).toEqual(wanted.at(-1))
      expect(await parquet.read(1)).toEqual(wanted[1])
    },
  )

  it.each(['{"a": "é"}\n{"a": "b"}', '[{"a": "é"}, {"a": "b"}]'])(
    'begin behind a byte order mark: %s',
    async (content) => {
      expect(await allRows(await read(await fileOf(`\uFEFF${content}`)))).toEqual([{ a: 'é' }, { a: 'b' }])
    },
  )

  it('are found whatever stands between them, as lines and as items of an array', async () => {
    // Strings that look like structure.
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"}]\\', '\n\r', '[{', '🙂é'))
    const row = fc.record({ text: value, nested: fc.record({ list: fc.array(value, { maxLength: 3 }) }) })
    const space = fc.constantFrom('', ' ', '\n', '\t\r\n')
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), space, async (rows, gap) => {
        // Files cannot hold lone surrogates.
        const plain = JSON.parse(Buffer.from(JSON.stringify(rows)).toString()) as Row[]
        const array = `${gap}[${gap}${plain.map((one) => JSON.stringify(one)).join(`${gap},${gap}`)}${gap}]${gap}`
        const lines = plain.map((one) => `${JSON.stringify(one)}\n${gap}`).join('')
        expect(await allRows(await read(await fileOf(array)))).toEqual(plain)
        expect(await allRows(await read(await fileOf(lines)))).toEqual(plain)
      }),
      { numRuns: 50 },
    )
  })

  it('longer than what is read at a time are read whole', async () => {
    const rows = Array.from({ length: 3 }, (_, i) => ({ text: `${i}é`.repeat(700_000) }))
    for (const content of [JSON.stringify(rows), rows.map((row) => JSON.stringify(row)).join('\n')]) {
      const file = await read(await fileOf(content))
      expect(file.count).toBe(3)
      expect(await file.read(2)).toEqual(rows[2])
      expect(await file.read(0)).toEqual(rows[0])
    }
  })

  it('of several files follow one another, whatever their formats', async () => {
    const more = await fileOf('{"input": "x"}\n')
    const file = await read(more, join(fixtures, 'babilong-qa1.parquet'), more)
    const rows = await allRows(file)
    expect(rows.map(({ target }) => target)).toEqual([
      undefined,
      'kitchen',
      'garden',
      'office',
      'hallway',
      undefined,
    ])
    expect(file.placeOf(2)).toBe(`${join(fixtures, 'babilong-qa1.parquet')}, row 2`)
    expect(file.placeOf(5)).toBe(`${more}, line 1`)
  })
})

describe('a wrong file', () => {
  it.each([
    ['{"a": 1}\n\nnot json\n', 1, 'task/bad-row', 'line 3: it is not JSON'],
    ['{"a": 1}\n[1]\n', 1, 'task/bad-row', 'line 2: it is not a JSON object but a list'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 0, 'task/bad-row', 'line 1: it is not UTF-8'],
    ['[{"a": 1}, {"b": }]', 1, 'task/bad-row', 'item 2: it is not JSON'],
  ] as const)('%j is told with its row', async (content, row, code, message) => {
    const path = await fileOf(content)
    const file = await read(path)
    const error = await file.read(row).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TaskError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(`${path}, ${message}`) })
  })

  it('is told when it is opened', async () => {
    await expect(read(folder.join('missing'))).rejects.toMatchObject({
      code: 'task/unreadable-file',
      message: `cannot read ${folder.join('missing')}: there is no such file`,
    })
    await expect(read(folder.path)).rejects.toMatchObject({ code: 'task/unreadable-file' })
    await expect(read(await fileOf('[{"a": 1}'))).rejects.toMatchObject({ code: 'task/bad-json' })
    await expect(read(await fileOf('PAR1 and then nothing'))).rejects.toMatchObject({
      code: 'task/bad-parquet',
    })
  })

  it('of Parquet that was cut or changed is told with its row', async () => {
    const bytes = await readFile(join(fixtures, 'mrcr.parquet'))
    bytes.fill(0xff, 4, 3000)
    const path = await fileOf(bytes)
    const file = await read(path)
    await expect(file.read(0)).rejects.toMatchObject({
      code: 'task/bad-row',
      message: expect.stringContaining(`${path}, row 1: it cannot be read`),
    })
  })

  it('of Parquet that is damaged in several columns leaves nothing to fail later', async () => {
    const bytes = await readFile(join(fixtures, 'mrcr.parquet'))
    // The pages of the first column, and the name of another one in the schema.
    bytes.fill(0xff, 4, 3000)
    const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8)
    bytes.write('x', bytes.indexOf('n_needles', footer))
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const file = await read(await fileOf(bytes))
      await expect(file.read(0)).rejects.toMatchObject({ code: 'task/bad-row' })
      await new Promise((resolve) => setTimeout(resolve, 100))
    } finally {
      process.off('unhandledRejection', note)
    }
    expect(unhandled).toEqual([])
  })
})

describe('a filter', () => {
  const rowsOf = async (filter: RowFilter, name = 'mrcr.parquet'): Promise<number[]> => [
    ...(await selectRows(await read(join(fixtures, name)), filter)),
  ]

  it.each(['mrcr.parquet', 'mrcr.jsonl'])('takes the rows of %s that suit every condition', async (name) => {
    expect(await rowsOf({}, name)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(await rowsOf({ n_needles: 4 }, name)).toEqual([1, 3, 5])
    expect(await rowsOf({ random_string_to_prepend: ['key2', 'key3', 'key9'] }, name)).toEqual([2, 3])
    expect(await rowsOf({ n_needles: { max: 2 }, random_string_to_prepend: ['key2', 'key3'] }, name)).toEqual(
      [2],
    )
    expect(await rowsOf({ n_needles: { min: 3, max: 4 } }, name)).toEqual([1, 3, 5])
  })

  it('that is none, or leaves nothing, is told', async () => {
    await expect(rowsOf({ needles: 2 })).rejects.toMatchObject({ code: 'task/no-column' })
    await expect(rowsOf({ needles: 2 }, 'mrcr.jsonl')).rejects.toMatchObject({ code: 'task/no-column' })
    await expect(rowsOf({ n_needles: 3 })).rejects.toMatchObject({ code: 'task/no-rows' })
    for (const wrong of [null, {}, [], { least: 2 }, { min: '2' }, { min: 3, max: 2 }, [{}]]) {
      expect(checkSettings(rowFilter, { n_needles: wrong }).problems?.[0]?.message).toBe(
        `n_needles cannot be ${JSON.stringify(wrong)} (it takes a value, a list of values, or { min, max } with at least one of them)`,
      )
    }
  })
})

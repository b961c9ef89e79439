import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TaskOptions, tasks } from '../registry.ts'
import type { Task } from '../task.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from '../testing/fixtures.ts'
import { textOf } from '../testing/task-contract.ts'

const prose = sampleProse()
const folder = temporaryFolder(beforeAll, afterAll)

let written = 0
async function fileOf(content: string | Uint8Array): Promise<string> {
  written += 1
  const path = folder.join(`questions-${written}.jsonl`)
  await writeFile(path, content)
  return path
}
const taskOf = async (lines: readonly unknown[], options?: Partial<TaskOptions<'jsonl'>>): Promise<Task> =>
  tasks.jsonl({ path: await fileOf(lines.map((line) => `${JSON.stringify(line)}\n`).join('')), ...options })

const row = { question: 'Who keeps the lighthouse?', document: 'Anna keeps it.', answers: ['Anna'] }
const request = { seed: 1, lengthTokens: 500, countTokens }

describe('the contract, padded with prose', () => {
  const ownText = 'the places of answers are not known in texts of the user'
  const rows = Array.from({ length: 250 }, (_, i) => ({
    question: `What is the code of gate ${i}?`,
    document: `It was late — café time. The code of gate ${i} is ${7000 + i}.`,
    answers: i % 5 === 0 ? [] : [String(7000 + i)],
  }))
  registerContract(it, () => taskOf(rows, { name: 'gates', pad: true, prose }), {
    absentShare: 0.2,
    skip: {
      'rejects a document too short for it': 'a text of the user is read whole',
      'holds each reference where the evidence says, and no evidence without an answer': ownText,
      'spreads the depth of the answer evenly over the document': ownText,
    },
  })
})

describe('a JSONL task', () => {
  it("asks the line's question about the line's text", async () => {
    const task = await taskOf([{ ...row, id: 'lighthouse', note: 'fields of your own are ignored' }])
    const sample = await task.sample({ ...request, index: 0 })
    expect([sample.question, sample.references, sample.match]).toEqual([row.question, ['Anna'], 'any'])
    expect(await textOf(sample)).toBe(row.document)
    expect(sample.labels).toMatchObject({ id: 'lighthouse', line: 1, present: true })
    expect(task.score(sample, 'anna.')).toEqual({ strict: 1, lenient: 1 })
  })

  it('accepts several answers, or none if the document does not answer', async () => {
    const all = await taskOf([{ ...row, answers: ['Anna', 'Otto'], match: 'all' }])
    const sample = await all.sample({ ...request, index: 0 })
    expect(all.score(sample, 'Anna')).toEqual({ strict: 0.5, lenient: 0.5 })
    const none = await taskOf([{ ...row, answers: [] }])
    expect(none.score(await none.sample({ ...request, index: 0 }), undefined)).toEqual({
      strict: 1,
      lenient: 1,
    })
  })

  it('reads documents from files, as streams, beside the JSONL file', async () => {
    const text = 'A long text. '.repeat(40_000)
    await writeFile(folder.join('book.txt'), text)
    const task = await taskOf([{ question: 'Who?', documentFile: 'book.txt', answers: ['Anna'] }])
    const sample = await task.sample({ ...request, index: 0 })
    let pieces = 0
    for await (const _ of sample.document.open()) {
      pieces += 1
    }
    expect(pieces).toBeGreaterThan(1)
    expect(await textOf(sample)).toBe(text)
    expect(sample.document.sizeBytes).toBe(text.length)
  })

  it('knows how many questions it has', async () => {
    expect((await taskOf([row, row, row])).questions).toBe(3)
  })

  it('draws each line once per epoch, in a different order for each epoch and seed', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({ ...row, id: `q${i}` }))
    const task = await taskOf(rows)
    const epoch = async (seed: number, from: number): Promise<unknown[]> =>
      Promise.all(
        rows.map(async (_, i) => (await task.sample({ ...request, seed, index: from + i })).labels.id),
      )
    const [first, second, other] = [await epoch(1, 0), await epoch(1, 30), await epoch(2, 0)]
    for (const order of [first, second, other]) {
      expect(new Set(order).size).toBe(30)
    }
    expect(await epoch(1, 0)).toEqual(first)
    expect(second).not.toEqual(first)
    expect(other).not.toEqual(first)
    await expect(task.sample({ ...request, index: -1 })).rejects.toMatchObject({ code: 'task/bad-request' })
  })

  it('ignores a byte order mark, carriage returns, blank lines and a missing final line feed', async () => {
    const text = `\uFEFF${JSON.stringify({ ...row, id: 'one' })}\r\n\r\n  \n${JSON.stringify({ ...row, id: 'two' })}`
    const task = await tasks.jsonl({ path: await fileOf(text) })
    const lines = new Map<unknown, unknown>()
    for (const index of [0, 1]) {
      const { labels } = await task.sample({ ...request, index })
      lines.set(labels.id, labels.line)
    }
    expect(lines).toEqual(
      new Map([
        ['one', 1],
        ['two', 4],
      ]),
    )
  })

  it('finds every line again, whatever its characters and length', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(texts, async (documents) => {
        const rows = documents.map((document, i) => ({ ...row, id: `${i}`, document: `${document}x` }))
        const task = await taskOf(rows)
        for (let index = 0; index < rows.length; index += 1) {
          const sample = await task.sample({ ...request, index })
          expect(await textOf(sample)).toBe(rows[Number(sample.labels.id)]!.document)
        }
      }),
      { numRuns: 30 },
    )
  })

  it("keeps the document's length, or is padded with prose on request", async () => {
    await writeFile(folder.join('note.txt'), '\uFEFFAnna keeps the café.\n')
    const rows = [row, { question: 'Who?', documentFile: 'note.txt', answers: ['Anna'] }]
    for (let index = 0; index < 6; index += 1) {
      const plain = await (await taskOf(rows)).sample({ ...request, index })
      const padded = await (await taskOf(rows, { pad: true, prose })).sample({ ...request, index })
      const text = await textOf(padded)
      expect(text).toContain((await textOf(plain)).trim())
      expect(Math.abs(countTokens(text) - 500)).toBeLessThanOrEqual(15)
      expect(padded.document.sizeBytes).toBe(Buffer.byteLength(text))
    }
    const short = await (await taskOf([row], { pad: true, prose })).sample({
      ...request,
      index: 0,
      lengthTokens: 3,
    })
    expect(await textOf(short)).toBe(row.document)
    await expect(taskOf([row], { pad: true })).rejects.toMatchObject({ code: 'task/no-prose' })
  })

  it('takes the same rows as a JSON array', async () => {
    const path = await fileOf(JSON.stringify([row, { ...row, id: 'two' }], undefined, 2))
    const task = await tasks.jsonl({ path })
    const ids = [0, 1].map(async (index) => (await task.sample({ ...request, index })).labels.id)
    expect((await Promise.all(ids)).toSorted()).toEqual(['line-1', 'two'])
  })

  it('is available by name', async () => {
    const path = await fileOf(JSON.stringify(row))
    const task = await tasks.jsonl({ path })
    expect((await task.sample({ ...request, index: 0 })).question).toBe(row.question)
    await expect(tasks.jsonl({} as { path: string })).rejects.toMatchObject({ code: 'task/bad-option' })
    await expect(tasks.jsonl({ path, padding: true } as { path: string })).rejects.toMatchObject({
      code: 'task/unknown-option',
    })
  })
})

describe('wrong files', () => {
  it.each([
    ['{"question": "Who?"', /line 2: it is not JSON/],
    ['[1]', /line 2: it is not a JSON object but a list/],
    ['null', /line 2: it is not a JSON object but null/],
    ['"text"', /line 2: it is not a JSON object but a string/],
    [{ ...row, question: undefined }, /line 2: question is missing \(it takes a text that is not empty\)/],
    [{ ...row, question: ' ' }, /line 2: question cannot be " " \(it takes a text that is not empty\)/],
    [{ ...row, document: undefined }, /line 2: document is missing \(give either document or documentFile\)/],
    [{ ...row, document: 12 }, /line 2: document cannot be 12 \(it takes a text that is not empty\)/],
    [
      { ...row, documentFile: 'x.txt' },
      /line 2: documentFile cannot be "x.txt" \(give either document or documentFile\)/,
    ],
    [{ question: 'Who?', documentFile: 'none.txt', answers: [] }, /line 2: there is no document .*none\.txt/],
    [
      { question: 'Who?', documentFile: 'empty.txt', answers: [] },
      /line 2: the document .*empty\.txt holds no text/,
    ],
    [
      { question: 'Who?', documentFile: 'scan.pdf', answers: [] },
      /line 2: the document .*scan\.pdf cannot be read/,
    ],
    [{ question: 'Who?', documentFile: '.', answers: [] }, /line 2: the document .* is not a file/],
    [
      { ...row, answers: undefined },
      /line 2: answers is missing \(it takes a list .*empty where the document does not answer\)/,
    ],
    [{ ...row, answers: 'Anna' }, /line 2: answers cannot be "Anna" \(it takes a list of texts/],
    [
      { ...row, answers: ['Anna', 7] },
      /line 2: answers\.1 cannot be 7 \(it takes a text with letters or digits\)/,
    ],
    [
      { ...row, answers: ['...'] },
      /line 2: answers\.0 cannot be "\.\.\." \(it takes a text with letters or digits\)/,
    ],
    [{ ...row, match: 'some' }, /line 2: match cannot be "some" \(it takes "any" or "all"\)/],
    [{ ...row, id: 4 }, /line 2: id cannot be 4 \(it takes a text that is not empty\)/],
    [{ ...row, id: 'first' }, /line 2: the id "first" was already used in line 1/],
  ])('%j is refused with its number and what is wrong', async (line, message) => {
    const second = typeof line === 'string' ? line : JSON.stringify(line)
    await writeFile(folder.join('empty.txt'), '\ufeff')
    await writeFile(folder.join('scan.pdf'), '%PDF-1.7 \x01')
    const path = await fileOf(`${JSON.stringify({ ...row, id: 'first' })}\n${second}\n`)
    await expect(tasks.jsonl({ path })).rejects.toMatchObject({
      code: 'task/bad-jsonl',
      message: expect.stringMatching(message),
    })
  })

  it('names the first wrong lines together, and counts the others', async () => {
    const path = await fileOf(`${JSON.stringify(row)}\n${'{\n'.repeat(7)}`)
    await expect(tasks.jsonl({ path })).rejects.toThrow(/line 2: .*line 6: .*; and 2 more$/s)
  })

  it.each([
    ['', /holds no questions/, 'task/empty-jsonl'],
    ['\uFEFF\r\n\n', /holds no questions/, 'task/empty-jsonl'],
    [Uint8Array.of(0x7b, 0xff, 0x7d), /line 1: it is not UTF-8/, 'task/bad-jsonl'],
  ])('%j is refused', async (content, message, code) => {
    const path = await fileOf(content)
    await expect(tasks.jsonl({ path })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })

  it('are named when they do not exist, are folders, or change while in use', async () => {
    await expect(tasks.jsonl({ path: folder.join('none.jsonl') })).rejects.toThrow(
      /none\.jsonl: there is no such file/,
    )
    await expect(tasks.jsonl({ path: folder.path })).rejects.toThrow(/it is a folder/)
    const path = await fileOf(JSON.stringify(row))
    const task = await tasks.jsonl({ path })
    await writeFile(path, '{"question": 1}')
    await expect(task.sample({ ...request, index: 0 })).rejects.toMatchObject({
      code: 'task/bad-row',
      hint: 'The file was changed while it was in use.',
    })
  })
})

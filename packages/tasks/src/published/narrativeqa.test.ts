import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtures, RowFolder, request } from '../testing/published-rows.ts'
import { textOf } from '../testing/task-contract.ts'

const files = new RowFolder(beforeAll, afterAll)

describe('NarrativeQA', () => {
  it('reads the columns of the Parquet files, the best of the answers counts', async () => {
    const task = await files.create('narrativeqa', join(fixtures, 'narrativeqa.parquet'))
    for (let index = 0; index < 5; index += 1) {
      const sample = await task.sample({ ...request, index })
      const row = Number(sample.labels.row) - 1
      expect(sample.question).toMatch(new RegExp(`^Who lost the ship of story ${row} \\?\n`))
      expect(sample.labels).toMatchObject({ id: `story-${row}`, words: 41_000 + row })
      expect(await textOf(sample)).toMatch(new RegExp(`^The café 🙂 of story ${row}\\.`))
      expect(task.score(sample, sample.references[1])).toEqual({ f1: 1, rouge_l: 1, strict: 1, lenient: 1 })
      expect(task.score(sample, `${sample.references[1]} and nobody`)).toMatchObject({ f1: 0.5, strict: 0 })
    }
  })

  it('streams stories from files of their own', async () => {
    const story = 'Otto lost the ship. '.repeat(20_000)
    await writeFile(files.join('story.txt'), story)
    const row = { question: 'Who?', answers: ['Otto'] }
    const task = await files.create('narrativeqa', [{ ...row, documentFile: 'story.txt' }])
    const sample = await task.sample({ ...request, index: 0 })
    let pieces = 0
    for await (const _ of sample.document.open()) pieces += 1
    expect(pieces).toBeGreaterThan(1)
    expect(await textOf(sample)).toBe(story)
    const missing = await files.create('narrativeqa', [{ ...row, documentFile: 'missing.txt' }])
    await expect(missing.sample({ ...request, index: 0 })).rejects.toMatchObject({
      code: 'task/bad-row',
      message: expect.stringMatching(/line 1: .*missing\.txt/),
    })
  })

  it('looks for the stories of a part beside it', async () => {
    const row = { question: 'Who?', answers: ['Otto'], documentFile: 'story.txt' }
    const parts = ['one', 'two'].map((part) => files.join(`${part}/rows.jsonl`))
    for (const path of parts) {
      await mkdir(dirname(path))
      await writeFile(path, JSON.stringify(row))
      await writeFile(join(dirname(path), 'story.txt'), `The story beside ${path}`)
    }
    const task = await files.create('narrativeqa', '', { path: parts })
    const texts = [0, 1].map(async (index) => textOf(await task.sample({ ...request, index })))
    expect((await Promise.all(texts)).toSorted()).toEqual(parts.map((path) => `The story beside ${path}`))
  })
})

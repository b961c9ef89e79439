import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtures, RowFolder, request } from '../testing/published-rows.ts'
import { textOf } from '../testing/task-contract.ts'

const files = new RowFolder(beforeAll, afterAll)
const context = ['Ané', 'Berg', 'Çelik']
  .map((one, i) => `Document ${i + 1}:\nLight ${i}\n${one} keeps it.`)
  .join('\n\n')
const draw = async (rows: object[] | string, index = 0) => {
  const task = await files.create('memagent-eval', rows as never)
  const sample = await task.sample({ ...request, index })
  return { task, sample, text: await textOf(sample) }
}

describe('eval_50.json', () => {
  // An array on one page, with a byte order mark, as an editor may leave it.
  const write = async (rows: object[]) => {
    const path = files.join('eval_50.json')
    await writeFile(path, `\uFEFF${JSON.stringify(rows, undefined, 4)}`)
    return path
  }
  const row = { context, input: 'Who keeps light 1?', answers: ['Berg'], num_docs: 3, index: 17 }

  it('asks the question as written, and is scored like the published code', async () => {
    const { task, sample, text } = await draw(await write([row]))
    expect(sample).toMatchObject({
      question: row.input,
      query: row.input,
      references: ['Berg'],
      match: 'any',
    })
    expect(sample.labels).toMatchObject({ index: 17, documents: 3 })
    expect(text).toBe(context)
    expect(task.score(sample, 'Berg')).toEqual({ f1: 1, sub_em: 1, strict: 1, lenient: 1 })
    expect(task.score(sample, 'Ber')).toEqual({ f1: 0, sub_em: 1, strict: 0, lenient: 0 })
  })

  it('reports where its documents begin', async () => {
    const { sample, text } = await draw(await write([row]))
    const bytes = Buffer.from(text)
    expect(sample.document.textStarts!.map((start) => bytes.subarray(start, start + 11).toString())).toEqual([
      'Document 1:',
      'Document 2:',
      'Document 3:',
    ])
  })

  it('with numbers instead of texts says where such texts come from', async () => {
    await expect(draw(await write([{ ...row, context: [4, 7, 1] }]))).rejects.toMatchObject({
      code: 'task/bad-row',
      message: expect.stringMatching(/context cannot be \[4,7,1\] \(it holds document numbers.*ruler-hqa/),
    })
  })
})

it('reads the rows of training, in Parquet and JSONL alike', async () => {
  const lines = (await readFile(join(fixtures, 'memagent.jsonl'), 'utf8')).trim().split('\n')
  const wanted = lines.map((line) => JSON.parse(line))
  for (const kind of ['parquet', 'jsonl']) {
    for (const index of [0, 1, 2]) {
      const { sample, text, task } = await draw(join(fixtures, `memagent.${kind}`), index)
      const row = wanted[Number(sample.labels.row) - 1]
      expect([sample.question, sample.references, text]).toEqual([
        row.prompt[0].content,
        row.reward_model.ground_truth,
        row.context,
      ])
      expect(sample.labels).toMatchObject({ index: row.extra_info.index, documents: 4 })
      expect(task.score(sample, sample.references[0])).toMatchObject({ f1: 1, sub_em: 1, strict: 1 })
    }
  }
})

describe('the files of RULER’s tasks', () => {
  const numbers = {
    index: 0,
    context: 'One of the special magic numbers for a-b is: 17.',
    answer_prefix: ' They are',
  }

  it('want every answer, and search without their instructions', async () => {
    const input =
      'Some special magic numbers are hidden within the following text. Make sure to memorize it. What are all the special magic numbers for a-b mentioned in the provided text?'
    const { task, sample } = await draw([{ ...numbers, input, outputs: ['17', '18'] }])
    expect([sample.question, sample.match]).toEqual([input, 'all'])
    expect(sample.query).toBe('What are all the special magic numbers for a-b?')
    expect(task.score(sample, '17')).toMatchObject({ ruler: 0.5, strict: 0.5 })
    // In every report, this metric is computed on the response.
    expect(task.score(sample, '17', 'They are 17 and 18: \\boxed{17}')).toMatchObject({
      ruler: 1,
      strict: 0.5,
    })
    expect(task.deviations).toContainEqual(expect.stringContaining('whole response'))
    expect(task.deviations).not.toContainEqual(expect.stringContaining('f1'))
  })

  it('that ask about documents want any', async () => {
    const input = 'Answer the question based on the given documents. Who keeps light 1?'
    const { task, sample } = await draw([{ ...numbers, context, input, outputs: ['Berg', 'B. Berg'] }])
    expect([sample.query, sample.match]).toEqual(['Who keeps light 1?', 'any'])
    expect(task.score(sample, 'B. Berg')).toMatchObject({ f1: 1, strict: 1 })
  })

  it('are not mixed with questions, which are scored in another way', async () => {
    const question = { context, input: 'Who keeps light 1?', answers: ['Berg'] }
    const numbered = { ...numbers, input: 'What are all the numbers?', outputs: ['17', '18'] }
    const path = [await files.fileOf([question]), await files.fileOf([numbered])]
    await expect(files.create('memagent-eval', '', { path })).rejects.toMatchObject({
      code: 'task/mixed-parts',
    })
    const task = await files.create('memagent-eval', [question, numbered])
    const draws = [0, 1].map((index) => task.sample({ ...request, index }))
    const failed = (await Promise.allSettled(draws)).filter(({ status }) => status === 'rejected')
    expect(failed).toMatchObject([{ reason: { code: 'task/bad-row' } }])
  })
})

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtures, made, RowFolder, request } from '../testing/published-rows.ts'

const files = new RowFolder(beforeAll, afterAll)

describe('BABILong', () => {
  it('infers its task from the path', async () => {
    const task = await files.create('babilong', join(fixtures, 'babilong-qa1.parquet'))
    expect(task.name).toBe('babilong-qa1')
    await expect(files.create('babilong', [made.babilong!(0, '')])).rejects.toMatchObject({
      code: 'task/bad-option',
      message: expect.stringContaining('qa1, qa2'),
    })
  })

  it('takes parts of one task only, as each task has answers of its own', async () => {
    const part = (name: string) => files.fileOf([made.babilong!(0, '')], name)
    const of = (...path: string[]) => files.create('babilong', '', { path })
    expect(await of(await part('qa2-0k'), await part('qa2-1k'))).toMatchObject({ name: 'babilong-qa2' })
    await expect(of(await part('qa1-0k'), await part('qa8-0k'))).rejects.toMatchObject({
      code: 'task/mixed-parts',
      message: expect.stringMatching(/qa8-0k.*babilong-qa1/),
    })
  })

  it.each([
    // target, answer, score. The question is "What did Mary give to Fred?", so Fred is in it.
    ['apple', 'Mary gave Fred the apple.', 0],
    ['apple', 'Fred got the apple.', 1],
    ['apple', 'The apple. The milk came later.', 1],
    ['apple', 'The apple or the milk', 0],
    ['apple', 'The pineapples', 0],
    ['Apple', 'apple', 1],
  ])('qa5: %s, answered with %j', async (target, answer, babilong) => {
    const row = { input: 'x', question: 'What did Fred get?', target }
    const task = await files.create('babilong', [row], { task: 'qa5' })
    expect(task.score(await task.sample({ ...request, index: 0 }), answer)).toMatchObject({ babilong })
  })

  it('wants everything that is carried, and tells "none" from "one"', async () => {
    const carried = { input: 'x', question: 'What is Mary carrying?', target: 'apple,milk' }
    const task = await files.create('babilong', [carried], { task: 'qa8' })
    const sample = await task.sample({ ...request, index: 0 })
    expect(task.score(sample, 'milk, apple')).toEqual({ babilong: 1, strict: 1, lenient: 1 })
    expect(task.score(sample, 'milk')).toEqual({ babilong: 0, strict: 0.5, lenient: 0.5 })
    const counted = { input: 'x', question: 'How many objects is Mary carrying?', target: 'none' }
    const count = await files.create('babilong', [counted], { task: 'qa7' })
    expect(count.score(await count.sample({ ...request, index: 0 }), 'none')).toMatchObject({ babilong: 1 })
  })
})

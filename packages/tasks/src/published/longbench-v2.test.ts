import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, choiceRow, RowFolder, request } from '../testing/published-rows.ts'

const files = new RowFolder(beforeAll, afterAll)

describe('LongBench v2', () => {
  it.each([
    // answer, choice, strict, lenient; right is (B) "Five ships"
    ['B', 1, 1, 1],
    ['(b)', 1, 1, 1],
    ['The correct answer is (B).', 1, 0, 1],
    ['**The correct answer is B** because of the ships', 1, 0, 1],
    ['B. Five ships', 1, 0, 1],
    ['Five ships', 0, 1, 1],
    ['There were five ships.', 0, 0, 1],
    ['The correct answer is (A), not B', 0, 0, 0],
    ['A', 0, 0, 0],
    ['Both', 0, 0, 0],
    ['', 0, 0, 0],
  ])('%j', async (answer, choice, strict, lenient) => {
    const row = { ...choiceRow(1, 'x'), choice_A: 'One', choice_B: 'Five ships', choice_C: 'Six' }
    const task = await files.create('longbench-v2', [row])
    const sample = await task.sample({ ...request, index: 0 })
    expect(sample.question).toContain('(B) Five ships\n(C) Six')
    expect(task.score(sample, answer)).toEqual({ choice, strict, lenient })
  })

  it('reads the JSON file as published, and takes the requested rows', async () => {
    const path = files.join('data.json')
    await writeFile(path, JSON.stringify(answers.slice(0, 10).map(({ i, answer }) => choiceRow(i, answer))))
    const task = await files.create('longbench-v2', path, { where: { difficulty: 'hard' } })
    for (let index = 0; index < 5; index += 1) {
      const sample = await task.sample({ ...request, index })
      expect(sample.labels).toMatchObject({ difficulty: 'hard', words: 'short', epoch: 0 })
    }
    expect((await task.sample({ ...request, index: 5 })).labels.epoch).toBe(1)
  })
})

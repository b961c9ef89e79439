import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtures, mrcrRow, RowFolder, request } from '../testing/published-rows.ts'
import { textOf } from '../testing/task-contract.ts'

const files = new RowFolder(beforeAll, afterAll)

describe('MRCR', () => {
  it('asks with the last message about the ones before, and says where the reply stands', async () => {
    const task = await files.create('mrcr', join(fixtures, 'mrcr.parquet'))
    const sample = await task.sample({ ...request, index: 0 })
    const i = Number(sample.labels.row) - 1
    expect(sample.question).toBe(`Prepend key${i} to the 2nd (1 indexed) poem about tapirs.`)
    const text = await textOf(sample)
    expect(text).toMatch(
      /^User: Here are some examples 🙂\n\nUser: write a poem about tapirs\n\nAssistant: Poem 0 of/,
    )
    expect(text).not.toContain('Prepend')
    const [{ startByte, endByte } = { startByte: 0, endByte: 0 }] = sample.supportingFacts!
    const reply = Buffer.from(text).subarray(startByte, endByte).toString()
    expect(`key${i}${reply}`).toBe(sample.references[0])
    expect(sample.labels).toMatchObject({ needles: i % 2 ? 4 : 2 })
  })

  it('gives the ratio behind the random string, and nothing without it', async () => {
    const row = { ...mrcrRow(1, 'x'), answer: 's1xabcd' }
    const task = await files.create('mrcr', [row])
    const sample = await task.sample({ ...request, index: 0 })
    // "bcd" of "bcde" and "abcd": 2 x 3 of 8 characters
    expect(task.score(sample, 's1xbcde')).toMatchObject({ sequence_ratio: 0.75, strict: 0 })
    expect(task.score(sample, 'abcd')).toMatchObject({ sequence_ratio: 0 })
    expect(task.score(sample, 's1xabcd')).toEqual({ sequence_ratio: 1, strict: 1, lenient: 1 })
    expect(sample.supportingFacts).toBeUndefined()
  })
})

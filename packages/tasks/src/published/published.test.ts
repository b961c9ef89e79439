import { TaskError } from '@memagent/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerContract } from '../testing/fixtures.ts'
import { answers, made, type PublishedName, RowFolder, request } from '../testing/published-rows.ts'
import { textOf } from '../testing/task-contract.ts'

const files = new RowFolder(beforeAll, afterAll)

const required: Readonly<Record<PublishedName, readonly string[]>> = {
  longbench: ['input', 'context', 'answers', 'dataset'],
  'longbench-v2': ['question', 'choice_A', 'choice_B', 'choice_C', 'choice_D', 'answer', 'context'],
  narrativeqa: ['question', 'answers', 'document'],
  babilong: ['input', 'question', 'target'],
  mrcr: ['prompt', 'answer', 'random_string_to_prepend'],
  'memagent-eval': ['input', 'context', 'answers'],
}
const ownOptions: Partial<Record<PublishedName, object>> = { babilong: { task: 'qa1' } }

describe.each(Object.keys(made) as PublishedName[])('%s', (name) => {
  const rows = answers.map(({ i, answer }) => made[name]!(i, answer))
  const ownLength = 'texts of published benchmarks have their own length'
  const noPlaces = 'the files do not say where answers stand'
  registerContract(it, () => files.create(name, rows, ownOptions[name]), {
    skip: {
      'is as long as asked for, and knows its bytes': ownLength,
      'rejects a document too short for it': ownLength,
      'holds each reference where the evidence says, and no evidence without an answer': noPlaces,
      'spreads the depth of the answer evenly over the document': noPlaces,
    },
  })

  it('asks each row once an epoch, and says which one it is, and that the length is its own', async () => {
    const task = await files.create(name, rows.slice(0, 20), ownOptions[name])
    const drawn = async (seed: number, from: number) =>
      Promise.all(Array.from({ length: 20 }, (_, i) => task.sample({ ...request, seed, index: from + i })))
    const first = await drawn(1, 0)
    expect(first.map(({ labels }) => labels.row).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
    expect(first.every(({ labels }) => labels.ownLength === true && labels.epoch === 0)).toBe(true)
    const second = await drawn(1, 20)
    expect(second.every(({ labels }) => labels.epoch === 1)).toBe(true)
    expect(second.map(({ labels }) => labels.row)).not.toEqual(first.map(({ labels }) => labels.row))
  })

  it('knows its bytes, names what departs from what was published, and takes but its own options', async () => {
    const task = await files.create(name, rows.slice(0, 3), { ...ownOptions[name], prose: {} })
    const sample = await task.sample({ ...request, index: 0 })
    expect(sample.document.sizeBytes).toBe(Buffer.byteLength(await textOf(sample)))
    expect(task.deviations?.length).toBeGreaterThan(0)
    expect(task.deviations).toContain(
      'The reader of the files was tried on made samples in the published format only.',
    )
    for (const deviation of task.deviations!) expect(deviation).toMatch(/^[A-Z].*\.$/)
    await expect(files.create(name, rows, { ...ownOptions[name], pad: true })).rejects.toMatchObject({
      code: 'task/unknown-option',
    })
    for (const path of [undefined, '', [], 7]) {
      await expect(files.create(name, rows, { ...ownOptions[name], path })).rejects.toMatchObject({
        code: 'task/bad-option',
        message: expect.stringMatching(
          /path (is missing|cannot be (""|\[\]|7)) \(it takes the path of the file/,
        ),
      })
    }
  })

  it('names file, row and field of a row that is wrong', async () => {
    const whole = rows[0]!
    const told = new Set<string>()
    for (const field of Object.keys(whole)) {
      for (const value of [undefined, 7.5, '', [], [1], {}]) {
        const path = await files.fileOf([whole, { ...whole, [field]: value }])
        const task = await files.create(name, path, ownOptions[name])
        for (const index of [0, 1]) {
          const error = await task.sample({ ...request, index }).catch((reason: unknown) => reason)
          if (error instanceof Error) {
            expect(error).toBeInstanceOf(TaskError)
            expect(error.message).toMatch(new RegExp(`^${path}, line 2: .*${field}`))
            told.add(field)
          }
        }
      }
    }
    expect([...told].sort()).toEqual(required[name].toSorted())
  })
})

import { describe, expect, it } from 'vitest'
import type { RlConfig } from './config.ts'
import { sameSeedNotices } from './held-out.ts'

describe('evaluation with the seed of training', () => {
  const noticesOf = (task: object | undefined, seed = 1) =>
    sameSeedNotices({ seed: 1, evaluation: { seed }, task } as unknown as RlConfig)
  const facts = (options: object, evaluationOptions: object) => ({
    name: 'facts-in-prose',
    options,
    evaluationOptions,
  })
  const module = (evaluationOptions: object) => ({
    name: 'module',
    options: { path: 'task.ts' },
    evaluationOptions,
  })

  it.each([
    ['the same names', facts({ split: 'train' }, { templates: 'held-out' })],
    ['a module with the same options', module({})],
    ['a task given as an object', undefined],
  ])('asks what is trained on, with %s, and is told so', async (_, task) => {
    expect(await noticesOf(task)).toEqual([expect.stringMatching(/evaluation\.seed is 1, as seed/)])
    expect(await noticesOf(task, 2)).toEqual([])
  })

  it.each([
    ['other names', facts({ split: 'train' }, { split: 'eval' })],
    ['a module with other options', module({ heldOut: true })],
    ['another file', { name: 'jsonl', options: { path: 'a.jsonl' }, evaluationOptions: { path: 'b.jsonl' } }],
  ])('asks other questions with %s', async (_, task) => {
    expect(await noticesOf(task)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import type { RlConfig } from './config.ts'
import { sameQuestionsNotice, sameSeedNotices } from './held-out.ts'

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

describe('questions of files', () => {
  const noticeOf = (name: string, options: object, evaluationOptions: Record<string, unknown>) =>
    sameQuestionsNotice({ name, options: { path: 'a.json', ...options }, evaluationOptions })

  it.each([
    ['nothing that keeps them apart', 'jsonl', {}, {}],
    ['a part of the trained rows', 'longbench', {}, { where: { dataset: 'qasper' } }],
    [
      'rows that may be both',
      'longbench',
      { where: { dataset: 'qasper' } },
      { where: { length: { min: 9 } } },
    ],
    ['ranges that overlap', 'longbench', { where: { n: { max: 9 } } }, { where: { n: { min: 9 } } }],
    ['some of the same files', 'longbench', { path: ['a.json', 'b.json'] }, { path: './b.json' }],
    ['other numbers of documents', 'ruler-hqa', { documents: 50 }, { documents: 200 }],
    [
      'a document of a kind',
      'real-documents',
      { documents: 'licences' },
      { documents: ['licences/mit.txt'] },
    ],
  ])('are named where evaluation has %s', (_, name, options, evaluationOptions) => {
    expect(noticeOf(name, options, evaluationOptions)).toMatch(/which may also be trained on/)
  })

  it.each([
    ['other files', 'longbench', { path: ['a.json'] }, { path: 'b.json' }],
    ['other values', 'longbench', { where: { split: ['a', 'b'] } }, { where: { split: 'c' } }],
    ['other ranges', 'longbench', { where: { n: { max: 8 } } }, { where: { n: { min: 9 } } }],
    ['a value out of the range', 'longbench', { where: { n: { max: 8 } } }, { where: { n: [9, 10] } }],
    ['other kinds', 'real-documents', { documents: 'licences' }, { documents: ['manuals'] }],
    ['another file of questions', 'ruler-hqa', { questions: 'a.txt' }, { questions: 'b.txt' }],
    ['a module', 'module', {}, {}],
  ])('are not where it has %s', (_, name, options, evaluationOptions) => {
    expect(noticeOf(name, options, evaluationOptions)).toBeUndefined()
  })
})

/** Methods side by side, from one file of records and from several named ones. */
import { expect, it } from 'vitest'
import { makeRecord } from '../../testing/made-records.ts'
import { writeMarkdown } from '../formats/markdown.ts'
import { observe } from '../observation.ts'
import { methodTable } from './method-table.ts'

const answers = (method: string, right: number, reader?: string, model = 'nano') =>
  Array.from({ length: 4 }, (_, index) =>
    observe(
      makeRecord({
        task: 'counts',
        method,
        model,
        index,
        lengthTokens: 8000,
        metrics: { strict: Number(index < right) },
      }),
      'a.jsonl',
      reader,
    ),
  )
const page = (...of: Parameters<typeof methodTable>) => writeMarkdown(methodTable(...of)).text
const row = (...of: Parameters<typeof methodTable>) =>
  page(...of)
    .split('\n')
    .find((line) => line.startsWith('| counts'))!
    .match(/(?<=\| +)\d+\.\d(?= \()/g)

it('has a column for each method', () => {
  const observations = [...answers('bm25', 1), ...answers('overwrite', 3)]
  expect(row(observations, 8000, { overwrite: 'reads', bm25: 'looks up' })).toEqual(['75.0', '25.0'])
})

it('tells the same method of two readers apart', () => {
  const observations = [...answers('bm25', 1, 'small'), ...answers('bm25', 3, 'large')]
  expect(row(observations, 8000, { 'small, bm25': 'small', 'large, bm25': 'large' })).toEqual([
    '25.0',
    '75.0',
  ])
})

it('never counts two models or settings as one method', () => {
  const observations = [
    ...answers('overwrite', 4, undefined, 'small'),
    ...answers('overwrite', 0, undefined, 'large'),
  ]
  expect(() => row(observations, 8000, { overwrite: 'reads' })).toThrow('"overwrite" names 2 columns')
  expect(row(observations, 8000, { 'overwrite, small': 'small', 'overwrite, large': 'large' })).toEqual([
    '100.0',
    '0.0',
  ])
})

it('has a row for each task, also where two have one name', () => {
  const easy = answers('overwrite', 4)
  const hard = answers('overwrite', 0).map((one) => ({ ...one, taskOptions: { decoys: 9 } }))
  const { text } = writeMarkdown(methodTable([...easy, ...hard], 8000, { overwrite: 'reads' }))
  expect(text).toMatch(/\| counts +\| +4 \| 100\.0/)
  expect(text).toMatch(/\| counts, decoys 9 +\| +4 \| +0\.0/)
})

it('has tasks down and methods across, and questions without an answer in a row of their own', () => {
  const records = ['overwrite', 'bm25'].flatMap((method, i) => [
    makeRecord({ method, task: 'two-hop', seenInTraining: false, metrics: { strict: i } }),
    makeRecord({ method, task: 'one-hop', seenInTraining: true, metrics: { strict: 1 - i } }),
    makeRecord({ method, task: 'one-hop', index: 1, references: [], metrics: { strict: 1 } }),
    makeRecord({ method, task: 'one-hop', lengthTokens: 64_000 }),
  ])
  const observations = records.map((record) => observe(record, 'a.jsonl'))
  const rows = page(observations, 8000, { overwrite: 'reader', bm25: 'BM25' }).replace(/ {2,}/g, ' ')
  expect(rows.split('\n').slice(2).join('\n')).toMatch(
    /^\| task \| n \| reader \| BM25 \| training \|\n[^\n]*\n\| two-hop \| 1 \| 0\.0 \([^)]*\) \| 100\.0 \([^)]*\) \| unseen \|\n\| one-hop \| 1 \| 100\.0 \([^)]*\) \| 0\.0 \([^)]*\) \| seen \|\n\| no answer in the text: says so \| 1 \|/,
  )
})

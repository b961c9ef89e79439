import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../rows/row-file.ts'
import { longBenchRow, RowFolder, request } from '../testing/published-rows.ts'
import { textOf } from '../testing/task-contract.ts'

const files = new RowFolder(beforeAll, afterAll)

describe('LongBench', () => {
  const score = async (row: Row, answer: string | undefined) => {
    const task = await files.create('longbench', [longBenchRow(0, 'x', row)])
    return task.score(await task.sample({ ...request, index: 0 }), answer)
  }

  it('gives the best of the answers, by the metric of the dataset', async () => {
    const answers = ['the lighthouse keeper', 'Otto Berg']
    expect(await score({ answers }, 'Otto the keeper')).toMatchObject({ f1: 0.5, strict: 0, lenient: 0 })
    expect(await score({ answers, dataset: 'hotpotqa_e' }, 'otto berg!')).toEqual({
      f1: 1,
      strict: 1,
      lenient: 1,
    })
    expect(await score({ answers, dataset: 'gov_report', input: '' }, 'Otto slept')).toMatchObject({
      rouge_l: 0.5,
    })
  })

  it('reports where its passages begin', async () => {
    const passages = ['Passage 1:\nÉ.', 'Passage 2:\nTwo.', 'Passage 9:\nNo head.']
    for (const between of ['\n', '\n\n']) {
      const row = longBenchRow(0, 'x', { context: passages.join(between) })
      const { document } = await (await files.create('longbench', [row])).sample({ ...request, index: 0 })
      expect(document.textStarts).toEqual([0, Buffer.byteLength(`${passages[0]}${between}`)])
    }
  })

  it('searches with the question alone', async () => {
    const draw = async (row: Row) =>
      (await files.create('longbench', [longBenchRow(0, 'x', row)])).sample({ ...request, index: 0 })
    const qasper = await draw({ dataset: 'qasper', input: 'Which port is meant?' })
    expect(qasper.query).toBe('Which port is meant?')
    expect(qasper.question).toMatch(/^Which port is meant\?\n.*unanswerable/)
    const report = await draw({ dataset: 'gov_report', input: '' })
    expect(report.query ?? report.question).toBe(report.question)
  })

  // Worked out by hand from the published definitions.
  it.each([
    ['The answer is Paragraph 12', 1],
    ['Paragraph 12, or 7', 0.5],
    ['Paragraph 120', 0],
    ['none', 0],
  ])('retrieval: of the numbers in %j the share %d is right', async (answer, retrieval) => {
    expect(await score({ dataset: 'passage_retrieval_en', answers: ['Paragraph 12'] }, answer)).toMatchObject(
      { retrieval },
    )
  })

  it.each([
    ['17', 1],
    ['17 of 30', 0.5],
    ['117', 0],
  ])('count: of the numbers in %j the share %d is right', async (answer, count) => {
    expect(await score({ dataset: 'passage_count', input: '', answers: ['17'] }, answer)).toMatchObject({
      count,
    })
  })

  it.each([
    ['Date of birth', 1],
    ['Date of birth\nQuestion: Where?\nType: Place', 1],
    ['Date of birth or Place', 0.5],
    // The right one contains "Date" but not "Place".
    ['Date', 0],
    ['Place', 0],
  ])('classification: %j gets %d', async (answer, classification) => {
    const row = {
      dataset: 'trec',
      answers: ['Date of birth'],
      all_classes: ['Date', 'Date of birth', 'Place'],
    }
    expect(await score(row, answer)).toMatchObject({ classification })
  })

  it('takes silence as unanswerable for Qasper only', async () => {
    const answers = ['unanswerable']
    expect(await score({ dataset: 'qasper', answers }, undefined)).toEqual({ f1: 1, strict: 1, lenient: 1 })
    expect(await score({ dataset: 'hotpotqa', answers }, undefined)).toEqual({ f1: 0, strict: 0, lenient: 0 })
  })

  it('asks about TriviaQA’s passage, at the end of the text', async () => {
    const row = longBenchRow(0, 'Otto', {
      dataset: 'triviaqa',
      input: 'Passage:\nOtto left. Question: he had none.\nQuestion:\nWho left?\nAnswer:',
    })
    const task = await files.create('longbench', [row])
    const sample = await task.sample({ ...request, index: 0 })
    expect(sample.question).toMatch(/^Question:\nWho left\?/)
    expect(await textOf(sample)).toBe(`${row.context}\n\nPassage:\nOtto left. Question: he had none.\n`)
  })

  it('reads one dataset at a time, and those in English', async () => {
    const rows = [longBenchRow(0, 'x'), longBenchRow(1, 'y', { dataset: 'musique' })]
    const task = await files.create('longbench', rows)
    await expect(
      Promise.all([0, 1].map((index) => task.sample({ ...request, index }))),
    ).rejects.toMatchObject({ message: expect.stringContaining('it belongs to musique') })
    await expect(
      files.create('longbench', [longBenchRow(0, 'x', { dataset: 'dureader' })]),
    ).rejects.toMatchObject({
      code: 'task/bad-row',
    })
  })
})

import { describe, expect, it } from 'vitest'
import type { BenchRecord } from '../../record.ts'
import { entry, makeRecord } from '../../testing/made-records.ts'
import { reading } from '../../testing/made-results.ts'
import { analyse } from '../analysis/analyse.ts'
import { difference, estimate, metric, pairBySample } from '../analysis/measures.ts'
import type { Block } from '../block.ts'
import { writeMarkdown } from '../formats/markdown.ts'
import { observe } from '../observation.ts'
import { accuracyTable, differenceTable, lossTable } from './accuracy.ts'
import { chunkCostTable } from './chunk-cost.ts'
import { createComparison, type SampleFilter } from './comparison.ts'
import { hazardTable, rewriteTable } from './rewrites.ts'
import { memoryExamples, wrongAnswerTables } from './side-by-side.ts'

const observed = (readers: Readonly<Record<string, readonly BenchRecord[]>>) =>
  Object.entries(readers).flatMap(([name, records]) =>
    records.map((record) => observe(record, `${name}.jsonl`, name)),
  )

/** Readers by name; the others are compared with the first. */
const compared = (
  readers: Readonly<Record<string, readonly BenchRecord[]>>,
  groups?: Readonly<Record<string, SampleFilter>>,
) =>
  createComparison(
    analyse({ observations: observed(readers), sources: [] }, { reader: Object.keys(readers)[0] }),
    groups,
  )

/** Without the padding of columns. */
const text = (blocks: readonly Block[]) => writeMarkdown(blocks).text.replace(/ {2,}/g, ' ')

const right = (length: number, count: number, of = 8) =>
  [...Array(of).keys()].map((i) => reading(i, length, i < count))

describe('a comparison', () => {
  const readers = {
    rewards: [...right(1000, 7), ...right(64_000, 6)],
    lessons: [...right(1000, 6), ...right(64_000, 2)],
  }

  it('pairs readers on the same samples, and a reader with itself at other lengths', () => {
    const comparison = compared(readers)
    expect(text(differenceTable(comparison))).toMatch(/\| 64,000 \| lessons \| 8 \| \+50\.0 \(/)
    expect(text(lossTable(comparison))).toMatch(/\| rewards \| 64,000 \| 8 \| \+12\.5 \(/)
    expect(text(accuracyTable(comparison))).toMatch(
      /\| 1,000 \| rewards \| 8 \| 87\.5 \([^)]*\) \| 87\.5 \| 87\.5 \([^)]*\) \| 100\.0 \| 0 \|/,
    )
  })

  it('counts how often a rewrite loses the answer', () => {
    // Held to the end: 8 rewrites; lost: 3. Seven hold it and one loses it, then six and two.
    expect(text(hazardTable(compared(readers)))).toMatch(
      /\| rewards \| 1,000 \| 59 \| 1 \|[^\n]*\n\| \| 64,000 \| 54 \| 2 \| 37,037 \(/,
    )
  })

  it('pools the losses of all lengths, whatever is written: a line of edits that is dropped is a loss', () => {
    // edits: two lines, both wanted, in 1,000 chunks; one dropped at 500. overwrite: both gone at 250, one back at 750.
    const both = { references: ['Anna Lind', 'Bo Ek'], match: 'all', evidence: [], steps: 1000 } as const
    const lines = (...kept: readonly string[]) => kept.map((name, i) => `#${i + 1} ${name}`).join('\n')
    const edits = [1000, 64_000].map((lengthTokens) =>
      makeRecord({
        ...both,
        lengthTokens,
        trace: [
          entry(0, lines('Anna Lind')),
          entry(100, lines('Anna Lind', 'Bo Ek')),
          ...(lengthTokens === 1000 ? [entry(500, lines('Bo Ek'))] : []),
        ],
      }),
    )
    const overwrite = [1000, 64_000].map((lengthTokens) =>
      makeRecord({
        ...both,
        lengthTokens,
        trace: [entry(0, 'Anna Lind; Bo Ek'), entry(250, 'a keeper'), entry(750, 'Bo Ek')],
      }),
    )
    const rows = text(hazardTable(compared({ edits, overwrite })))
      .trim()
      .split('\n')
      .slice(4)
    // Anna: 500 chunks after the first, Bo: 899; at the other length 999 and 899. One loss of 3,297.
    expect(rows.slice(0, 3).join('\n')).toMatch(
      /^\| edits \| 1,000 \| 1,399 \| 1 \|.*\n\| \| 64,000 \| 1,898 \| 0 \| 0 \(0–[\d,]+\) \|\n\| \| all \| 3,297 \| 1 \| 303 \(7\.68–1,689\) \|$/,
    )
    // Both for 250 chunks, Bo for 249 more: two losses of 749 at each length.
    expect(rows.at(-1)).toMatch(/^\| \| all \| 1,498 \| 4 \| 2,670 \(728–6,823\) \|$/)
  })

  it('tells the losses of every task, of which one may outweigh the others', () => {
    const list = { task: 'several', references: ['Anna Lind', 'Bo Ek'], match: 'all', evidence: [] } as const
    const trace = [entry(0, 'Anna Lind; Bo Ek')]
    const records = [...right(1000, 4, 4), makeRecord({ ...list, lengthTokens: 1000, steps: 1000, trace })]
    const rows = text(hazardTable(compared({ edits: records })))
      .trim()
      .split('\n')
      .slice(4)
    expect(rows.map((row) => row.replace(/ \(.*/, ''))).toEqual([
      '| edits | facts | 1,000 | 32 | 0 | 0',
      '| | several | 1,000 | 1,998 | 0 | 0',
      '| | all | 1,000 | 2,030 | 0 | 0',
    ])
  })

  it('counts what is written for a chunk, and the time, next to those of the reader', () => {
    const read = (lengthTokens: number, completionTokens: number, parts: Partial<BenchRecord> = {}) =>
      makeRecord({
        lengthTokens,
        steps: lengthTokens / 100,
        seconds: lengthTokens / 1000,
        usage: { calls: lengthTokens / 100 + 1, promptTokens: 1, completionTokens, modelMs: 1 },
        ...parts,
      })
    const error = { code: 'chat/timeout', message: 'late' }
    const page = text(
      chunkCostTable(
        compared({
          overwrite: [read(1000, 200), read(9000, 1800)],
          edits: [read(1000, 20), read(9000, 230), read(9000, 9e6, { index: 1, error })],
        }),
      ),
    )
    expect(page).toContain('| 1,000 | overwrite | 10 | 20 | 1 | 1.1 | 1,000 |')
    expect(page).toContain(
      '| all | overwrite | 100 | 20 | 1 | 1.02 | 1,000 |\n| | edits | 100 | 2.5 | 0.125 | 1.02 | 1,000 |',
    )
  })

  it('counts a rewrite with the answer in it once, however many answers are wanted', () => {
    // The memory holds all three throughout, and every step rewords it.
    const references = ['Anna Lind', 'Bo Ek', 'Cleo Falk']
    const trace = [0, 1, 2, 3].map((step) => entry(step, `${references.join(', ')}${'.'.repeat(step)}`))
    const record = makeRecord({ lengthTokens: 1000, references, match: 'all', evidence: [], trace, steps: 4 })
    expect(text(rewriteTable(compared({ a: [record] })))).toMatch(/\| 1,000 \| a \| 4 \| 100 \| 100 \|/)
  })

  it('has no column of memories where none are kept', () => {
    const plain = [1000, 8000].map((lengthTokens) =>
      makeRecord({ method: 'bm25', workflow: undefined, trace: undefined, lengthTokens }),
    )
    expect(text(lossTable(compared({ a: plain })))).toMatch(
      /\| reader \| tokens \| questions \| right answers \|\n[^\n]*\n\| a \| 8,000 \| 1 \| 0\.0 \([^|]*\) \|\n/,
    )
  })

  it('draws a question with its answers at all lengths: three equal answers are not more certain than one', () => {
    const both = [...right(1000, 36, 50), ...right(64_000, 36, 50), ...right(8000, 36, 50)]
    const one = estimate(observed({ a: right(1000, 36, 50) }), metric('strict'))
    const three = estimate(observed({ a: both }), metric('strict'))
    expect(three.value).toBeCloseTo(one.value, 12)
    expect(three.high - three.low).toBeGreaterThan(0.9 * (one.high - one.low))
  })

  it('has rows for whatever samples are named', () => {
    const labelled = (index: number, heldOut: boolean, isRight: boolean) =>
      reading(index, 1000, isRight, { labels: { heldOut } })
    const comparison = compared(
      {
        a: [
          labelled(0, true, true),
          labelled(1, false, false),
          labelled(2, false, true),
          makeRecord({ index: 3, lengthTokens: 1000, references: [], evidence: [] }),
        ],
      },
      {
        'held out': { labels: { heldOut: true } },
        'not held out': { labels: { heldOut: false } },
        'no answer': { answerable: false },
        elsewhere: { tasks: ['other'] },
      },
    )
    const rows = text(accuracyTable(comparison))
    expect(rows).toMatch(/\| held out \| a \| 1 \| 100\.0/)
    expect(rows).toMatch(/\| not held out \| a \| 2 \| 50\.0/)
    expect(rows).toMatch(/\| no answer \| a \| 1 \| 100\.0/)
    expect(rows).not.toContain('elsewhere')
  })

  it('does not pair different documents or questions', () => {
    const first = [reading(0, 1000, true)]
    expect(() => compared({ a: first, b: [reading(0, 1000, true, { documentBytes: 999 })] })).toThrow(
      'one sample, but not of one document: 1000 bytes and 999',
    )
    const other = observed({ b: [reading(0, 1000, true, { question: 'Who else?' })] })
    expect(() => pairBySample(observed({ a: first }), other)).toThrow('not one question')
  })

  it('counts a failed call as wrong in every metric', () => {
    const error = { code: 'chat/timeout', message: 'late' }
    const [ok, failed] = [
      observed({ a: right(1000, 1, 1) }),
      observed({ b: [reading(0, 1000, true, { error })] }),
    ]
    expect(difference(pairBySample(ok, failed), metric('strict'))).toMatchObject({ value: -1, pairs: 1 })
  })

  it('counts the samples that the figure beside is of', () => {
    const error = { code: 'chat/timeout', message: 'late' }
    const exact = [0, 1, 2, 3].map((index) =>
      makeRecord({ task: 'exact', lengthTokens: 1000, index, metrics: { exact: 0 }, error }),
    )
    const answers = [...right(1000, 4, 4), ...exact]
    const comparison = compared({ a: answers, b: answers })
    expect(text(accuracyTable(comparison))).toMatch(/\| a \| 4 \| 100\.0 \(51\.0–100\.0\) \|.*\| 0 \|\n/)
    expect(text(differenceTable(comparison))).toMatch(/\| b \| 4 \| 0\.0 \(/)
  })

  it('counts a failed call in no metric that its task does not have', () => {
    const error = { code: 'chat/timeout', message: 'late' }
    const exact = (index: number, parts: Partial<BenchRecord> = {}) =>
      makeRecord({ index, metrics: { exact: 1 }, ...parts })
    const all = [exact(0), exact(1), exact(2), exact(3, { metrics: { exact: 0 }, error })]
    expect(estimate(observed({ a: all }), metric('exact'))).toMatchObject({ value: 0.75, count: 4 })
    expect(estimate(observed({ a: all }), metric('strict')).count).toBe(0)
  })
})

describe('side by side', () => {
  it('lists the wrong answers at the longest length that both were asked at, and counts how they are wrong', () => {
    const none = { references: [] }
    const at = (length: number, rights: readonly boolean[]) => [
      reading(0, length, rights[0]!, { answer: 'Bo Ek' }),
      reading(1, length, rights[1]!, { answer: '' }),
      reading(2, length, rights[2]!, { ...none, answer: 'Mr. | Mr.' }),
      reading(3, length, true),
    ]
    const all = [true, true, true]
    const wrong = [false, false, false]
    const page = text(
      wrongAnswerTables(
        compared({
          rewards: [...at(1000, all), ...at(8000, [true, false, true])],
          lessons: [...at(1000, all), ...at(8000, wrong), ...at(64_000, wrong)],
        }),
      ),
    )
    // Readings with a right answer changed the memory once, others twice.
    expect(page).toContain('| lessons | 4 | 3 | 1 | 1 | 1 | 1 | 2 |')
    expect(page).toContain('| rewards | 4 | 1 | 1 | 0 | 0 | 1 | 2 |')
    const rows = page
      .split('**Wrong answers at 8,000 tokens')[1]!
      .trim()
      .split('\n')
      .slice(4)
      .map((row) => row.split(/ (?<!\\)\| /).slice(1))
    expect(rows).toEqual([
      ['Anna Lind', 'Bo Ek', 'right |'],
      ['Anna Lind', '(none)', '(none) |'],
      ['(none)', String.raw`Mr. \| Mr.`, 'right |'],
    ])
  })

  it('does not tell failed readings and parts of lists for answers, nor answers that nothing says are wrong', () => {
    const failed = {
      error: { code: 'chat/timeout', message: 'late' },
      answer: '',
      outcome: 'failed',
    } as const
    const silent = { references: [], answer: '', outcome: 'unsure' } as const
    const readings = [
      reading(0, 1000, false, failed),
      reading(1, 1000, false, { ...failed, references: [] }),
      reading(2, 1000, false, silent),
      reading(3, 1000, false, { answer: 'Bo', references: ['Bo', 'Di'], metrics: { strict: 0.5 } }),
      reading(4, 1000, true, { metrics: { f1: 1 } }),
    ]
    const page = text(wrongAnswerTables(compared({ one: readings, other: readings })))
    expect(page).toContain('| finds another | finds a part | gives no answer | failed |')
    expect(page).toContain('| one | 4 | 4 | 0 | 0 | 0 | 1 | 1 | 2 |')
    const rows = page.split('\n').filter((line) => line.startsWith('| Who keeps'))
    expect(rows.map((row) => row.split(' | ')[2])).toEqual(['(failed)', '(failed)', '(no answer)', 'Bo'])
  })

  it('shows memories as text, whatever the document had in it', () => {
    const hostile = '<script>x()</script>\n| a | ![b](http://c.example/d) **e** <!-- /experiments -->'
    const page = text(
      memoryExamples(
        compared({
          rewards: [reading(0, 1000, true)],
          cold: [reading(0, 1000, false, { trace: [entry(2, hostile)], answer: hostile })],
        }),
      ),
    )
    expect(page).toContain('right only with rewards')
    const [, row] = /^(\| 3 \|.*)$/m.exec(page)!
    expect(row).toContain('&lt;script&gt;')
    expect(row!.match(/(?<!\\)\|/g)).toHaveLength(4)
    expect(row).toContain('Anna Lind')
    expect(page).not.toMatch(/<script|<!--|!\[b\]\(|http:\/\//)
  })
})

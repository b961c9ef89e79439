/** Means over a group of tasks, and which readers are compared. */
import { describe, expect, it } from 'vitest'
import type { BenchRecord } from '../../record.ts'
import { pairedDifference } from '../../statistics/difference.ts'
import { analysed, makeRecord } from '../../testing/made-records.ts'
import type { Block } from '../block.ts'
import { writeMarkdown } from '../formats/markdown.ts'
import { differenceTable } from './accuracy.ts'
import { createComparison, type SampleFilter } from './comparison.ts'
import { meanPlots, meansByGroupTable, taskMeansTable } from './task-means.ts'

/** The first `right` of `of` questions are answered right. */
const answers = (task: string, method: string, right: number, of: number, parts: Partial<BenchRecord> = {}) =>
  Array.from({ length: of }, (_, index) =>
    makeRecord({
      task,
      method,
      index,
      metrics: { strict: Number(index < right) },
      workflow: ['edits', 'gated'].includes(method) ? method : undefined,
      ...parts,
    }),
  )

const compared = (
  records: readonly BenchRecord[],
  groups?: Readonly<Record<string, SampleFilter>>,
  reader = 'edits',
) => createComparison(analysed(records, reader), groups)
const text = (blocks: readonly Block[]) => writeMarkdown(blocks).text.replace(/ {2,}/g, ' ')

const lists = { lists: { tasks: ['counts', 'values'] } }
const records = [
  ...answers('counts', 'edits', 8, 8),
  ...answers('values', 'edits', 1, 2),
  ...answers('counts', 'bm25', 2, 8),
  ...answers('values', 'bm25', 0, 2),
  ...answers('counts', 'map-reduce', 4, 8),
  ...answers('values', 'map-reduce', 1, 2),
  ...answers('names', 'bm25', 8, 8),
]

describe('means over the tasks of a group', () => {
  it('weigh every task the same, and pair every difference on the same samples', () => {
    // 100 and 50 %: 75, not the 90 % of all questions. BM25 has 25 and 0, map-reduce 50 and 50.
    const table = text(taskMeansTable(compared(records, lists)))
    expect(table).toMatch(/\| lists \| edits \| 2 \| 10 \| 75\.0 \([^|]*\) \| – \|/)
    expect(table).toMatch(/\| bm25 \| 2 \| 10 \| 12\.5 \([^|]*\) \| \+62\.5 \([^|]*\) \|/)
    expect(table).toMatch(
      /\| map-reduce \| 2 \| 10 \| 50\.0 \([^|]*\) \| \+25\.0 \([^|]*to the best of the others\) \|/,
    )
  })

  it('are shown side by side, and left out where a reader did not answer every task', () => {
    const groups = { lists: lists.lists, names: { tasks: ['names'] } }
    const table = text(meansByGroupTable(compared(records, groups)))
    expect(table).toMatch(/\| reader \| lists, 2 tasks \| names, 1 task \|/)
    expect(table).toMatch(/\| edits \| 75\.0 \([^|]*\) \| – \|/)
    expect(table).toMatch(/\| bm25 \| 12\.5 \([^|]*\) \| 100\.0 \([^|]*\) \|/)
    const incomplete = text(meansByGroupTable(compared(records, { all: {} })))
    expect(incomplete).toContain('| bm25 |')
    expect(incomplete).not.toContain('| edits |')
  })

  it('are drawn over length, a plot for each set of tasks', () => {
    const long = { lengthTokens: 64_000 }
    const all = [
      ...records,
      ...answers('counts', 'edits', 2, 8, long),
      ...answers('values', 'edits', 1, 2, long),
      ...answers('counts', 'bm25', 2, 8, long),
    ]
    const [short] = records.map(({ lengthTokens }) => lengthTokens)
    const at = (lengths: number[], tasks = lists.lists.tasks) => ({ tasks, lengths })
    const groups = {
      a: at([short!]),
      b: at([64_000]),
      names: at([short!], ['names']),
      both: at([short!, 64_000]),
    }
    const [figure, ...others] = meanPlots(compared(all, groups), 'weighed')
    expect(others).toEqual([])
    expect(figure).toMatchObject({
      type: 'figure',
      plots: [
        {
          title: 'Mean over 2 tasks, weighed',
          lines: [
            {
              name: 'edits',
              points: [
                { x: short, value: 0.75, count: 10 },
                { x: 64_000, value: 0.375, count: 10 },
              ],
            },
            // Of the longer texts it answered one task alone.
            { name: 'bm25', points: [{ x: short, value: 0.125 }] },
            { name: 'map-reduce', points: [{ x: short, value: 0.5 }] },
          ],
        },
        { title: 'Mean over 1 task, weighed', lines: [{ name: 'bm25', points: [{ value: 1 }] }] },
      ],
    })
  })

  it('tell tasks of one name apart by their options', () => {
    const hard = { taskOptions: { decoys: 9 } }
    const all = [
      ...answers('counts', 'edits', 8, 8),
      ...answers('counts', 'edits', 0, 2, hard),
      ...answers('counts', 'bm25', 8, 8),
    ]
    const table = text(taskMeansTable(compared(all, { lists: { tasks: ['counts'] } })))
    expect(table).toMatch(/\| edits \| 2 \| 10 \| 50\.0 /)
    expect(table).toMatch(/\| bm25 \| 1 of 2 \| 8 \| – \| – \|/)
  })

  it('have an interval that squares and adds the distances of the tasks', () => {
    const pairs = (right: number, before: number, of: number) =>
      Array.from({ length: of }, (_, i) => [[Number(i < before), Number(i < right)] as const])
    const [counts, values] = [pairedDifference(pairs(8, 4, 8)), pairedDifference(pairs(1, 1, 2))]
    const reach = (of: 'low' | 'high') => Math.hypot(counts.value - counts[of], values.value - values[of]) / 2
    const [low, high] = [0.25 - reach('low'), 0.25 + reach('high')].map((bound) => (100 * bound).toFixed(1))
    const row = /\| map-reduce [^\n]*/.exec(text(taskMeansTable(compared(records, lists))))![0]
    expect(row.replaceAll('−', '-')).toContain(`(${Number(low) > 0 ? '+' : ''}${low} to +${high}`)
  })

  it('are not of fewer tasks than the group has', () => {
    const table = text(
      taskMeansTable(
        compared([...records, ...answers('values', 'truncate', 2, 2)], {
          lists: { tasks: ['counts', 'values'] },
        }),
      ),
    )
    expect(table).toMatch(/\| truncate \| 1 of 2 \| 2 \| – \| – \|/)
    expect(table).toMatch(/\| map-reduce [^\n]*to the best of the others/)
    const gone = text(taskMeansTable(compared(records, { lists: { tasks: ['counts', 'values', 'order'] } })))
    expect(gone).toMatch(/\| edits \| 2 of 3 \| 10 \| – \| – \|/)
  })

  it('use the metric that a task has', () => {
    const scored = (method: string, f1: number) =>
      answers('mentions', method, 0, 3).map((record) => ({ ...record, metrics: { f1 } }))
    const table = text(taskMeansTable(compared([...scored('edits', 0.75), ...scored('bm25', 0.5)])))
    expect(table).toMatch(
      /\| edits \| 1 \| 3 \| 75\.0 [^\n]*\n[^\n]*\| bm25 \| 1 \| 3 \| 50\.0 [^|]*\| \+25\.0 /,
    )
  })
})

describe('a workflow that the weights were not taught', () => {
  const untrained = [
    ...answers('counts', 'gated', 6, 8, { trained: false }),
    ...answers('values', 'gated', 2, 2, { trained: false }),
  ]

  it('is marked, and compared with nothing', () => {
    const comparison = compared([...records, ...untrained], lists)
    const means = text(taskMeansTable(comparison))
    expect(means).toMatch(/\| gated \(not trained\) \| 2 \| 10 \| 87\.5 \([^|]*\) \| – \|/)
    expect(means).toMatch(/\| map-reduce [^\n]*to the best of the others/)
    expect(text(differenceTable(comparison))).not.toContain('gated')
  })

  it('is not what the others are compared with', () => {
    const named = makeRecord({ method: 'edits', model: 'other', workflow: 'edits' })
    for (const name of ['gated', 'gated, nano']) {
      const all = [...records, ...untrained, named]
      expect(() => compared(all, lists, name), name).toThrow(/was not trained/)
    }
    const { series, differences } = analysed([...untrained, ...answers('counts', 'bm25', 4, 8)])
    expect(series.map(({ name }) => name)).toEqual(['bm25', 'gated (not trained)'])
    expect(differences).toEqual([])
  })
})

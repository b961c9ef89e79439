/** Metrics of the answers to one task at one length. */
import { describe, expect, it } from 'vitest'
import type { BenchRecord } from '../../record.ts'
import { madeBenchmark } from '../../testing/made-benchmark.ts'
import { analysed, makeRecord } from '../../testing/made-records.ts'
import { markdownText } from '../formats/markdown.ts'
import { mainMetric } from '../observation.ts'

const wrong = { strict: 0, lenient: 0 }

describe('cells', () => {
  it('count a failed call both as wrong and as failed, whatever its metrics', () => {
    const error = { code: 'chat/timeout', message: 'too late' }
    const { cells } = analysed([
      makeRecord({ index: 0 }),
      makeRecord({ index: 1 }),
      makeRecord({ index: 2, metrics: {}, error, answer: '', outcome: 'failed' }),
      makeRecord({ index: 3, metrics: { strict: 1, lenient: 1 }, error, answer: '', outcome: 'failed' }),
    ])
    expect(cells).toHaveLength(1)
    expect(cells[0]).toMatchObject({ count: 4, failed: 2, notFound: 0 })
    expect(cells[0]!.metrics.strict).toMatchObject({ value: 0.5, count: 4, interval: 'wilson' })
    expect(cells[0]!.cost.count).toBe(2)
  })

  it('keep strict, lenient and published metrics apart', () => {
    const { cells, metrics } = analysed([
      makeRecord({ index: 0, metrics: { ruler: 1, lenient: 1, strict: 0 } }),
      makeRecord({ index: 1, metrics: { ruler: 0.5, lenient: 0.5, strict: 0 } }),
    ])
    expect(metrics).toEqual(['strict', 'lenient', 'ruler'])
    expect(mainMetric(['sub_em', 'f1'])).toBe('f1')
    expect(mainMetric(['sub_em', 'lenient', 'strict'])).toBe('strict')
    expect(mainMetric(['sub_em'])).toBeUndefined()
    expect(cells[0]!.metrics.strict!.value).toBe(0)
    expect(cells[0]!.metrics.ruler!).toMatchObject({ value: 0.75, interval: 'gaffke' })
  })

  it('give the cost of a million tokens at the pace measured', () => {
    const { cells } = analysed([
      makeRecord({ index: 0, lengthTokens: 8000, seconds: 2, price: 0.1 }),
      makeRecord({ index: 1, lengthTokens: 8000, seconds: 4, price: 0.3 }),
    ])
    expect(cells[0]!.cost).toMatchObject({ seconds: 3, secondsPerMillion: 375, calls: 11, price: 0.2 })
    expect(
      analysed([makeRecord({ index: 0, price: 1 }), makeRecord({ index: 1 })]).cells[0]!.cost.price,
    ).toBe(undefined)
  })

  it('say how many documents are longer than asked', () => {
    const records = [true, undefined].map((keepsLength, index) => makeRecord({ index, keepsLength }))
    const report = markdownText(analysed(records))
    expect(report).toContain('kept their length: facts at 8,000.')
    expect(report).toMatch(/\| overwrite +\| +2 \(1 longer\) \|/)
    expect(markdownText(analysed(records.slice(0, 1)))).not.toContain('longer')
  })

  it('have no pace for lengths that say nothing, and are not named after them', () => {
    const own = ['gates', 'rows'].map((task) =>
      makeRecord({ task, lengthTokens: 1000, seconds: 50, keepsLength: true }),
    )
    const asked = makeRecord({ lengthTokens: 1000, seconds: 2 })
    const { cells, costs } = analysed([...own, asked])
    expect(cells.map(({ task, cost }) => [task.name, task.keepsLength, cost.secondsPerMillion])).toEqual([
      ['facts', false, 2000],
      ['gates', true, Number.NaN],
      ['rows', true, Number.NaN],
    ])
    expect(costs).toHaveLength(2)
    expect(costs.find((one) => one.keepsLength)!.cost).toMatchObject({ count: 2, seconds: 50 })
    expect(costs.find((one) => !one.keepsLength)!.cost).toMatchObject({ secondsPerMillion: 2000, seconds: 2 })
    const page = (records: readonly BenchRecord[]) => markdownText(analysed(records))
    const alone = page(own)
    expect(alone).toContain('of their own length\n')
    expect(alone).toContain('own length')
    expect(alone).not.toContain('1,000')
    expect(page([...own, asked])).toContain('of 1,000 tokens and of their own length\n')
  })

  it('are never averaged over lengths that were asked for and lengths that say nothing', () => {
    const answered = (task: string, strict: number, parts: Partial<BenchRecord> = {}) =>
      makeRecord({ task, metrics: { strict }, lengthTokens: 1000, ...parts })
    const own = { keepsLength: true, seconds: 50 }
    const analysis = analysed([
      answered('a', 1),
      answered('a', 1, { lengthTokens: 64_000 }),
      answered('b', 1),
      answered('b', 0, { lengthTokens: 64_000 }),
      answered('own', 0, own),
      answered('other', 0, own),
    ])
    expect(
      analysis.means.map(({ keepsLength, lengthTokens, estimate }) => [
        keepsLength,
        lengthTokens,
        estimate.value,
      ]),
    ).toEqual([
      [false, 1000, 1],
      [false, 64_000, 0.5],
      [true, 1000, 0],
    ])
    const page = markdownText(analysis).replace(/ {2,}/g, ' ')
    expect(page).toMatch(/\*\*Mean over 2 tasks, strict[^|]*\|[^\n]*\n[^\n]*\n\| 1,000 \| 100\.0/)
    expect(page).toMatch(
      /\*\*Mean over 2 tasks, own length, strict[^|]*\|[^\n]*\n[^\n]*\n\| own length \| 0\.0/,
    )
    expect(page).toMatch(
      /\n\| 1,000 tokens \| overwrite \| 2 \|[\s\S]*\n\| own length \| overwrite \| 2 \| 11 \|/,
    )
  })

  it('take a row of a file that was asked again for the same question, whatever the seed', () => {
    // One row is always right, the other never.
    const asked = (name: (row: number) => Partial<BenchRecord>) =>
      analysed(
        Array.from({ length: 20 }, (_, index) =>
          makeRecord({
            index,
            metrics: index % 2 === 0 ? wrong : { strict: 1, lenient: 1 },
            ...name(index % 2),
          }),
        ),
      ).cells[0]!.metrics.strict!
    const labelled = (row: number) => ({
      sampleId: `gates/q${row}/seed-1/index-0/tokens-8000`,
      labels: { id: `q${row}`, line: row, epoch: 0 },
    })
    const rows = asked(labelled)
    expect(rows).toMatchObject({ value: 0.5, count: 20, groups: 2, interval: 'gaffke' })
    expect(rows.high - rows.low).toBeGreaterThan(0.8)
    expect(
      asked((row) => ({
        sampleId: `babilong/row-${row}/seed-1/index-0/tokens-8000`,
        labels: { row, epoch: 1 },
      })),
    ).toEqual(rows)
    // Rows without names are identified by their questions.
    expect(asked((row) => ({ question: `Who is ${row}?`, labels: { epoch: 0 } }))).toEqual(rows)
    expect(asked((row) => ({ labels: { id: `q${row}` } }))).toMatchObject({ groups: 20 })
  })

  it('hold every record once', () => {
    const records = madeBenchmark({ samples: 3 })
    const { cells } = analysed(records)
    expect(cells.reduce((sum, { count }) => sum + count, 0)).toBe(records.length)
  })
})

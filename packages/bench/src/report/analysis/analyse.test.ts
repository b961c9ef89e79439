import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BenchRecord } from '../../record.ts'
import { madeBenchmark } from '../../testing/made-benchmark.ts'
import { analysed, makeRecord } from '../../testing/made-records.ts'

const wrong = { strict: 0, lenient: 0 }

describe('pairs', () => {
  it.each([{ question: 'Who keeps the harbour?' }, { references: ['Bob'] }, { references: [] }])(
    'of one sample that were asked something else are refused: %j',
    (change) => {
      const records = [makeRecord({ method: 'overwrite' }), makeRecord({ method: 'bm25', ...change })]
      expect(() => analysed(records)).toThrow(
        'facts/8000/0/overwrite/nano in a.jsonl and facts/8000/0/bm25/nano in a.jsonl are one sample, but not one question',
      )
    },
  )
})

describe('runs of other seeds', () => {
  const taskOptions = { firstSeed: 7 }
  const answer = (method: string, seed: number, index: number, strict: number) =>
    makeRecord({
      method,
      seed,
      index,
      taskOptions,
      sampleId: `facts/seed-${7 + index}/index-0/tokens-8000`,
      metrics: { strict },
    })
  const runs = [1, 2].flatMap((seed) => [
    answer('overwrite', seed, 0, 1),
    answer('overwrite', seed, 1, 0),
    // The second seed is right where the first is wrong.
    answer('bm25', seed, 0, seed - 1),
    answer('bm25', seed, 1, 2 - seed),
  ])

  it('ask the same questions again where these have seeds of their own', () => {
    const { cells, differences } = analysed(runs)
    expect(cells[0]!.metrics.strict).toMatchObject({ count: 4, groups: 2, value: 0.5 })
    expect(differences[0]).toMatchObject({ pairs: 4, value: 0 })
  })

  it('are paired with each other if they have no seed in common', () => {
    const apart = runs.filter(({ method, seed }) => (method === 'overwrite') === (seed === 1))
    expect(analysed(apart).differences[0]).toMatchObject({ pairs: 2, value: 0 })
  })

  it('ask others where the seed of the run draws them', () => {
    const drawn = runs.map((one) => ({ ...one, taskOptions: {} }))
    expect(analysed(drawn).cells[0]!.metrics.strict).toMatchObject({ count: 4, groups: 4 })
  })
})

describe('questions with and without an answer', () => {
  const none = { references: [], evidence: [], answer: '', outcome: 'not-found' } as const
  const mixed = ['overwrite', 'bm25'].flatMap((method) =>
    ['two-hop', 'facts'].flatMap((task) => [
      ...[0, 1].map((index) => makeRecord({ task, method, index, metrics: wrong, answer: 'x' })),
      ...[2, 3].map((index) => makeRecord({ task, method, index, ...none })),
    ]),
  )

  it('are in no number together', () => {
    const { tasks, cells, means, differences, depthsByTask, withoutDepth } = analysed(mixed)
    const names = ['facts', 'two-hop', 'facts, no answer', 'two-hop, no answer']
    expect(tasks.map(({ name }) => name)).toEqual(names)
    for (const { task, count: samples, metrics } of cells) {
      expect([samples, metrics.strict!.value]).toEqual([2, task.answerable ? 0 : 1])
      if (!task.answerable) expect(metrics).not.toHaveProperty('lenient')
    }
    expect(means.map(({ answerable, metric, estimate }) => [answerable, metric, estimate.value])).toEqual([
      [true, 'strict', 0],
      [true, 'strict', 0],
      [true, 'lenient', 0],
      [true, 'lenient', 0],
      [false, 'strict', 1],
      [false, 'strict', 1],
    ])
    expect(new Set(differences.map(({ task }) => task.name))).toEqual(new Set(names))
    expect(differences.every(({ pairs }) => pairs === 2)).toBe(true)
    expect(depthsByTask.every(({ task }) => task.answerable)).toBe(true)
    expect(withoutDepth).toBe(0)
  })

  it('have wrong answers of their own', () => {
    const { failures } = analysed(mixed)
    expect(failures.map(({ series, answerable, wrong: count }) => [series.name, answerable, count])).toEqual([
      ['overwrite', true, 4],
      ['overwrite', false, 0],
      ['bm25', true, 4],
      ['bm25', false, 0],
    ])
  })
})

describe('differences', () => {
  it('are over the samples that both answered, and above 0 when the other is better', () => {
    const { differences } = analysed([
      ...[0, 1, 2, 3].map((index) =>
        makeRecord({ index, metrics: index < 1 ? { strict: 1 } : { strict: 0 } }),
      ),
      ...[1, 2, 3, 4, 5].map((index) => makeRecord({ index, method: 'bm25', metrics: { strict: 1 } })),
    ])
    expect(differences).toHaveLength(1)
    expect(differences[0]).toMatchObject({
      pairs: 3,
      better: 3,
      worse: 0,
      value: 1,
      metric: 'strict',
      test: 'mcnemar',
    })
    expect(differences[0]!.pValue).toBeCloseTo(2 * 0.5 ** 3, 12)
  })

  it('leave out samples that are not the same though their index is', () => {
    const { differences } = analysed([
      makeRecord({ index: 0 }),
      makeRecord({ index: 0, method: 'bm25', sampleId: 'another' }),
    ])
    expect(differences).toEqual([])
  })

  it('of all lengths together take the lengths of one question for one group', () => {
    const lengths = [8000, 16_000, 32_000, 64_000]
    const { differences } = analysed(
      lengths.flatMap((lengthTokens) =>
        [0, 1, 2].flatMap((index) => [
          makeRecord({ lengthTokens, index, metrics: { strict: 1 } }),
          makeRecord({ lengthTokens, index, method: 'bm25', metrics: { strict: index === 0 ? 1 : 0 } }),
        ]),
      ),
    )
    const all = differences.find(({ lengthTokens }) => lengthTokens === undefined)!
    expect(all).toMatchObject({ pairs: 12, worse: 8, test: 'sign-flip' })
    expect(all.value).toBeCloseTo(-2 / 3, 12)
    // Two of three questions differ: both signs agree in 2 of 4 cases. Eight samples would give 0.008.
    expect(all.pValue).toBe(0.5)
    expect(all.high).toBeGreaterThan(0)
  })
})

describe('means over tasks', () => {
  it('weight tasks equally, and exist only if a series has all of them', () => {
    const { means } = analysed([
      ...[0, 1, 2, 3].map((index) => makeRecord({ task: 'a', index })),
      ...[0, 1].map((index) => makeRecord({ task: 'b', index, metrics: wrong })),
      makeRecord({ task: 'a', lengthTokens: 16_000 }),
    ])
    const strict = means.filter(({ metric }) => metric === 'strict')
    expect(strict).toHaveLength(1)
    expect(strict[0]).toMatchObject({ lengthTokens: 8000 })
    expect(strict[0]!.estimate).toMatchObject({ value: 0.5, count: 6 })
  })
})

describe('failures', () => {
  it('have one label for every wrong answer', () => {
    const { failures, cells, observations } = analysed(madeBenchmark({ samples: 4 }))
    for (const { series, answerable, wrong: count, labels } of failures) {
      const own = observations.filter(
        ({ method, references }) => method === series.method && references.length > 0 === answerable,
      )
      expect(Object.values(labels).reduce((sum, one) => sum + one, 0)).toBe(count)
      expect(own.filter(({ metrics }) => metrics.strict! < 1).length).toBe(count)
    }
    expect(cells.length).toBeGreaterThan(0)
  })
})

describe('warnings', () => {
  it('are counted by answers and by steps; lines from before they were recorded count in neither', () => {
    const warning = { code: 'memory-cut', message: 'The memory was cut.', steps: [1, 4] }
    const { warnedAnswers, cells } = analysed([
      makeRecord({ index: 0, warnings: [warning], outcome: 'unsure' }),
      makeRecord({ index: 1, warnings: [{ ...warning, steps: [0] }] }),
      makeRecord({ index: 2, warnings: [] }),
      makeRecord({ index: 3 }),
    ])
    expect(warnedAnswers).toMatchObject([
      { code: 'memory-cut', count: 2, of: 3, times: 3, message: 'The memory was cut.' },
    ])
    expect(cells[0]).toMatchObject({ unsure: 1 })
  })
})

describe('properties', () => {
  it('numbers do not depend on the order in which answers were finished', () => {
    const records = madeBenchmark({
      samples: 3,
      tasks: ['facts-in-prose', 'ruler/niah-multivalue'],
      lengths: [8000, 32_000],
    })
    const numbers = (list: readonly BenchRecord[]) => {
      const { cells, differences, means } = analysed(list, 'overwrite')
      const rows = [
        ...cells.map(({ task, series, lengthTokens, metrics, cost }) => [
          task.name,
          series.name,
          lengthTokens,
          metrics,
          cost,
        ]),
        ...differences.map(({ task, series, ...rest }) => [task.name, series.name, rest]),
        ...means.map(({ series, ...rest }) => [series.name, rest]),
      ]
      // Floating-point sums depend on the order, in their last digits.
      const text = (_: string, value: unknown) => (typeof value === 'number' ? value.toPrecision(9) : value)
      return rows.map((row) => JSON.stringify(row, text)).sort()
    }
    const expected = numbers(records)
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
        expect(numbers(shuffled)).toEqual(expected)
      }),
      { numRuns: 3 },
    )
  })
})

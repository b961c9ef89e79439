import { describe, expect, it } from 'vitest'
import { analysed, makeRecord } from '../../testing/made-records.ts'

describe('tasks', () => {
  it('with deviations do not carry the published name, and stay apart from those without', () => {
    const { tasks } = analysed([
      makeRecord({ task: 'ruler/niah-single-1', deviations: ['no essays'] }),
      makeRecord({ task: 'ruler/vt' }),
      makeRecord({ task: 'RULER_cwe', deviations: ['own words'], index: 2 }),
      makeRecord({ task: 'ruler', deviations: ['x'], index: 3 }),
      makeRecord({ task: 'longbench:path=x', deviations: ['x'], index: 4 }),
    ])
    expect(tasks.map(({ name }) => name)).toEqual([
      'after longbench:path=x',
      'cwe',
      'niah-single-1',
      'own variant',
      'ruler/vt',
    ])
  })

  it('of one name and other options are named by the options that differ', () => {
    const { tasks } = analysed([
      makeRecord({ task: 'hops', taskOptions: { hops: 1, prose: 'x' } }),
      makeRecord({ task: 'hops', taskOptions: { hops: 2, prose: 'x' }, index: 1 }),
    ])
    expect(tasks.map(({ name }) => name)).toEqual(['hops, hops 1', 'hops, hops 2'])
  })

  it('are seen or unseen only when all records say the same', () => {
    const seen = (...marks: (boolean | undefined)[]) =>
      analysed(marks.map((seenInTraining, index) => makeRecord({ index, seenInTraining }))).tasks[0]!
        .seenInTraining
    expect(seen(true, true)).toBe(true)
    expect(seen(false)).toBe(false)
    expect(seen(true, undefined)).toBe(undefined)
    expect(seen(true, false)).toBe(undefined)
  })
})

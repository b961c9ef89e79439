import { describe, expect, it } from 'vitest'
import { analysed, makeRecord } from '../../testing/made-records.ts'

const wrong = { strict: 0, lenient: 0 }

describe('positions', () => {
  it('place each sample by its evidence, and leave out those without a single place', () => {
    const at = (startByte: number) => ({ startByte, endByte: startByte + 10 })
    const { depthsByTask, depthsByLength, withoutDepth } = analysed([
      makeRecord({ index: 0, evidence: [at(0)] }),
      makeRecord({ index: 1, evidence: [at(990)], metrics: wrong }),
      makeRecord({ index: 2, evidence: [at(500), at(580)] }),
      makeRecord({ index: 3, evidence: [at(0), at(900)] }),
      makeRecord({ index: 4, evidence: [] }),
    ])
    const rows = depthsByTask.map(({ fromDepth, estimate }) => [fromDepth, estimate.value, estimate.count])
    expect(rows).toEqual([
      [0, 1, 1],
      [0.4, 1, 1],
      [0.8, 0, 1],
    ])
    expect(depthsByLength).toHaveLength(3)
    expect(withoutDepth).toBe(2)
  })

  it('are those of one task each', () => {
    const { depthsByLength } = analysed([
      makeRecord({ task: 'a', index: 0 }),
      makeRecord({ task: 'a', index: 1 }),
      makeRecord({ task: 'b', index: 0, metrics: wrong }),
    ])
    expect(depthsByLength.map(({ task, estimate }) => [task.name, estimate.value, estimate.count])).toEqual([
      ['a', 1, 2],
      ['b', 0, 1],
    ])
  })
})

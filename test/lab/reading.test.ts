import { describe, expect, it } from 'vitest'
import { entry, makeRecord } from '../../packages/bench/src/testing/made-records.ts'
import { digest } from '../../recipes/lab/report/reading.ts'
import { reading } from './made-results.ts'

describe('a reading', () => {
  it('counts the rewrites that held the answer, changed it and lost it, from the memories where they changed', () => {
    // Ten rewrites: found at 2, reworded at 4, lost at 5, found again at 8.
    const trace = [
      entry(0, 'nothing', 1),
      entry(2, 'Anna Lind', 2),
      entry(4, 'keeper: Anna Lind', 4),
      entry(5, 'Bo Ek', 2),
      entry(8, 'Anna Lind', 2),
    ]
    expect(digest(makeRecord({ trace, steps: 10 }))).toMatchObject({
      rewrites: 10,
      changes: 5,
      // After 2: rewrites 3 and 4; after 4: 5; after 8: 9.
      heldRewrites: 4,
      heldChanges: 2,
      losses: 1,
      // 1, 1, 2, 2, 4, 2, 2, 2, 2, 2
      memoryTokens: 2,
      inMemory: 1,
      wasInMemory: 1,
    })
  })

  it('tells what the memory holds at the end from what it held once, and from having nothing to find', () => {
    expect(digest(reading(0, 1000, false))).toMatchObject({ inMemory: 0, wasInMemory: 1, losses: 1 })
    expect(digest(makeRecord({ references: [] })).inMemory).toBeUndefined()
    expect(digest(makeRecord({ error: { code: 'x', message: 'y' }, trace: [], steps: 0 })).inMemory).toBe(0)
  })
})

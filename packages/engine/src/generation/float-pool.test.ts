import { describe, expect, it } from 'vitest'
import { FloatPool } from './float-pool.ts'

describe('FloatPool', () => {
  it('gives the smallest memory that fits, and nobody else the same', () => {
    const pool = new FloatPool()
    const [large, small] = [pool.take(100), pool.take(10)]
    pool.give([large, small])
    const first = pool.take(8)
    const second = pool.take(8)
    const third = pool.take(8)
    expect([first.length, second.length, third.length]).toEqual([8, 8, 8])
    expect(first.buffer).toBe(small.buffer)
    expect(second.buffer).toBe(large.buffer)
    expect([small.buffer, large.buffer]).not.toContain(third.buffer)
  })

  it('takes new memory where nothing is large enough', () => {
    const pool = new FloatPool()
    pool.give([pool.take(10)])
    expect(pool.take(11).length).toBe(11)
  })
})

import { describe, expect, it } from 'vitest'
import { FloatPool } from './float-pool.ts'

describe('FloatPool', () => {
  it('hands out the smallest memory that fits, and never twice', () => {
    const pool = new FloatPool()
    const [large, small] = [pool.take(24), pool.take(10)]
    pool.give([large, small])
    const first = pool.take(8)
    const second = pool.take(8)
    const third = pool.take(8)
    expect([first.length, second.length, third.length]).toEqual([8, 8, 8])
    expect(first.buffer).toBe(small.buffer)
    expect(second.buffer).toBe(large.buffer)
    expect([small.buffer, large.buffer]).not.toContain(third.buffer)
  })

  it('allocates when nothing is large enough, or only much too large', () => {
    const pool = new FloatPool()
    const [small, large] = [pool.take(10), pool.take(1000)]
    pool.give([small, large])
    const taken = pool.take(100)
    expect(taken.length).toBe(100)
    expect([small.buffer, large.buffer]).not.toContain(taken.buffer)
  })

  it('serves slightly larger arrays from the same memory', () => {
    const pool = new FloatPool()
    const buffers = new Set<ArrayBufferLike>()
    for (let length = 1000; length < 2000; length += 10) {
      const values = pool.take(length)
      buffers.add(values.buffer)
      pool.give([values])
    }
    expect(buffers.size).toBeLessThan(8)
  })

  it('frees what exceeds its limit, and empty memory', () => {
    const pool = new FloatPool(400)
    const [first, second] = [pool.take(64), pool.take(64)]
    pool.give([pool.take(0), first, second])
    expect(pool.take(64).buffer).toBe(first.buffer)
    expect(pool.take(64).buffer).not.toBe(second.buffer)
  })
})

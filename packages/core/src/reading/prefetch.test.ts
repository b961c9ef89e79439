import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { prefetch } from './prefetch.ts'

const never = new AbortController().signal

describe('prefetch', () => {
  it('hands on everything in order, one ahead and no more', async () => {
    let made = 0
    async function* source() {
      for (; made < 5; ) yield made++
    }
    const seen: number[] = []
    for await (const item of prefetch(source(), never)) {
      seen.push(item)
      await new Promise((resolve) => setTimeout(resolve, 1))
      expect(made).toBeLessThanOrEqual(item + 2)
    }
    expect(seen).toEqual([0, 1, 2, 3, 4])
  })

  it('requests the next item after work on the current one has begun, and before it ends', async () => {
    const order: string[] = []
    async function* source() {
      for (let i = 0; i < 3; i++) {
        order.push(`make ${i}`)
        yield i
      }
    }
    for await (const item of prefetch(source(), never)) {
      for (let turn = 0; turn < 20; turn++) await undefined
      order.push(`begin ${item}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push(`end ${item}`)
    }
    expect(order.join(', ')).toBe('make 0, begin 0, make 1, end 0, begin 1, make 2, end 1, begin 2, end 2')
  })

  it('throws a failure in its turn, after the items before it', async () => {
    async function* source() {
      yield 1
      throw new RangeError('broken')
    }
    const seen: number[] = []
    const reading = (async () => {
      for await (const item of prefetch(source(), never)) {
        seen.push(item)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })()
    await expect(reading).rejects.toThrow('broken')
    expect(seen).toEqual([1])
  })

  it('closes the source when the reader leaves', async () => {
    let isClosed = false
    async function* source() {
      try {
        for (let i = 0; ; i++) yield i
      } finally {
        isClosed = true
      }
    }
    for await (const item of prefetch(source(), never)) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (item === 2) break
    }
    expect(isClosed).toBe(true)
  })

  it('neither an abort nor leaving waits for a silent source', async () => {
    async function* source() {
      yield 1
      await new Promise(() => undefined)
    }
    for await (const item of prefetch(source(), never)) if (item === 1) break
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('tired')), 2)
    const all = (async () => {
      for await (const item of prefetch(source(), controller.signal)) expect(item).toBe(1)
    })()
    await expect(all).rejects.toThrow('tired')
  })

  it('holds no item after it was handed on', async () => {
    // Items can be garbage-collected: no promise chain holds them.
    const collected: number[] = []
    const registry = new FinalizationRegistry<number>((i) => collected.push(i))
    async function* source() {
      for (let i = 0; i < 60; i++) {
        const item = { i, weight: new Array(50_000).fill(i) }
        registry.register(item, i)
        yield item
      }
    }
    let last = 0
    for await (const { i } of prefetch(source(), never)) {
      last = i
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    for (let round = 0; round < 50 && collected.length < 58; round++) {
      collectGarbage()
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(last).toBe(59)
    expect(collected.length).toBeGreaterThanOrEqual(58)
  })
})

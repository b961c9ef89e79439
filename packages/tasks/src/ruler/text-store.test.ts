import { describe, expect, it } from 'vitest'
import { createTextStore } from './text-store.ts'

describe('a store of texts', () => {
  it('gives each text back, and one number to texts that are alike', () => {
    const store = createTextStore()
    const texts = ['', 'é🙂', 'a'.repeat(3_000_000), 'b'.repeat(700_000), 'c'.repeat(700_000)]
    expect(texts.map((text) => store.add(text))).toEqual([0, 1, 2, 3, 4])
    expect(texts.toReversed().map((text) => store.add(text))).toEqual([4, 3, 2, 1, 0])
    expect(texts.map((_, number) => store.textOf(number))).toEqual(texts)
    expect(store.count).toBe(texts.length)
    expect(store.bytesOf(1)).toBe(6)
    expect(() => store.textOf(5)).toThrow(RangeError)
  })
})

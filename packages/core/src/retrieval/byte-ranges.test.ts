import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeRanges } from './byte-ranges.ts'

it('merges touching and overlapping ranges, in order, and drops empty ones', () => {
  const ranges = [
    [8, 9],
    [0, 3],
    [3, 5],
    [4, 4],
    [6, 6],
    [2, 4],
  ].map(([startByte, endByte]) => ({ startByte: startByte!, endByte: endByte! }))
  expect(mergeRanges(ranges)).toEqual([
    { startByte: 0, endByte: 5 },
    { startByte: 8, endByte: 9 },
  ])
})

it('covers the same bytes with ranges that do not touch', () => {
  const range = fc
    .tuple(fc.nat({ max: 40 }), fc.nat({ max: 6 }))
    .map(([startByte, length]) => ({ startByte, endByte: startByte + length }))
  const bytesOf = (ranges: readonly { startByte: number; endByte: number }[]) =>
    new Set(
      ranges.flatMap(({ startByte, endByte }) =>
        Array.from({ length: endByte - startByte }, (_, i) => startByte + i),
      ),
    )
  fc.assert(
    fc.property(fc.array(range, { maxLength: 10 }), (ranges) => {
      const merged = mergeRanges(ranges)
      expect(bytesOf(merged)).toEqual(bytesOf(ranges))
      for (const [i, { startByte }] of merged.entries()) {
        if (i > 0) expect(startByte).toBeGreaterThan(merged[i - 1]!.endByte)
      }
    }),
  )
})

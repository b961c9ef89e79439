import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linearMarks, linearScale, logMarks, logScale, spread, symmetricLimit } from './scale.ts'

describe('scales', () => {
  it('put bounds at the ends, and a lone value in the middle', () => {
    expect(linearScale([0, 1], [100, 0])(0.25)).toBe(75)
    expect(logScale([1000, 1_000_000], [0, 300])(10_000)).toBeCloseTo(100, 9)
    expect(logScale([8000, 8000], [0, 300])(8000)).toBe(150)
  })

  it('have logarithmic marks around all values, at least two', () => {
    expect(logMarks(3, 4000)).toEqual([1, 10, 100, 1000, 10_000])
    expect(logMarks(3, 40)).toEqual([1, 10, 100])
    expect(logMarks(12, 40)).toEqual([10, 20, 50])
    expect(logMarks(1, 1)).toEqual([1, 2])
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        (low, factor) => {
          const marks = logMarks(low, low * factor)
          expect(marks.length).toBeGreaterThanOrEqual(2)
          expect(marks[0]).toBeLessThanOrEqual(low * 1.000001)
          expect(marks.at(-1)).toBeGreaterThanOrEqual(low * factor * 0.999999)
        },
      ),
    )
  })

  it('have linear marks at round numbers, within the bounds', () => {
    expect(linearMarks(0, 1000)).toEqual([0, 200, 400, 600, 800, 1000])
    expect(linearMarks(50, 300)).toEqual([50, 100, 150, 200, 250, 300])
    expect(linearMarks(0, 4)).toEqual([0, 1, 2, 3, 4])
    expect(linearMarks(7, 7)).toEqual([7])
    fc.assert(
      fc.property(fc.nat(5000), fc.integer({ min: 5, max: 100_000 }), (low, width) => {
        const marks = linearMarks(low, low + width)
        expect(marks.length).toBeGreaterThanOrEqual(2)
        expect(marks.length).toBeLessThanOrEqual(6)
        expect(marks[0]).toBeGreaterThanOrEqual(low)
        expect(marks.at(-1)).toBeLessThanOrEqual(low + width)
      }),
    )
  })

  it('around 0 hold the largest value on either side', () => {
    expect(symmetricLimit([-0.07, 0.02])).toBe(0.1)
    expect(symmetricLimit([0.7, Number.NaN])).toBe(1)
    expect(symmetricLimit([])).toBe(0.05)
  })
})

describe('labels', () => {
  it('keep their distance, their order and the bounds where there is room', () => {
    const place = fc.double({ min: 0, max: 200, noNaN: true })
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 10 }), (places) => {
        const result = spread(places, 13, [0, 200])
        const sorted = result.toSorted((a, b) => a - b)
        sorted.forEach((label, i) => {
          expect(label).toBeGreaterThanOrEqual(-1e-9)
          expect(label).toBeLessThanOrEqual(200 + 1e-9)
          if (i > 0) expect(label - sorted[i - 1]!).toBeGreaterThanOrEqual(13 - 1e-9)
        })
        places.forEach((a, i) => {
          places.forEach((b, j) => {
            if (a < b) expect(result[i]).toBeLessThan(result[j]!)
          })
        })
      }),
    )
  })

  it('stay in place when none is near another', () => {
    expect(spread([100, 20, 60], 13, [0, 200])).toEqual([100, 20, 60])
  })
})

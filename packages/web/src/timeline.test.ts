import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PageRange, PageStep } from './run-page.ts'
import { changeOf } from './text-change.ts'
import { density, isInTextOrder, Memories } from './timeline.ts'

const stepsWith = (memories: readonly string[], start = ''): PageStep[] =>
  memories.map((memory, i) => {
    const change = changeOf(memories[i - 1] ?? start, memory)
    return { ranges: [], ...(change && { change }) }
  })

describe('memories', () => {
  it('are those of the run, at every step', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('', 'a', 'a\nb', 'Ann came. She left.'), { maxLength: 700 }),
        (all) => {
          const memories = new Memories({ start: 'first', steps: stepsWith(all, 'first') })
          expect(memories.at(-1)).toBe('first')
          expect(all.map((_, i) => memories.at(i))).toEqual(all)
          expect([...memories.around()].every(({ step, after }) => after === all[step])).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('know the change before and after each step', () => {
    const memories = new Memories({ start: '', steps: stepsWith(['', 'a', 'a', 'b', 'b']) })
    expect([0, 1, 2, 3, 4].map((step) => [memories.changeBefore(step), memories.changeAfter(step)])).toEqual([
      [undefined, 1],
      [undefined, 3],
      [1, 3],
      [1, undefined],
      [3, undefined],
    ])
  })
})

describe('density', () => {
  it('is the share of each part that is marked', () => {
    expect(density([0, 1, 5], 6, 3)).toEqual([1, 0, 0.5])
    expect(density([2], 3, 240)).toEqual([0, 0, 1])
    expect(density([], 0, 240)).toEqual([])
  })

  it('is between 0 and 1 and counts every mark', () => {
    const marks = fc.integer({ min: 1, max: 3000 }).chain((count) =>
      fc.tuple(
        fc.constant(count),
        fc.uniqueArray(fc.nat({ max: count - 1 })).map((all) => all.sort((a, b) => a - b)),
      ),
    )
    fc.assert(
      fc.property(marks, ([count, marked]) => {
        const shares = density(marked, count, 240)
        expect(shares).toHaveLength(Math.min(240, count))
        expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
        expect(shares.some((share) => share > 0)).toBe(marked.length > 0)
      }),
    )
  })
})

it('knows whether steps are in the order of the text', () => {
  const step = (...ranges: readonly [file: number, startByte: number, endByte: number][]): PageStep => ({
    ranges: ranges.map(([file, startByte, endByte]): PageRange => ({ file, startByte, endByte })),
  })
  expect(isInTextOrder([step([0, 0, 9]), step([0, 9, 20], [1, 0, 4]), step([1, 4, 8])])).toBe(true)
  expect(isInTextOrder([step([0, 9, 20]), step([0, 0, 9])])).toBe(false)
  expect(isInTextOrder([step([0, 0, 9]), step([1, 0, 9]), step([0, 9, 20])])).toBe(false)
})

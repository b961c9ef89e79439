import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PageRange, PageStep } from './run-page.ts'
import { changeOf } from './text-change.ts'
import { Timeline } from './timeline.ts'

const timelineOf = (steps: readonly PageStep[], start = ''): Timeline => {
  const timeline = new Timeline(start)
  for (const step of steps) timeline.add(step)
  return timeline
}

const stepsWith = (memories: readonly string[], start = ''): PageStep[] =>
  memories.map((memory, i) => {
    const change = changeOf(memories[i - 1] ?? start, memory)
    return { ranges: [], ...(change && { change }) }
  })

const opened = (timeline: Timeline) => new Timeline(JSON.parse(JSON.stringify(timeline.packed())))

describe('memories', () => {
  const words = fc.constantFrom('', 'a', 'a\nb', 'Ann came. She left.')

  it('are those of the run, at every step, packed or not, and whatever is added to it', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 700 }), fc.array(words, { maxLength: 150 }), (some, more) => {
        const all = [...some, ...more]
        const steps = stepsWith(all, 'first')
        const grown = opened(timelineOf(steps.slice(0, some.length), 'first'))
        for (const step of steps.slice(some.length)) grown.add(step)
        for (const timeline of [timelineOf(steps, 'first'), grown, opened(grown)]) {
          expect(timeline.at(-1)).toBe('first')
          expect(all.map((_, i) => timeline.at(i))).toEqual(all)
          expect([...timeline.around()].every(({ step, after }) => after === all[step])).toBe(true)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('know the change before and after each step', () => {
    const timeline = timelineOf(stepsWith(['', 'a', 'a', 'b', 'b']))
    expect([0, 1, 2, 3, 4].map((step) => [timeline.changeBefore(step), timeline.changeAfter(step)])).toEqual([
      [undefined, 1],
      [undefined, 3],
      [1, 3],
      [1, undefined],
      [3, undefined],
    ])
  })
})

it('knows which steps had warnings or kept the memory', () => {
  const timeline = timelineOf([{ ranges: [] }, { ranges: [], warnings: [0] }, { ranges: [], isKept: true }])
  expect(opened(timeline).troubled).toEqual([1, 2])
})

it('knows whether steps are in the order of the text', () => {
  const step = (...ranges: readonly [file: number, startByte: number, endByte: number][]): PageStep => ({
    ranges: ranges.map(([file, startByte, endByte]): PageRange => ({ file, startByte, endByte })),
  })
  const isInOrder = (...steps: readonly PageStep[]) =>
    [0, 1].map((split) => {
      const timeline = opened(timelineOf(steps.slice(0, split)))
      for (const one of steps.slice(split)) timeline.add(one)
      return timeline.isInTextOrder
    })
  expect(isInOrder(step([0, 0, 9]), step([0, 9, 20], [1, 0, 4]), step([1, 4, 8]))).toEqual([true, true])
  expect(isInOrder(step([0, 9, 20]), step([0, 0, 9]))).toEqual([false, false])
  expect(isInOrder(step([0, 0, 9]), step([1, 0, 9]), step([0, 9, 20]))).toEqual([false, false])
})

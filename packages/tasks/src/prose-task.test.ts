import { describe, expect, it } from 'vitest'
import { isAbsent, isHeldOutTurn } from './prose-task.ts'

const positions = (count: number) => Array.from({ length: count }, (_, position) => position)

describe('documents without the answer', () => {
  it.each([
    [0.1, [9, 18, 29, 38]],
    [0.5, [1, 2, 5, 6]],
    [0.2, [4, 9, 14, 19, 24, 29, 34, 39]],
    [0.3, [3, 6, 9, 13, 16, 19, 23, 26, 29, 33, 36, 39]],
    [0, []],
  ])('are, for a share of %d, in their places', (share, absent) => {
    const last = absent.at(-1) ?? 39
    expect(positions(last + 1).filter((position) => isAbsent(position, share))).toEqual(absent)
  })

  it.each([0.05, 0.1, 0.2, 0.25, 0.28, 0.5, 1])(
    'fall on held-out templates as often as on others, for a share of %d',
    (share) => {
      const absent = positions(400).filter((position) => isAbsent(position, share))
      const heldOut = absent.filter((position) => isHeldOutTurn('mixed', position))
      expect(absent.length).toBeCloseTo(400 * share)
      expect(Math.abs(heldOut.length - absent.length / 2)).toBeLessThanOrEqual(1)
    },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attentionMask } from './training-batch.ts'

const rows = 2
const rowLength = 12
const size = rows * rowLength
const integers = (min: number, max: number) =>
  fc
    .array(fc.integer({ min, max }), { minLength: size, maxLength: size })
    .map((list) => Int32Array.from(list))

describe('attentionMask', () => {
  it('lets a token see itself, and earlier ones of its group in the trunk or its own branch', () => {
    fc.assert(
      fc.property(integers(-1, 2), integers(0, 2), (group, branch) => {
        const nothing = new Int32Array(0)
        const mask = attentionMask(
          {
            ...{
              rows,
              rowLength,
              group,
              branch,
              tokens: new Int32Array(size),
              positions: new Int32Array(size),
            },
            ...{ targetRows: nothing, targets: nothing, coefficients: new Float32Array(0) },
          },
          new Float32Array(size * rowLength).fill(7),
        )
        for (let at = 0; at < mask.length; at++) {
          const [token, column] = [Math.floor(at / rowLength), at % rowLength]
          const [position, other] = [token % rowLength, token - (token % rowLength) + column]
          const isSeen =
            column === position ||
            (column < position &&
              group[token]! >= 0 &&
              group[other] === group[token] &&
              (branch[other] === 0 || branch[other] === branch[token]))
          expect(mask[at]).toBe(isSeen ? 0 : -1e9)
        }
      }),
    )
  })
})

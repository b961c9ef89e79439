import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ChatError } from '../errors.ts'
import type { Passage, PieceText } from './passages.ts'
import { TopPassages } from './top-passages.ts'

const passage = (ordinal: number, tokens: number): Passage<PieceText> => ({
  ordinal,
  pieces: [{ ordinal, tokens, text: '', startByte: 0, endByte: 0, startCharacter: 0, endCharacter: 0 }],
})
const query = Float32Array.of(3, 4)

it('ranks by the cosine: direction counts, length does not', () => {
  const top = new TopPassages(query, 1000)
  const vectors = [
    [4, -3], // at right angles: 0
    [30, 40], // the same direction: 1
    [5, 0], // 15 / 25 = 0.6
    [0, 0.1], // 0.4 / 0.5 = 0.8
    [-3, -4], // the opposite: -1
    [0, 0], // none: 0
  ]
  for (const [i, vector] of vectors.entries()) {
    top.add({ passage: passage(i, 10), vector: Float32Array.from(vector) })
  }
  expect(top.passages.map(({ ordinal }) => ordinal)).toEqual([1, 3, 2, 0, 5, 4])
})

it('holds what sorting all of them would put first, and no more than the room can use', () => {
  const angle = fc.integer({ min: 0, max: 8 })
  const tokens = fc.integer({ min: 1, max: 9 })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(angle, tokens), { maxLength: 40 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom(undefined, 1, 3),
      (all, room, most) => {
        const top = new TopPassages(Float32Array.of(1, 0), room, most)
        for (const [i, [turn, size]] of all.entries()) {
          const vector = Float32Array.of(Math.cos(turn / 3), Math.sin(turn / 3))
          top.add({ passage: passage(i, size), vector })
        }
        const sorted = all
          .map(([turn, size], i) => ({ turn, size, i }))
          .sort((a, b) => a.turn - b.turn || a.i - b.i)
        let sum = 0
        const wanted = sorted.filter(({ size }, i) => {
          const isWanted = sum < 2 * room && i < (most ?? Number.POSITIVE_INFINITY)
          sum += size
          return isWanted
        })
        expect(top.passages.map(({ ordinal }) => ordinal)).toEqual(wanted.map(({ i }) => i))
      },
    ),
  )
})

it("rejects vectors whose length differs from the query's", () => {
  const top = new TopPassages(query, 10)
  expect(() => top.add({ passage: passage(0, 1), vector: Float32Array.of(1) })).toThrow(ChatError)
})

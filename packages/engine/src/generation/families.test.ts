import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findFamilies } from './families.ts'

const prompt = (...parts: number[][]) => ({ promptTokens: parts.flat() })
const run = (value: number, length: number) => new Array<number>(length).fill(value)

describe('findFamilies', () => {
  it('groups prompts with a long common beginning, and leaves each at least one token of its own', () => {
    const members = [prompt(run(1, 50), [2]), prompt(run(1, 50), [3, 4]), prompt(run(1, 50))]
    const stranger = prompt(run(7, 60))
    const families = findFamilies([members[0]!, stranger, members[1]!, members[2]!], 4)
    expect(families).toHaveLength(2)
    expect(families[0]!.trunkLength).toBe(48)
    expect(new Set(families[0]!.members)).toEqual(new Set(members))
    expect(families[1]).toEqual({ trunkLength: 0, members: [stranger] })
  })

  it('does not let one prompt shorten the trunk of many', () => {
    const long = [1, 2, 3].map((last) => prompt(run(1, 200), [last]))
    const short = prompt(run(1, 40), run(2, 100))
    const families = findFamilies([...long, short], 4)
    expect(families.map(({ trunkLength, members }) => [trunkLength, members.length])).toEqual([
      [200, 3],
      [0, 1],
    ])
  })

  it('loses and duplicates nothing, and every trunk is common to its members', () => {
    const part = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 60 }))
    fc.assert(
      fc.property(fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), (parts) => {
        const prompts = parts.map((runs) => prompt(...runs.map(([value, length]) => run(value, length))))
        const families = findFamilies(prompts, 4)
        const all = families.flatMap(({ members }) => members)
        expect(new Set(all)).toEqual(new Set(prompts))
        expect(all).toHaveLength(prompts.length)
        for (const { trunkLength, members } of families) {
          expect(trunkLength % 4).toBe(0)
          const trunk = members[0]!.promptTokens.slice(0, trunkLength)
          for (const { promptTokens } of members) {
            expect(promptTokens.slice(0, trunkLength)).toEqual(trunk)
            expect(promptTokens.length).toBeGreaterThan(trunkLength - Number(trunkLength === 0))
          }
        }
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DraftFollower } from './draft-follower.ts'

/** Generates the response as a model that verifies proposals. @returns evaluations and proposed tokens */
function generate(draft: readonly number[], response: readonly number[]) {
  const follower = new DraftFollower(draft)
  let [evaluations, proposed] = [0, 0]
  for (let at = 0; at < response.length; ) {
    const proposal = follower.proposal()
    evaluations++
    proposed += proposal.length
    let held = 0
    while (held < proposal.length && proposal[held] === response[at + held]) held++
    // Accepted tokens come one by one, and so does the one after them.
    for (const token of response.slice(at, at + held + 1)) follower.push(token)
    at += held + 1
  }
  return { evaluations, proposed }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

describe('a draft', () => {
  it('that is the response is generated in steps of up to 64 tokens', () => {
    // Proposals of 16 and 64 tokens, each with one more from the model, then the rest: 17 + 65 + 65 + 3.
    expect(generate(numbers(0, 150), numbers(0, 150))).toEqual({ evaluations: 4, proposed: 16 + 64 + 64 + 3 })
  })

  it('is followed again after an insertion, an omission or a replacement', () => {
    const draft = numbers(0, 100)
    const putIn = [...numbers(0, 50), 900, 901, 902, ...numbers(50, 100)]
    const leftOut = [...numbers(0, 50), ...numbers(60, 100)]
    const replaced = [...numbers(0, 50), 900, ...numbers(51, 100)]
    for (const response of [putIn, leftOut, replaced]) {
      expect(generate(draft, response).evaluations).toBeLessThan(12)
    }
  })

  it('that has nothing to do with the response is proposed once', () => {
    expect(generate(numbers(0, 100), numbers(500, 600))).toEqual({ evaluations: 100, proposed: 16 })
    expect(generate([], numbers(0, 10))).toEqual({ evaluations: 10, proposed: 0 })
  })

  it('costs no step and proposes at most 64 tokens, whatever the response', () => {
    const tokens = fc.array(fc.nat({ max: 3 }), { maxLength: 40 })
    fc.assert(
      fc.property(tokens, tokens, (draft, response) => {
        const { evaluations, proposed } = generate(draft, response)
        expect(evaluations).toBeLessThanOrEqual(response.length)
        expect(proposed).toBeLessThanOrEqual(64 * evaluations)
      }),
    )
  })
})

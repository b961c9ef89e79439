import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scoreRuler, stringMatchAll, stringMatchPart } from './string-match.ts'

describe('string_match_all', () => {
  it('is the share of the references that are substrings, whatever their case', () => {
    expect(stringMatchAll('They are ABC, and dEf.', ['abc', 'DEF', 'ghi', 'jkl'])).toBe(0.5)
    expect(stringMatchAll('1234567', ['234', '567', '89'])).toBeCloseTo(2 / 3)
    expect(stringMatchAll('abc', ['abc'])).toBe(1)
    expect(stringMatchAll('', ['abc'])).toBe(0)
    expect(stringMatchAll('ab', ['abc'])).toBe(0)
    expect(stringMatchAll('anything', [])).toBe(0)
  })
})

describe('string_match_part', () => {
  it('is 1 for any reference that is a substring', () => {
    expect(stringMatchPart('In NORMANDY, France', ['Paris', 'Normandy'])).toBe(1)
    expect(stringMatchPart('Norman', ['Paris', 'Normandy'])).toBe(0)
    expect(stringMatchPart('', ['Paris'])).toBe(0)
  })
})

describe('both', () => {
  it('treat control characters as line ends, as RULER does, and ignore spaces around the answer', () => {
    expect(stringMatchPart('one\u0000two', ['one\ntwo'])).toBe(1)
    expect(stringMatchPart('one\ttwo', ['one\ttwo'])).toBe(0)
    expect(stringMatchPart(' one ', [' one'])).toBe(0)
  })

  it('agree for one reference, and all-of is never above any-of', () => {
    const word = fc.stringMatching(/^[abAB]{1,4}$/)
    fc.assert(
      fc.property(
        fc.stringMatching(/^[abAB ]{0,12}$/),
        fc.array(word, { minLength: 1, maxLength: 4 }),
        (answer, references) => {
          expect(stringMatchAll(answer, references)).toBeLessThanOrEqual(stringMatchPart(answer, references))
          expect(stringMatchAll(answer, [references[0]!])).toBe(stringMatchPart(answer, [references[0]!]))
        },
      ),
    )
  })
})

describe('scoreRuler', () => {
  it("is reported beside the package's own metrics, which want whole words", () => {
    const sample = { references: ['cat', 'dog'], match: 'all' } as const
    expect(scoreRuler(sample, 'catalogue, dog')).toEqual({ ruler: 1, strict: 0.5, lenient: 0.5 })
    expect(scoreRuler(sample, 'dog', 'Not a cat but a \\boxed{dog}')).toMatchObject({
      ruler: 1,
      lenient: 0.5,
    })
    expect(scoreRuler(sample, undefined, 'No cat here: \\boxed{not in the text}')).toMatchObject({
      ruler: 0.5,
    })
    expect(scoreRuler(sample, undefined)).toEqual({ ruler: 0, strict: 0, lenient: 0 })
    expect(scoreRuler({ references: ['cat', 'dog'], match: 'any' }, 'a dog')).toEqual({
      ruler: 1,
      strict: 1,
      lenient: 1,
    })
  })
})

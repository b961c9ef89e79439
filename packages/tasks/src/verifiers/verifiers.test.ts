import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lenientScore } from './lenient.ts'
import { normalizeAnswer } from './normalize.ts'
import { scoreAnswer } from './score.ts'
import { equalsReference, strictScore } from './strict.ts'

describe('normalizeAnswer', () => {
  it.each([
    ['  The Blue  Harbor.', 'blue harbor'],
    ['"Anna Mott"', 'anna mott'],
    ['ＡＢＣ－４２', 'abc-42'],
    ['“Quiet Rivers”', 'quiet rivers'],
    ['$5,000', '$5,000'],
    ['+47 123', '+47 123'],
    ['14:30', '14:30'],
    ['**4711**!', '4711'],
    ['the', 'the'],
    ['3½ inches', '3 1/2 inches'],
    ['10² and 10⁻⁵, 25 m²', '10^2 and 10^-5, 25 m2'],
  ])('%j becomes %j', (text, expected) => {
    expect(normalizeAnswer(text)).toBe(expected)
  })
})

describe('strict', () => {
  it('wants the reference and nothing else', () => {
    expect(equalsReference('the red cabinet.', 'The red cabinet')).toBe(true)
    expect(equalsReference('It is 4711', '4711')).toBe(false)
    expect(equalsReference('47110', '4711')).toBe(false)
    expect(equalsReference('', '')).toBe(false)
    expect(equalsReference('...', '!')).toBe(false)
  })

  it('takes one of several references, or the share of all of them minus guesses', () => {
    expect(strictScore('b', ['a1', 'b'], 'any')).toBe(1)
    expect(strictScore('1, 2 and 3', ['1', '2', '3', '4'], 'all')).toBe(0.75)
    expect(strictScore('4, 3; 2\n1', ['1', '2', '3', '4'], 'all')).toBe(1)
    expect(strictScore('1, 2, 3, 4', ['1', '2'], 'all')).toBe(0.5)
    expect(strictScore('', ['1', '2'], 'all')).toBe(0)
  })
})

describe('strict lists', () => {
  const books = ['Fox and Ladder', 'The Amber Gate', '1,250 crowns']

  it('give the share found, in any order, with commas, semicolons, lines or "and" between', () => {
    for (const separator of [', ', '; ', '\n', ' and ']) {
      expect(strictScore(books.toReversed().join(separator), books, 'all'), separator).toBe(1)
      expect(strictScore(books.slice(1).join(separator), books, 'all'), separator).toBeCloseTo(2 / 3)
    }
    expect(strictScore('The Amber Gate, 1,250 crowns, and Fox and Ladder.', books, 'all')).toBe(1)
  })

  it('count a reference with a separator in it as one part, and pieces of it as guesses', () => {
    expect(strictScore('Fox and Ladder', ['Fox and Ladder', 'Ladder'], 'all')).toBe(0.5)
    expect(strictScore('Fox, Ladder', ['Fox and Ladder', 'Gate'], 'all')).toBe(0)
    expect(strictScore('It is Fox and Ladder; Gate', ['Fox and Ladder', 'Gate'], 'all')).toBeCloseTo(1 / 3)
  })

  it('may be lists with bullets, or with numbers that count from 1', () => {
    expect(strictScore('1. Fox and Ladder\n2. The Amber Gate\n3. 1,250 crowns', books, 'all')).toBe(1)
    expect(strictScore('- The Amber Gate\n- Fox and Ladder\n- 1,250 crowns', books, 'all')).toBe(1)
    expect(strictScore('12. May\n3. June', ['12. May', '3. June'], 'all')).toBe(1)
    expect(strictScore('1. May\n2. June', ['1. May', '2. June'], 'all')).toBe(1)
  })

  it('may be numbered from 1 in one line, whatever stands between the parts', () => {
    const [three, two] = [
      ['Fox', 'Gate', 'Hill'],
      ['Fox', 'Gate'],
    ]
    expect(strictScore('1. Fox; 2. Gate; 3. Hill', three, 'all')).toBe(1)
    expect(strictScore('1) Fox, 2) Gate, and 3) Hill.', three, 'all')).toBe(1)
    expect(strictScore('1. Fox; 2. Gate\n3. Hill', three, 'all')).toBe(1)
    expect(strictScore('(1) Fox, (2) Gate', two, 'all')).toBe(1)
    expect(strictScore('(1) Fox\n(2) Gate', two, 'all')).toBe(1)
    expect(strictScore('1. Fox and Ladder; 2. The Amber Gate; 3. 1,250 crowns', books, 'all')).toBe(1)
    expect(strictScore('1. 4; 2. 7', ['4', '7'], 'all')).toBe(1)
    expect(strictScore('1. Fox; 2. Hill', two, 'all')).toBe(0.5)
  })

  it('keep numbers that do not count, or that references have', () => {
    expect(strictScore('12. May; 3. June', ['May', 'June'], 'all')).toBe(0)
    expect(strictScore('2. Fox; 1. Gate', ['Fox', 'Gate'], 'all')).toBe(0)
    expect(strictScore('Fox; 1. May', ['Fox', 'May'], 'all')).toBe(0.5)
    expect(strictScore('They are:\n1. Fox\n2. May', ['Fox', 'May'], 'all')).toBeCloseTo(2 / 3)
    expect(strictScore('12. May; 3. June', ['12. May', '3. June'], 'all')).toBe(1)
    expect(strictScore('1. May; 2. June', ['1. May', '2. June'], 'all')).toBe(1)
    expect(strictScore('1. May; 2. July', ['1. May', '2. June'], 'all')).toBe(0.5)
    expect(strictScore('(4), (7)', ['4', '7'], 'all')).toBe(1)
    expect(strictScore('1; 2; 3', ['1', '2', '3'], 'all')).toBe(1)
    expect(strictScore('1. Fox', ['1', 'Fox'], 'all')).toBe(0.5)
  })

  it('may have "&" between parts, and inside a reference', () => {
    expect(strictScore('Fox & Gate', ['Fox', 'Gate'], 'all')).toBe(1)
    expect(strictScore('Fox, Gate & Hill', ['Fox', 'Gate', 'Hill'], 'all')).toBe(1)
    const firms = ['Fox & Sons', 'AT&T', 'Hill']
    expect(strictScore('Fox & Sons; AT&T; Hill', firms, 'all')).toBe(1)
    expect(strictScore('Hill & Fox & Sons & AT&T', firms, 'all')).toBe(1)
    expect(strictScore('Fox & Hill', ['Fox & Sons', 'Hill'], 'all')).toBe(0.5)
    expect(strictScore('Fox & Gate', ['Fox', 'Gate'], 'any')).toBe(0)
  })

  it('count no value twice, and let guesses cost', () => {
    expect(strictScore('a, a, a', ['a', 'b'], 'all')).toBe(0.5)
    expect(strictScore('a, b, c, d', ['a', 'b'], 'all')).toBe(0.5)
  })
})

describe('scoreAnswer', () => {
  it('requires an answer exactly if the text has one', () => {
    expect(scoreAnswer({ references: [], match: 'any' }, undefined)).toEqual({ strict: 1, lenient: 1 })
    expect(scoreAnswer({ references: [], match: 'any' }, '')).toEqual({ strict: 0, lenient: 0 })
    expect(scoreAnswer({ references: ['x'], match: 'any' }, undefined)).toEqual({ strict: 0, lenient: 0 })
    expect(scoreAnswer({ references: ['x'], match: 'any' }, 'it is x')).toEqual({ strict: 0, lenient: 1 })
  })

  it('is as lenient as strict: a list without spaces may look like one number', () => {
    const [references, match] = [['12', '130'], 'all'] as const
    expect(scoreAnswer({ references, match }, '12,130')).toEqual({ strict: 1, lenient: 1 })
  })
})

describe('properties', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })

  it('normalizing twice equals normalizing once', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (value) => {
        const once = normalizeAnswer(value)
        // One leading article is dropped, so "the the x" is the one way to lose more.
        fc.pre(!/^(the|an?) /.test(once))
        expect(normalizeAnswer(once)).toBe(once)
      }),
    )
  })

  it('a list of some of the references scores their share, and one of all of them 1', () => {
    const word = fc.stringMatching(/^[b-z]{2,6}( and [b-z]{2,6}|, [0-9]{3})?$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 2, maxLength: 6 }),
        fc.nat(),
        fc.constantFrom(', ', '; ', '\n'),
        (references, n, separator) => {
          // No reference may be part of another; the tasks ensure that.
          fc.pre(
            references.every((one) => references.every((other) => one === other || !other.includes(one))),
          )
          const some = references.slice(0, 1 + (n % references.length))
          const share = some.length / references.length
          expect(strictScore(some.join(separator), references, 'all')).toBeCloseTo(share)
          expect(lenientScore(some.join(separator), references, 'all')).toBeCloseTo(share)
        },
      ),
    )
  })

  it('a strictly right answer is also leniently right', () => {
    fc.assert(
      fc.property(text, text, (answer, reference) => {
        if (strictScore(answer, [reference], 'any') === 1) {
          expect(lenientScore(answer, [reference], 'any')).toBe(1)
        }
        if (normalizeAnswer(reference) !== '') {
          expect(strictScore(` ${reference}. `, [reference], 'any')).toBe(1)
          expect(lenientScore(`so: ${reference} .`, [reference], 'any')).toBe(1)
        }
      }),
    )
  })
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rougeL } from './rouge-l.ts'
import { sequenceRatio } from './sequence-ratio.ts'
import { tokenF1 } from './token-f1.ts'

interface Golden {
  readonly a: string
  readonly b: string
  readonly f1: number
  readonly rougeL: number
  readonly ratio: number
}

const path = join(import.meta.dirname, '__fixtures__/python-metrics.json')
const goldens = JSON.parse(await readFile(path, 'utf8')) as Golden[]
const metrics = { f1: tokenF1, rougeL, ratio: sequenceRatio }

describe.each(['f1', 'rougeL', 'ratio'] as const)('%s', (name) => {
  it('has the value that Python gives', () => {
    for (const golden of goldens) {
      expect(metrics[name](golden.a, golden.b), JSON.stringify([golden.a, golden.b])).toBeCloseTo(
        golden[name],
        7,
      )
    }
    expect(new Set(goldens.map((golden) => golden[name])).size).toBeGreaterThan(20)
  })

  it('is 1 for a text and itself, and always within 0..1', () => {
    const text = fc.array(fc.constantFrom('cat', 'Dog,', 'hill.', 'é', '🙂', '7'), { minLength: 1 })
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [one.join(' '), other.join(' ')]
        expect(metrics[name](a, a)).toBe(1)
        expect(metrics[name](a, b)).toBeGreaterThanOrEqual(0)
        expect(metrics[name](a, b)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

// Worked out by hand.
describe('by hand', () => {
  it('f1: "cat sat down" and "cat sat on mat" share 2 words of 3 and 4', () => {
    expect(tokenF1('The cat sat down.', 'A cat sat on the mat')).toBeCloseTo(4 / 7)
    expect(tokenF1('the', 'the')).toBe(0)
    expect(tokenF1('cat cat', 'cat')).toBeCloseTo(2 / 3)
  })

  it('ROUGE-L: "the cat the" has two different words, and one of them is in "cat nap"', () => {
    expect(rougeL('the cat the', 'cat nap')).toBeCloseTo(2 / 4)
    // Sentences are compared in pairs, so their order does not matter.
    expect(rougeL('It rained. He slept', 'He slept. It rained')).toBe(1)
    expect(rougeL('cat', 'Cat')).toBe(0)
  })

  it('ratio: "bcd" is in "abcd" and "bcde": 2 x 3 of 8 characters', () => {
    expect(sequenceRatio('abcd', 'bcde')).toBe(0.75)
    expect(sequenceRatio('', '')).toBe(1)
    expect(sequenceRatio('', 'a')).toBe(0)
  })
})

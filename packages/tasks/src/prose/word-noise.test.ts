import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import { withWordNoise } from './word-noise.ts'

const words = ['apple', 'brick', 'cloud']
const question = { text: 'How many crates did the Sea Rose unload?' }
const told = (statement: string, value: string) => ({
  statement,
  value,
  valueStart: statement.indexOf(value),
  depth: 0,
})
const statements = [
  told('In the harbour of Elby, dockers slowly took 42 crates off the Sea Rose.', '42'),
  told('The granary in Elby was not renamed the old mill, whatever they say.', 'the old mill'),
  told('Between the war and the peace, the old mill was the pride of Ann Mott.', 'Ann Mott'),
]
const noisy = Array.from({ length: 200 }, (_, i) =>
  withWordNoise({ statements, question }, 0.3, words, createRandom('noise', i)),
)

describe('word noise', () => {
  it('keeps values, and says where they are', () => {
    for (const drawn of noisy) {
      drawn.forEach(({ statement, value, valueStart, depth }, i) => {
        expect(statement.slice(valueStart, valueStart + value.length)).toBe(statements[i]!.value)
        expect(depth).toBe(0)
      })
    }
  })

  it('keeps names, words of the question and of other values, and what says that it is not so', () => {
    for (const [first, second, third] of noisy) {
      expect(first!.statement).toContain('Elby')
      expect(first!.statement).toContain('crates')
      expect(first!.statement).toContain('Sea')
      expect(second!.statement).toContain('not')
      expect(third!.statement).toContain('old')
      expect(third!.statement).toContain('mill')
    }
  })

  it('replaces other words, leaves some out and adds some', () => {
    const firsts = noisy.map(([first]) => first!.statement)
    expect(new Set(firsts).size).toBeGreaterThan(100)
    const counts = new Set(firsts.map((text) => text.split(' ').length))
    const length = statements[0]!.statement.split(' ').length
    expect(Math.min(...counts)).toBeLessThan(length)
    expect(Math.max(...counts)).toBeGreaterThan(length)
    for (const text of noisy.map(([, , third]) => third!.statement)) {
      expect(text.endsWith('.')).toBe(true)
    }
  })

  it('is the same for the same random numbers', () => {
    expect(withWordNoise({ statements, question }, 0.3, words, createRandom('noise', 7))).toEqual(noisy[7])
  })
})

import { describe, expect, it } from 'vitest'
import { createRandom, hashText } from './random.ts'

const draw = (random: { next(): number }, count = 5) => Array.from({ length: count }, () => random.next())

describe('createRandom', () => {
  it('always returns the same numbers for the same keys', () => {
    expect(createRandom('a', 1).int(1_000_000)).toBe(createRandom('a', 1).int(1_000_000))
    expect(draw(createRandom('golden', 7), 3).map((value) => Math.floor(value * 1e6))).toMatchInlineSnapshot(`
      [
        964131,
        213240,
        816232,
      ]
    `)
  })

  it('distinguishes keys by type, borders and order', () => {
    const firsts = [['a', 1], ['a', '1'], ['a1'], [1, 'a'], ['a', 2], []].map((keys) =>
      createRandom(...keys).next(),
    )
    expect(new Set(firsts).size).toBe(firsts.length)
  })

  it('forks by key alone, whatever was drawn before', () => {
    const fresh = createRandom('x')
    const used = createRandom('x')
    draw(used, 100)
    expect(draw(used.fork('child', 3))).toEqual(draw(fresh.fork('child', 3)))
    expect(draw(fresh.fork('child', 4))).not.toEqual(draw(fresh.fork('child', 3)))
    expect(draw(fresh.fork('child').fork('a'))).not.toEqual(draw(createRandom('y').fork('child').fork('a')))
  })

  it('draws evenly', () => {
    const random = createRandom('even')
    const counts = new Array<number>(10).fill(0)
    for (let i = 0; i < 20_000; i += 1) {
      counts[random.int(10)]! += 1
    }
    const chiSquare = counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0)
    expect(chiSquare).toBeLessThan(27.9) // 9 degrees of freedom, p = 0.001
  })

  it('shuffles without losing anything, and every element can go anywhere', () => {
    const random = createRandom('shuffle')
    const firsts = new Set<number>()
    for (let i = 0; i < 200; i += 1) {
      const shuffled = random.shuffle([1, 2, 3, 4, 5])
      expect(shuffled.toSorted()).toEqual([1, 2, 3, 4, 5])
      firsts.add(shuffled[0]!)
    }
    expect(firsts.size).toBe(5)
  })

  it('refuses empty ranges and lists', () => {
    const random = createRandom(1)
    expect(() => random.int(0)).toThrow(/positive integer/)
    expect(() => random.pick([])).toThrow(/empty list/)
  })
})

describe('hashText', () => {
  it('spreads names evenly over five pools', () => {
    const counts = new Array<number>(5).fill(0)
    for (let i = 0; i < 10_000; i += 1) {
      counts[hashText(`name ${i}`) % 5]! += 1
    }
    expect(Math.min(...counts)).toBeGreaterThan(1800)
    expect(Math.max(...counts)).toBeLessThan(2200)
  })
})

import { registerCases } from '@memagent/core/testing'
import { describe, expect, it } from 'vitest'
import { needlesInProse } from './needles-in-prose.ts'
import { countTokensRoughly as countTokens, sampleProse } from './testing/fixtures.ts'
import { taskContract, textOf } from './testing/task-contract.ts'

const prose = sampleProse()

/** RULER's settings: `niah_single`, `niah_multikey`, `niah_multivalue`, `niah_multiquery`. */
const needleVariants = {
  single: {},
  'multi-key': { otherKeys: 3 },
  'multi-value': { valuesPerKey: 4 },
  'multi-query': { queries: 4 },
} as const

describe.each([
  ['single', 'number'],
  ['multi-key', 'uuid'],
  ['multi-value', 'word'],
  ['multi-query', 'number'],
] as const)('needles in prose, %s, %s', (variant, values) => {
  const create = () => needlesInProse.create({ prose, values, ...needleVariants[variant] })
  registerCases(taskContract({ create, countTokens, lengths: [2000, 20_000], samples: 200 }), it)
})

describe('needles in prose', () => {
  const sampleOf = (variant: keyof typeof needleVariants, lengthTokens = 3000) =>
    needlesInProse.create({ prose, absentShare: 0, ...needleVariants[variant] }).sample({
      index: 0,
      seed: 0,
      lengthTokens,
      countTokens,
    })

  it("asks in RULER's words", async () => {
    expect((await sampleOf('single')).question).toMatch(
      /^What is the special magic number for [a-z]+-[a-z]+ mentioned in the provided text\?$/,
    )
    expect((await sampleOf('multi-query')).question).toMatch(
      /^What are all the special magic numbers for (\S+, ){3}and \S+ mentioned in the provided text\?$/,
    )
  })

  it('states every needle once, and the keys asked for with all their values', async () => {
    const sample = await sampleOf('multi-value', 100_000)
    const needles = [
      ...(await textOf(sample)).matchAll(/One of the special magic numbers for (\S+) is: (\d{7})\./g),
    ]
    expect(needles.length).toBe(4 + 4)
    const [, key] = /for (\S+) mentioned/.exec(sample.question)!
    const asked = needles.filter((needle) => needle[1] === key).map((needle) => needle[2])
    expect(asked.toSorted()).toEqual([...sample.references].sort())
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kindNamed } from './facts/kinds.ts'
import { drawName } from './facts/names.ts'
import { drawNearName } from './facts/near-name.ts'
import { nearMiss } from './near-miss.ts'
import { createRandom } from './random.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { anyFilling } from './testing/read-statements.ts'
import { textOf } from './testing/task-contract.ts'

const prose = sampleProse()

describe.each(['train', 'held-out', 'mixed'] as const)('near miss, %s templates', (templates) => {
  registerContract(it, () => nearMiss.create({ prose, templates }), {
    absentShare: 0.1,
    skip: {
      'spreads the depth of the answer evenly over the document':
        'the right statement stands late on purpose',
    },
  })
})

describe('near names', () => {
  it('differ in exactly one part', () => {
    const classes = [
      'person',
      'building',
      'ship',
      'firm',
      'service',
      'machine',
      'project',
      'event',
      'work',
      'dish',
      'order',
      'keepsake',
    ] as const
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...classes), (seed, subjectClass) => {
        const random = createRandom('near', seed)
        const name = drawName(random, subjectClass)
        const near = drawNearName(random, name)
        expect(near.text).not.toBe(name.text)
        expect(near.text).toBe(near.parts.join(''))
        expect(near.parts.filter((part, i) => part !== name.parts[i]).length).toBe(1)
      }),
      { numRuns: 500 },
    )
  })
})

describe('near miss', () => {
  const request = { seed: 0, lengthTokens: 1000, countTokens }

  it('states the near misses first and the right one late', async () => {
    const task = nearMiss.create({ prose, kinds: ['captain'], templates: 'train', absentShare: 0 })
    const captains = kindNamed('captain').statements.map(({ text }) => new RegExp(anyFilling(text, 60), 'g'))
    for (let index = 0; index < 30; index += 1) {
      const sample = await task.sample({ ...request, index })
      const bytes = Buffer.from(await textOf(sample))
      const answerAt = sample.evidence[0]!.startByte
      expect(answerAt).toBeGreaterThan(0.4 * bytes.length)
      const after = bytes.subarray(sample.evidence[0]!.endByte + 80).toString()
      for (const captain of captains) {
        expect(after.match(captain) ?? []).toEqual([])
      }
    }
  })

  it('contains only near misses if the text does not answer', async () => {
    const whole = await nearMiss.create({ prose, absentShare: 0 }).sample({ ...request, index: 9 })
    const absent = await nearMiss.create({ prose }).sample({ ...request, index: 9 })
    expect([absent.question, absent.references]).toEqual([whole.question, []])
    expect(await textOf(absent)).not.toContain(whole.references[0])
    expect(absent.labels.decoys).toBe(4)
  })

  it('finds enough near names in every kind and pool', async () => {
    // Few services have nearly the same name; the others are near those few.
    for (const [nearMisses, kinds] of [
      [8, ['tracking-number', 'phone', 'address']],
      [16, ['version', 'port', 'api-token']],
    ] as const) {
      for (const split of ['train', 'eval'] as const) {
        const task = nearMiss.create({ prose, split, nearMisses, kinds })
        for (let index = 0; index < 400; index += 1) {
          await task.sample({ ...request, index })
        }
      }
    }
  })

  it('works in documents of a few chunks', async () => {
    await nearMiss.create({ prose }).sample({ ...request, index: 0, lengthTokens: 300 })
  })
})

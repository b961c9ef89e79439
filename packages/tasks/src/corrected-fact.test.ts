import { describe, expect, it } from 'vitest'
import { correctedFact } from './corrected-fact.ts'
import { corrections } from './corrections.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { anyFilling } from './testing/read-statements.ts'
import { textOf } from './testing/task-contract.ts'

const prose = sampleProse()

describe.each(['train', 'held-out', 'mixed'] as const)('corrected fact, %s templates', (templates) => {
  registerContract(it, () => correctedFact.create({ prose, templates }), { absentShare: 0.1 })
})

/** Matches a correction by any template. */
const correction = new RegExp(
  corrections()
    .map(({ text }) => anyFilling(text, 200))
    .join('|'),
  'g',
)

describe('corrected fact', () => {
  const request = { seed: 0, lengthTokens: 1500, countTokens }
  const options = { prose, kinds: ['captain'], absentShare: 0, templates: 'train' } as const

  it.each([0, 1, 2, 3])('wants the last of %i corrections', async (count) => {
    for (let index = 0; index < 30; index += 1) {
      const task = correctedFact.create({ ...options, corrections: count, distractors: 0 })
      const sample = await task.sample({ ...request, index })
      const text = await textOf(sample)
      const found = [...text.matchAll(correction)]
      expect(found.length).toBe(count)
      const at = text.lastIndexOf(sample.references[0]!)
      expect(found.every((match) => match.index <= at)).toBe(true)
      expect(count === 0 || at - found.at(-1)!.index < 300).toBe(true)
      expect(text.split(sample.references[0]!).length).toBe(2)
    }
  })

  it('sets a trap by correcting something else after the answer', async () => {
    for (let index = 0; index < 30; index += 1) {
      const sample = await correctedFact.create(options).sample({ ...request, index })
      const bytes = Buffer.from(await textOf(sample))
      const last = [...bytes.toString().matchAll(correction)].at(-1)!
      expect(last[0]).not.toContain(sample.references[0])
      expect(sample.evidence[0]!.endByte).toBeLessThanOrEqual(bytes.length)
      expect(Buffer.byteLength(bytes.toString().slice(0, last.index))).toBeGreaterThan(
        sample.evidence[0]!.startByte,
      )
    }
  })

  it('corrects only other things if the text does not answer', async () => {
    const whole = await correctedFact.create({ prose, absentShare: 0 }).sample({ ...request, index: 9 })
    const absent = await correctedFact.create({ prose }).sample({ ...request, index: 9 })
    expect([absent.question, absent.references]).toEqual([whole.question, []])
    const text = await textOf(absent)
    expect(text).not.toContain(whole.references[0])
    expect([...text.matchAll(correction)].length).toBeGreaterThanOrEqual(2)
  })

  it('has enough values in every kind and pool', async () => {
    for (const split of ['train', 'eval'] as const) {
      const task = correctedFact.create({ prose, split, corrections: 2, distractors: 4 })
      for (let index = 0; index < 300; index += 1) {
        await task.sample({ ...request, index })
      }
    }
  })

  it('works in documents of a few chunks', async () => {
    await correctedFact.create({ prose }).sample({ ...request, index: 0, lengthTokens: 350 })
  })
})

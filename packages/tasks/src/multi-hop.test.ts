import { describe, expect, it } from 'vitest'
import { type EvidenceOrder, multiHop } from './multi-hop.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { textOf } from './testing/task-contract.ts'

const prose = sampleProse()

describe.each([
  ['train', 'random'],
  ['mixed', 'forward'],
  ['held-out', 'reverse'],
] as const)('multi-hop, %s templates, %s order', (templates, order) => {
  const inOrder = 'the last fact of a chain stands late, or early, where the chain has an order'
  registerContract(it, () => multiHop.create({ prose, templates, order }), {
    absentShare: 0.1,
    ...(order === 'random'
      ? {}
      : { skip: { 'spreads the depth of the answer evenly over the document': inOrder } }),
  })
})

describe('multi-hop', () => {
  const request = { seed: 1, lengthTokens: 1200, countTokens }

  it.each(['forward', 'reverse'] as const)('states the chain in %s order', async (order: EvidenceOrder) => {
    for (let index = 0; index < 20; index += 1) {
      const sample = await multiHop.create({ prose, order, hops: 4, absentShare: 0 }).sample({
        ...request,
        index,
      })
      const starts = sample.supportingFacts!.map(({ startByte }) => startByte)
      const sorted = starts.toSorted((a, b) => (order === 'forward' ? a - b : b - a))
      expect(starts).toEqual(sorted)
      expect(starts.length).toBe(4)
    }
  })

  it('can be answered from the statements it points at', async () => {
    for (let index = 0; index < 20; index += 1) {
      const sample = await multiHop.create({ prose, absentShare: 0 }).sample({ ...request, index })
      const bytes = Buffer.from(await textOf(sample))
      const facts = sample.supportingFacts!.map(({ startByte, endByte }) =>
        bytes.subarray(startByte, endByte).toString(),
      )
      expect(facts.length).toBe(sample.labels.hops)
      expect(facts.at(-1)).toContain(sample.references[0])
    }
  })

  it('leaves one link out if the text does not answer', async () => {
    const options = { prose, hops: [2, 3, 4] }
    const lengths = { ...request, lengthTokens: 3000 }
    for (const index of [8, 17, 28]) {
      const whole = await multiHop.create({ ...options, absentShare: 0 }).sample({ ...lengths, index })
      const broken = await multiHop.create(options).sample({ ...lengths, index })
      const bytes = Buffer.from(await textOf(whole))
      const text = await textOf(broken)
      const kept = whole.supportingFacts!.filter(({ startByte, endByte }) =>
        text.includes(bytes.subarray(startByte, endByte).toString()),
      )
      expect([broken.question, broken.references]).toEqual([whole.question, []])
      expect(kept.length).toBe(Number(whole.labels.hops) - 1)
    }
  })

  it('works in documents of a few chunks', async () => {
    const task = multiHop.create({ prose })
    for (const lengthTokens of [350, 700, 1500]) {
      const text = await textOf(await task.sample({ ...request, index: 3, lengthTokens }))
      expect(Math.abs(countTokens(text) - lengthTokens)).toBeLessThan(0.05 * lengthTokens)
    }
  })
})

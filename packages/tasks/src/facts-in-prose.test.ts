import { describe, expect, it } from 'vitest'
import { kindNamed } from './facts/kinds.ts'
import { factsInProse } from './facts-in-prose.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { anyFilling } from './testing/read-statements.ts'
import { textOf } from './testing/task-contract.ts'

const prose = sampleProse()

describe.each(['train', 'held-out', 'mixed'] as const)('facts in prose, %s templates', (templates) => {
  registerContract(it, () => factsInProse.create({ prose, templates }), {
    decoysPer200k: 8,
    absentShare: 0.2,
  })

  it('labels samples that are held out of training', async () => {
    const task = factsInProse.create({ prose, templates })
    for (let index = 0; index < 60; index += 1) {
      const { labels } = await task.sample({ index, seed: 3, lengthTokens: 1500, countTokens })
      const isHeldOut = templates === 'held-out' || (templates === 'mixed' && (index + 3) % 2 === 1)
      expect(labels.heldOutTemplate).toBe(isHeldOut)
      if (!isHeldOut) {
        expect([labels.heldOutKind, labels.heldOutQuestion]).toEqual([false, false])
      }
    }
  })
})

/** Statements of a kind in a text, by any template with any values. */
function statementsOf(kindName: string, text: string): string[] {
  return kindNamed(kindName).statements.flatMap(({ text: template }) => {
    return text.match(new RegExp(anyFilling(template, 90), 'g')) ?? []
  })
}

describe('facts in prose', () => {
  it('really contains eight decoys of the kind in 200,000 tokens, before and after the answer', async () => {
    const task = factsInProse.create({ prose, kinds: ['winner'], templates: 'train' })
    const sample = await task.sample({ index: 0, seed: 0, lengthTokens: 200_000, countTokens })
    const text = await textOf(sample)
    const statements = new Set(statementsOf('winner', text))
    expect(statements.size).toBeGreaterThanOrEqual(9)
    const answerAt = text.indexOf(sample.references[0]!)
    const places = [...statements].map((statement) => text.indexOf(statement))
    expect(places.some((place) => place < answerAt - 200)).toBe(true)
    expect(places.some((place) => place > answerAt + 200)).toBe(true)
  })

  it('plants the same number of decoys at every length when it is given', async () => {
    const planted = async (decoys: number, lengthTokens: number) => {
      const task = factsInProse.create({ prose, kinds: ['winner'], templates: 'train', decoys })
      const sample = await task.sample({ index: 0, seed: 0, lengthTokens, countTokens })
      return [new Set(statementsOf('winner', await textOf(sample))).size, sample.labels.decoys]
    }
    for (const lengthTokens of [2000, 60_000]) {
      const [statements, decoys] = await planted(20, lengthTokens)
      // A statement may fit two templates.
      expect(statements).toBeGreaterThanOrEqual(21)
      expect(statements).toBeLessThan(32)
      expect(decoys).toBe(20)
    }
    expect(await planted(0, 2000)).toEqual([1, 0])
    expect(() => factsInProse.create({ prose, decoys: 1.5 })).toThrow(
      /decoys cannot be 1\.5 \(it takes a whole number of at least 0 or "by-length"\)/,
    )
  })

  it('rewords the wanted statement in a share of the documents, with the same questions, and values in place', async () => {
    const [loose, usual] = [0.5, 0].map((looseShare) =>
      factsInProse.create({ prose, templates: 'train', absentShare: 0, looseShare }),
    )
    let changed = 0
    for (let index = 0; index < 40; index += 1) {
      const request = { index, seed: 2, lengthTokens: 2000, countTokens }
      const [told, asBefore] = [await loose!.sample(request), await usual!.sample(request)]
      expect([told.question, told.references]).toEqual([asBefore.question, asBefore.references])
      const [{ startByte, endByte }] = told.evidence as [{ startByte: number; endByte: number }]
      const bytes = Buffer.from(await textOf(told))
      expect(bytes.subarray(startByte, endByte).toString()).toBe(told.references[0])
      changed += Number(bytes.toString() !== (await textOf(asBefore)))
    }
    expect(changed).toBeGreaterThan(8)
    expect(changed).toBeLessThan(32)
    expect(() => factsInProse.create({ prose, looseShare: 2 })).toThrow(
      /looseShare cannot be 2 \(it takes a number from 0 to 1\)/,
    )
  })

  it('rewords decoys of the same kind together with the wanted statement', async () => {
    const [loose, usual] = [1, 0].map((looseShare) =>
      factsInProse.create({ prose, kinds: ['winner'], templates: 'train', decoys: 6, looseShare }),
    )
    let recognized = 0
    let before = 0
    for (let index = 0; index < 10; index += 1) {
      const request = { index, seed: 4, lengthTokens: 3000, countTokens }
      recognized += new Set(statementsOf('winner', await textOf(await loose!.sample(request)))).size
      before += new Set(statementsOf('winner', await textOf(await usual!.sample(request)))).size
    }
    expect(before).toBeGreaterThanOrEqual(60)
    expect(recognized).toBeLessThan(before / 2)
  })

  it('draws the density of decoys for each document, the same at every length', async () => {
    const task = factsInProse.create({
      prose,
      templates: 'train',
      decoysPer200k: [0, 400, 1200],
      subjectDecoys: [1, 3],
    })
    const drawn = async (index: number, lengthTokens: number) =>
      (await task.sample({ index, seed: 0, lengthTokens, countTokens })).labels.decoys
    const counts = await Promise.all(Array.from({ length: 60 }, (_, index) => drawn(index, 2000)))
    expect([...new Set(counts)].sort((a, b) => Number(a) - Number(b))).toEqual([0, 4, 12])
    const longer = await Promise.all(Array.from({ length: 60 }, (_, index) => drawn(index, 4000)))
    expect(longer).toEqual(counts.map((count) => Number(count) * 2))
    expect(() => factsInProse.create({ prose, decoysPer200k: [1, -1] })).toThrow(
      /decoysPer200k\.1 cannot be -1/,
    )
    expect(() => factsInProse.create({ prose, subjectDecoys: [] })).toThrow(/subjectDecoys cannot be \[\]/)
  })

  it('contains the value nowhere when the answer is left out', async () => {
    const task = factsInProse.create({ prose, kinds: ['chief-executive', 'phone', 'serial-number'] })
    const present = factsInProse.create({
      prose,
      kinds: ['chief-executive', 'phone', 'serial-number'],
      absentShare: 0,
    })
    for (const index of [4, 9, 14, 19]) {
      const request = { index, seed: 0, lengthTokens: 20_000, countTokens }
      const without = await task.sample(request)
      const [value] = (await present.sample(request)).references
      expect(without.references).toEqual([])
      expect(await textOf(without)).not.toContain(value)
    }
  })

  it('gives the answer as notes in the remembered share, with only decoys in the text', async () => {
    const task = factsInProse.create({ prose, rememberedShare: 0.5, rememberedAs: 'statement' })
    const plain = factsInProse.create({ prose })
    let remembered = 0
    for (let index = 0; index < 40; index += 1) {
      const request = { index, seed: 1, lengthTokens: 3000, countTokens }
      const [sample, usual] = [await task.sample(request), await plain.sample(request)]
      expect([sample.question, sample.references]).toEqual([usual.question, usual.references])
      if (sample.memory === undefined) {
        expect(await textOf(sample)).toBe(await textOf(usual))
        continue
      }
      remembered += 1
      expect(sample.memory).toContain(sample.references[0])
      expect(sample.evidence).toEqual([])
      expect(await textOf(sample)).not.toContain(sample.references[0])
    }
    expect(remembered).toBeGreaterThan(8)
    expect(remembered).toBeLessThan(26)
  })

  it('draws the depth afresh at each length', async () => {
    const task = factsInProse.create({ prose })
    const depths = new Set<unknown>()
    for (const lengthTokens of [2000, 4000, 8000]) {
      const { labels } = await task.sample({ index: 0, seed: 5, lengthTokens, countTokens })
      depths.add(Number(labels.depth).toFixed(2))
    }
    expect(depths.size).toBe(3)
  })
})

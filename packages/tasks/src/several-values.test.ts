import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawList } from './lists/draw-list.ts'
import { collections } from './lists/list-kinds.ts'
import { applyNotes } from './notes.ts'
import { createRandom } from './random.ts'
import { severalValues } from './several-values.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { textOf } from './testing/task-contract.ts'
import { containsReference } from './verifiers/lenient.ts'

const prose = sampleProse()

describe.each(['train', 'held-out', 'mixed'] as const)('several values, %s templates', (templates) => {
  registerContract(it, () => severalValues.create({ prose, templates }))
})

const counts = { items: 6, repeats: 0, lures: 0, distractors: 6 }

describe.each(collections().map((kind) => [kind.name, kind] as const))('the collection %s', (_, kind) => {
  it('states each value once, and no wanted one about another subject', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.boolean(),
        fc.constantFrom('train' as const, 'eval' as const),
        (seed, heldOut, split) => {
          const random = createRandom('collection', seed)
          const templates = heldOut ? 'held-out' : 'train'
          const drawn = drawList(random, random, kind, counts, split, templates)
          expect([drawn.items.length, drawn.distractors.length]).toEqual([6, 6])
          for (const { value, valueStart, statement } of drawn.items) {
            expect(statement.slice(valueStart, valueStart + value.length)).toBe(value)
            const telling = [...drawn.items, ...drawn.distractors].filter((one) =>
              containsReference(one.statement, value),
            )
            expect(telling.map((one) => one.statement)).toEqual([statement])
            expect(statement).not.toMatch(/[{}]|undefined|\b(a|the) (a|an|the) /i)
          }
          expect(drawn.distractors.every(({ subject }) => subject !== drawn.subject)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('can be stated and asked for in training and in evaluation', () => {
    for (const list of [kind.statements, kind.questions]) {
      expect(new Set(list.map(({ heldOut }) => heldOut))).toEqual(new Set([true, false]))
    }
  })
})

describe('several values', () => {
  const request = { seed: 1, lengthTokens: 1200, countTokens }

  it('gives the share of the values found', async () => {
    const task = severalValues.create({ prose, values: 4 })
    for (let index = 0; index < 40; index += 1) {
      const sample = await task.sample({ ...request, index })
      expect(sample.match).toBe('all')
      expect(sample.question).toBe(`${sample.query} List all of them, separated by semicolons.`)
      for (const separator of ['; ', ', ', '\n']) {
        expect(task.score(sample, sample.references.join(separator))).toEqual({ strict: 1, lenient: 1 })
        expect(task.score(sample, sample.references.slice(0, 3).join(separator))).toEqual({
          strict: 0.75,
          lenient: 0.75,
        })
      }
      expect(task.score(sample, sample.references[0])).toEqual({ strict: 0.25, lenient: 0.25 })
    }
  })

  it('tells the same values in other words, and of the same subjects, where it is loose', async () => {
    const plain = severalValues.create({ prose })
    const loose = severalValues.create({ prose, looseShare: 1 })
    let changed = 0
    for (let index = 0; index < 40; index += 1) {
      const [told, sample] = [
        await plain.sample({ ...request, index }),
        await loose.sample({ ...request, index }),
      ]
      expect([sample.question, sample.references]).toEqual([told.question, told.references])
      const text = Buffer.from(await textOf(sample))
      sample.evidence.forEach(({ startByte, endByte }, i) => {
        expect(text.toString('utf8', startByte, endByte)).toBe(sample.references[i])
      })
      changed += Number(text.toString() !== (await textOf(told)))
    }
    expect(changed).toBeGreaterThan(30)
  })

  it('asks for two to six values, each at its own place', async () => {
    const counts = new Set<number>()
    for (let index = 0; index < 40; index += 1) {
      const sample = await severalValues.create({ prose }).sample({ ...request, index })
      counts.add(sample.references.length)
      expect(new Set(sample.evidence.map(({ startByte }) => startByte)).size).toBe(sample.references.length)
      expect(new Set(sample.references).size).toBe(sample.references.length)
    }
    expect([...counts].sort()).toEqual([2, 3, 4, 5, 6])
  })

  it('works in documents of a few chunks', async () => {
    const sample = await severalValues.create({ prose }).sample({ ...request, index: 0, lengthTokens: 300 })
    expect(await textOf(sample)).not.toBe('')
  })
})

describe('several values, some of them corrected', () => {
  const request = { seed: 1, lengthTokens: 1200, countTokens }

  it('wants the new value in the place of the old one, which the text tells before', async () => {
    for (const templates of ['train', 'lessons', 'held-out'] as const) {
      const task = severalValues.create({ prose, values: 3, corrected: [1, 2], templates })
      const plain = severalValues.create({ prose, values: 3, templates })
      for (let index = 0; index < 30; index += 1) {
        const sample = await task.sample({ ...request, index })
        const told = await plain.sample({ ...request, index })
        expect(sample.question).toBe(told.question)
        const old = told.references.filter((value) => !sample.references.includes(value))
        expect(old.length).toBe(sample.labels.corrected)
        const text = Buffer.from(await textOf(sample))
        for (const [i, { startByte, endByte }] of sample.evidence.entries()) {
          expect(text.toString('utf8', startByte, endByte)).toBe(sample.references[i])
          const before = told.references[i]!
          if (before !== sample.references[i]) expect(text.indexOf(before)).toBeLessThan(startByte)
        }
        const memory = [...applyNotes(new Map(), sample.notes!).values()]
        expect(memory.toSorted()).toEqual(sample.references.toSorted())
      }
    }
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allMentions } from './all-mentions.ts'
import { drawList } from './lists/draw-list.ts'
import { collections, mentionRelations } from './lists/list-kinds.ts'
import { createRandom } from './random.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { textOf } from './testing/task-contract.ts'
import { containsReference } from './verifiers/lenient.ts'
import { scoreItems } from './verifiers/listed-items.ts'

const prose = sampleProse()

describe.each(['train', 'held-out', 'mixed'] as const)('all mentions, %s templates', (templates) => {
  registerContract(it, () => allMentions.create({ prose, templates }), {
    decoysPer200k: 8,
    lengths: [4000, 12_000, 60_000],
  })
})

describe.each(mentionRelations().map((relation) => [relation.name, relation] as const))(
  'the relation %s',
  (_, relation) => {
    it('states the wanted values at the reported positions, and nowhere else', () => {
      fc.assert(
        fc.property(
          fc.nat(),
          fc.integer({ min: 2, max: 12 }),
          fc.boolean(),
          fc.constantFrom('train' as const, 'eval' as const),
          (seed, count, isHeldOut, split) => {
            const counts = { items: count, repeats: 2, lures: 4, distractors: 10 }
            const random = createRandom('mentions', seed)
            const drawn = drawList(
              random.fork('mentions'),
              random,
              relation,
              counts,
              split,
              isHeldOut ? 'held-out' : 'train',
            )
            const { subject, items: mentions, repeats, lures, distractors } = drawn
            expect([mentions.length, repeats.length, lures.length, distractors.length]).toEqual([
              count,
              2,
              4,
              10,
            ])
            const all = [...mentions, ...repeats, ...lures, ...distractors]
            for (const { statement, value, valueStart } of all) {
              expect(statement.slice(valueStart, valueStart + value.length)).toBe(value)
              expect(statement).not.toMatch(/[{}]|undefined|\b(a|the) (a|an|the) /i)
            }
            for (const { value } of mentions) {
              const telling = all.filter(({ statement }) => containsReference(statement, value))
              const wanted = [...mentions, ...repeats].filter((one) => one.value === value)
              expect(telling).toEqual(wanted)
            }
            const bare = subject.replace(/^the /, '').toLowerCase()
            for (const { statement } of [...mentions, ...repeats, ...lures]) {
              expect(statement.toLowerCase()).toContain(bare)
            }
          },
        ),
        { numRuns: 40 },
      )
    })

    it('can be stated, lured to and asked for in training and in evaluation', () => {
      for (const list of [relation.statements, relation.questions, relation.lures]) {
        expect(new Set(list.map(({ heldOut }) => heldOut))).toEqual(new Set([true, false]))
      }
    })

    it('uses no relation from training', () => {
      expect(collections().map(({ name }) => name)).not.toContain(relation.name)
    })
  },
)

describe('all mentions', () => {
  const request = { seed: 1, lengthTokens: 2500, countTokens }

  it('scatters 2 to 12 mentions, and says where each of them stands, the repeated ones too', async () => {
    const task = allMentions.create({ prose })
    const counts = new Set<number>()
    for (let index = 0; index < 80; index += 1) {
      const sample = await task.sample({ ...request, index })
      counts.add(sample.references.length)
      const bytes = Buffer.from(await textOf(sample))
      const facts = sample.supportingFacts!.map(({ startByte, endByte }) =>
        bytes.subarray(startByte, endByte).toString(),
      )
      expect(facts.length).toBe(sample.references.length + Number(sample.labels.repeats))
      for (const [i, reference] of sample.references.entries()) {
        expect(facts[i]).toContain(reference)
        // The reference occurs only in these statements.
        const places = bytes.toString().split(reference).length - 1
        expect(places).toBe(facts.filter((fact) => fact.includes(reference)).length)
      }
    }
    expect([...counts].sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('has more decoys in a longer text, and the same answer', async () => {
    const task = allMentions.create({ prose, relations: ['visitors'], mentions: 5 })
    const drawn = await Promise.all(
      [2500, 400_000].map((lengthTokens) => task.sample({ ...request, index: 0, lengthTokens })),
    )
    expect(drawn.map(({ labels }) => labels.decoys)).toEqual([10, 20])
    expect(drawn[0]!.references).toEqual(drawn[1]!.references)
  })

  it('lets lures and other guesses cost precision, and what is left out recall', async () => {
    const task = allMentions.create({ prose, mentions: 4 })
    const sample = await task.sample({ ...request, index: 0 })
    const [first, second] = sample.references
    expect(task.score(sample, `${first}; ${second}`)).toEqual({
      precision: 1,
      recall: 0.5,
      f1: expect.closeTo(2 / 3),
      strict: 0.5,
      lenient: 0.5,
    })
    expect(task.score(sample, [...sample.references, 'Nobody Else', 'x', 'y', 'z'].join('; '))).toEqual({
      precision: 0.5,
      recall: 1,
      f1: expect.closeTo(2 / 3),
      strict: 0.5,
      lenient: 1,
    })
  })
})

// Worked by hand.
describe('scores of listed items', () => {
  const references = ['Anna Mott', 'Otto Berg', 'Fox and Ladder']
  it.each([
    // answer, precision, recall
    ['Anna Mott; Otto Berg; Fox and Ladder', 1, 1],
    ['1. Anna Mott\n2. Otto Berg, in May\n3. Fox and Ladder', 3 / 4, 1],
    ['Anna Mott, Anna Mott and Anna Mott', 1, 1 / 3],
    ['It was Anna Mott; Eva Dahl', 1 / 2, 1 / 3],
    ['Anna Mott; Anna Mott too; also Anna Mott; Eva Dahl', 1 / 2, 1 / 3],
    ['Anna Mott / Otto Berg; Eva Dahl; Ida Holm', 2 / 4, 2 / 3],
    ['Fox; Ladder', 0, 0],
    ['', 0, 0],
  ])('%j', (answer, precision, recall) => {
    const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
    const scores = scoreItems(answer, references)
    expect(scores.precision).toBeCloseTo(precision)
    expect(scores.recall).toBeCloseTo(recall)
    expect(scores.f1).toBeCloseTo(f1)
  })

  it('are 0 where nothing was wanted', () => {
    expect(scoreItems('Anna Mott', [])).toEqual({ precision: 0, recall: 0, f1: 0 })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poolOf } from './facts/pools.ts'
import { drawSeries } from './many-facts/draw-series.ts'
import { type Choice, series } from './many-facts/series.ts'
import { manyFacts } from './many-facts.ts'
import { createRandom } from './random.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { textOf } from './testing/task-contract.ts'
import { containsReference } from './verifiers/lenient.ts'

const prose = sampleProse()
const choices = ['latest', 'first', 'highest'] as const

describe.each(choices)('many facts, %s', (choice) => {
  registerContract(it, () => manyFacts.create({ prose, choice }))
})

const drawings = fc.record({
  seed: fc.nat(),
  choice: fc.constantFrom<Choice>(...choices),
  facts: fc.integer({ min: 1, max: 20 }),
  distractors: fc.integer({ min: 0, max: 8 }),
  split: fc.constantFrom('train' as const, 'eval' as const),
  templates: fc.constantFrom('train' as const, 'held-out' as const),
})

describe('a series', () => {
  it('has one answer, which no other statement gives, and a higher value under another name', () => {
    // A past bug: a fleet with both the Cold Castle and the ferry Cold Castle, where one answer contains the other.
    const once = {
      seed: 1616685388,
      choice: 'latest',
      facts: 10,
      distractors: 0,
      split: 'eval',
      templates: 'train',
    } as const
    fc.assert(
      fc.property(drawings, ({ seed, ...options }) => {
        const names = series().map(({ name }) => name)
        const drawn = drawSeries(createRandom('series', seed), { ...options, series: names })
        const { facts, distractors, highest } = drawn
        expect([facts.length, distractors.length]).toEqual([options.facts, options.distractors])
        const top = facts[highest]!
        expect(facts.every((fact) => fact === top || fact.amount < top.amount)).toBe(true)
        expect(distractors.length === 0 || distractors.some(({ amount }) => amount > top.amount)).toBe(true)
        const subjects = new Set(distractors.map(({ subject }) => subject))
        expect(subjects.has(top.subject) || subjects.size !== distractors.length).toBe(false)
        expect(poolOf(top.subject)).toBe(options.split)
        for (const fact of [...facts, ...distractors]) {
          expect(fact.statement.slice(fact.valueStart, fact.valueStart + fact.value.length)).toBe(fact.value)
          expect(fact.statement).toContain(String(fact.amount))
          expect(fact.statement).not.toMatch(/[{}]|undefined|\b(a|the) (a|an|the) /i)
          const telling = [...facts, ...distractors].filter((one) =>
            containsReference(one.statement, fact.value),
          )
          expect(telling).toEqual([fact])
        }
        expect(drawn.question.text).toContain(top.subject.replace(/^the /, ''))
        expect(drawn.question.heldOut && options.templates === 'train').toBe(false)
      }),
      { numRuns: 300, examples: [[once]] },
    )
  })

  it('can be stated and asked for in training and in evaluation', () => {
    for (const { name, statements, questions } of series()) {
      for (const list of [statements, ...Object.values(questions)]) {
        const heldOut = list.filter((template) => template.heldOut).length
        expect(heldOut, name).toBeGreaterThan(0)
        expect(heldOut / list.length, name).toBeLessThan(0.4)
      }
    }
  })
})

describe('many facts', () => {
  const request = { seed: 2, lengthTokens: 1500, countTokens }

  it('places the answer last, first, or anywhere among the facts about its subject', async () => {
    for (const choice of choices) {
      let elsewhere = 0
      for (let index = 0; index < 30; index += 1) {
        const options = { prose, choice, series: ['bid'], distractors: 0, templates: 'train' as const }
        const sample = await manyFacts.create(options).sample({ ...request, index })
        const amounts = [...(await textOf(sample)).matchAll(/\b(\d+) dollars/g)].map(([, n]) => Number(n))
        expect(amounts.length).toBe(8)
        const wanted = { latest: amounts.at(-1), first: amounts[0], highest: Math.max(...amounts) }[choice]
        expect(sample.references).toEqual([`${wanted} dollars`])
        elsewhere += wanted === Math.max(...amounts) ? 0 : 1
      }
      expect(elsewhere > 0).toBe(choice !== 'highest')
    }
  })

  it('contains more facts than fit a memory of a hundred tokens, and reports when they do not fit the document', async () => {
    const sample = await manyFacts.create({ prose, facts: 40 }).sample({
      ...request,
      index: 1,
      lengthTokens: 4000,
    })
    expect(sample.labels.facts).toBe(40)
    await expect(
      manyFacts.create({ prose, facts: 40 }).sample({ ...request, index: 1, lengthTokens: 300 }),
    ).rejects.toMatchObject({ code: 'task/document-too-short' })
  })
})

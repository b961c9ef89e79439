import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collections } from './lists/list-kinds.ts'
import { applyNotes } from './notes.ts'
import { orderOfTelling, orderQuestions } from './order-of-telling.ts'
import { kindOf } from './settings/task-options.ts'
import { templatesOf } from './templates.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { headings, plantedStatements, readStatement } from './testing/read-statements.ts'
import { scoreOrder } from './verifiers/in-order.ts'

const prose = sampleProse()
const request = { index: 0, seed: 0, lengthTokens: 1500, countTokens }
const wishes = ['pair', 'list', 'nth'] as const

describe.each([
  ['train', 'pair'],
  ['held-out', 'list'],
  ['mixed', 'nth'],
] as const)('order of telling, %s templates, %s', (templates, wish) => {
  registerContract(it, () => orderOfTelling.create({ prose, templates, wish }), {
    skip: {
      'spreads the depth of the answer evenly over the document':
        'the first of several stands early, a later one late',
    },
  })
})

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

describe.each(wishes)('the order of telling, %s', (wish) => {
  it('follows from where the subject’s values are first told', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom(...collections().map(({ name }) => name)),
        fc.constantFrom('train' as const, 'eval' as const),
        fc.constantFrom('train' as const, 'held-out' as const),
        async (seed, collection, split, templates) => {
          const kind = kindOf(collection, collections())
          const options = { wish, collections: [collection], split, templates, values: [2, 5, 8], repeats: 3 }
          const sample = await orderOfTelling
            .create({ prose: headings, ...options })
            .sample({ ...request, seed })
          const statements = await plantedStatements(sample)
          const questions = orderQuestions()[wish].flatMap(({ text }) =>
            kind.questions.map((asking) => ({ text: text.replace('{question}', asking.text) })),
          )
          const asked = readStatement(sample.query!, questions)!
          const told = statements.flatMap(
            (statement) =>
              readStatement(statement, kind.statements, { subject: asked.subject! })?.value ?? [],
          )
          const inOrder = [...new Set(told)]
          expect(inOrder.length).toBe(sample.labels.values)
          expect(told.length).toBe(inOrder.length + Math.min(3, inOrder.length))
          const answers = {
            list: () => inOrder,
            nth: () => [inOrder[ordinals.indexOf(asked.nth!)]!],
            pair: () => [inOrder.find((value) => sample.question.includes(value))!],
          }
          expect(sample.references).toEqual(answers[wish]())
          const noted = [...applyNotes(new Map(), sample.notes!).values()]
          expect(noted).toEqual(wish === 'nth' ? inOrder.slice(0, noted.length) : sample.references)
          expect(noted.at(-1)).toBe(sample.references.at(-1))
        },
      ),
      { numRuns: 120 },
    )
  })

  it('can be asked for in training and in evaluation', () => {
    const heldOut = orderQuestions()[wish].filter((template) => template.heldOut).length
    expect([templatesOf(orderQuestions()[wish], 'train').length, heldOut]).toEqual([6, 3])
  })
})

// Worked by hand.
describe('the score of an order', () => {
  it.each([
    // answer, strict, lenient
    ['Oslo; Turin; Lima', 1, 1],
    ['1. Oslo\n2. Turin\n3. Lima', 1, 1],
    ['Oslo; Lima; Turin', 0, 2 / 3],
    ['Lima; Turin; Oslo', 0, 1 / 3],
    ['Oslo; Lima', 0, 2 / 3],
    ['Oslo; Cork; Turin; Lima', 0, 3 / 4],
    ['Oslo; Turin; Oslo; Lima', 1, 1],
    ['Cork', 0, 0],
    ['', 0, 0],
  ])('%j', (answer, strict, lenient) => {
    const scores = scoreOrder(answer, ['Oslo', 'Turin', 'Lima'])
    expect(scores.strict).toBe(strict)
    expect(scores.lenient).toBeCloseTo(lenient)
  })
})

describe('order of telling', () => {
  it('shows the two of a pair in both orders', async () => {
    const task = orderOfTelling.create({ prose, wish: 'pair', templates: 'train' })
    let shownFirst = 0
    for (let index = 0; index < 60; index += 1) {
      const { question, references, supportingFacts, evidence } = await task.sample({ ...request, index })
      expect(supportingFacts!.length).toBe(2)
      expect(supportingFacts![0]!.startByte).toBeLessThan(supportingFacts![1]!.startByte)
      expect(evidence[0]!.endByte).toBeLessThanOrEqual(supportingFacts![0]!.endByte)
      const at = question.indexOf(references[0]!)
      shownFirst += / or | and /.test(question.slice(at)) ? 1 : 0
    }
    expect(shownFirst).toBeGreaterThan(15)
    expect(shownFirst).toBeLessThan(45)
  })
})

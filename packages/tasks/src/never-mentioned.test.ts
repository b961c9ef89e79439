import { createTextDocument } from '@memagent/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { absence, neverMentioned } from './never-mentioned.ts'
import { applyNotes } from './notes.ts'
import { templatesOf } from './templates.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { headings, plantedStatements, readStatement } from './testing/read-statements.ts'
import { containsReference } from './verifiers/lenient.ts'

const prose = sampleProse()
const request = { index: 0, seed: 0, lengthTokens: 1500, countTokens }
const nowhere = 'what the text never mentions stands nowhere in it'

describe.each([
  ['train', 'which'],
  ['held-out', 'which'],
  ['mixed', 'whether'],
] as const)('never mentioned, %s templates, %s', (templates, wish) => {
  registerContract(it, () => neverMentioned.create({ prose, templates, wish }), {
    ...(wish === 'whether' ? { silenceSays: 'no' } : {}),
    skip: {
      'holds each reference where the evidence says, and no evidence without an answer': nowhere,
      'spreads the depth of the answer evenly over the document': nowhere,
    },
  })
})

describe('what a text never mentions', () => {
  it('follows from the names in it, and the notes are the names of the question that occur', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom('which' as const, 'whether' as const),
        fc.constantFrom('train' as const, 'eval' as const),
        fc.constantFrom('train' as const, 'held-out' as const),
        async (seed, wish, split, templates) => {
          const options = { wish, split, templates, names: [2, 5, 8], missing: [1, 3] }
          const sample = await neverMentioned
            .create({ prose: headings, ...options })
            .sample({ ...request, seed })
          const statements = await plantedStatements(sample)
          const asked = readStatement(sample.query!, absence()[wish])!
          const names = asked.names?.split('; ') ?? [asked.name!]
          const occurs = (name: string) => statements.some((statement) => containsReference(statement, name))
          const missing = names.filter((name) => !occurs(name))
          expect(sample.references).toEqual(
            wish === 'which' ? missing : [missing.length === 0 ? 'yes' : 'no'],
          )
          expect(missing.length === 0 && wish === 'which').toBe(false)
          const noted = [...applyNotes(new Map(), sample.notes!).values()]
          expect(noted.toSorted()).toEqual(names.filter(occurs).toSorted())
          expect(statements.length).toBe(noted.length + 4)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is as often a mention as none, where one name is asked about', async () => {
    const task = neverMentioned.create({ prose, wish: 'whether' })
    let yes = 0
    for (let index = 0; index < 200; index += 1) {
      const { references } = await task.sample({ ...request, index })
      yes += references[0] === 'yes' ? 1 : 0
    }
    expect(yes).toBeGreaterThan(75)
    expect(yes).toBeLessThan(125)
  })
})

it('takes "not in the text" for no where one name is asked about, and for no answer where several are', () => {
  const score = (wish: string, reference: string, answer: string | undefined) =>
    neverMentioned.create({ prose }).score(
      {
        id: 'one',
        question: 'what',
        document: createTextDocument('', 'empty'),
        references: [reference],
        match: wish === 'which' ? 'all' : 'any',
        evidence: [],
        labels: { wish },
      },
      answer,
    )
  expect(score('whether', 'no', undefined)).toEqual({ strict: 1, lenient: 1 })
  expect(score('whether', 'yes', undefined)).toEqual({ strict: 0, lenient: 0 })
  expect(score('whether', 'no', '')).toEqual({ strict: 0, lenient: 0 })
  expect(score('which', 'Anna Mott', undefined)).toEqual({ strict: 0, lenient: 0 })
})

describe('never mentioned', () => {
  it('leaves at least one of the names in the text', async () => {
    const task = neverMentioned.create({ prose, wish: 'which', names: 2, missing: 5 })
    for (let index = 0; index < 20; index += 1) {
      const sample = await task.sample({ ...request, index })
      expect([sample.references.length, sample.supportingFacts!.length]).toEqual([1, 1])
    }
  })

  it('tells names apart that end alike: the Sal programme is not in the Zansal programme', async () => {
    // A past bug: no statement was found that had one without the other.
    const task = neverMentioned.create({
      prose,
      wish: 'which',
      names: 40,
      near: 40,
      classes: ['project', 'machine'],
    })
    for (let index = 0; index < 20; index += 1) {
      const sample = await task.sample({ ...request, lengthTokens: 6000, index })
      expect(sample.labels.names).toBe(40)
    }
  })

  it('has enough names in every class and pool', async () => {
    for (const split of ['train', 'eval'] as const) {
      const task = neverMentioned.create({ prose, split, wish: 'which', names: 8, near: 8 })
      for (let index = 0; index < 200; index += 1) {
        await task.sample({ ...request, lengthTokens: 3000, index })
      }
    }
  })

  it('can be asked for in training and in evaluation', () => {
    for (const list of [absence().which, absence().whether]) {
      const heldOut = list.filter((template) => template.heldOut).length
      expect([templatesOf(list, 'train').length, heldOut]).toEqual([6, 3])
    }
  })
})

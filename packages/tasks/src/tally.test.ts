import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyNotes } from './notes.ts'
import { tallies, tally } from './tally.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { headings, plantedStatements, readStatement } from './testing/read-statements.ts'
import { textOf } from './testing/task-contract.ts'

const prose = sampleProse()
const request = { index: 0, seed: 0, lengthTokens: 1500, countTokens }
const nowhere = 'a count or a sum stands nowhere in the text; supportingFacts say what it is made of'

describe.each([
  ['train', 'count'],
  ['held-out', 'total'],
  ['mixed', ['count', 'total']],
] as const)('tally, %s templates, %s', (templates, measure) => {
  registerContract(it, () => tally.create({ prose, templates, measure }), {
    skip: {
      'holds each reference where the evidence says, and no evidence without an answer': nowhere,
      'spreads the depth of the answer evenly over the document': nowhere,
    },
  })
})

const kinds = tallies().map((kind) => [kind.name, kind] as const)

describe.each(kinds)('a tally of %s', (name, kind) => {
  it('follows from the statements about the subject, and from no lure or statement about others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom('count' as const, 'total' as const),
        fc.constantFrom('train' as const, 'eval' as const),
        fc.constantFrom('train' as const, 'held-out' as const),
        async (seed, measure, split, templates) => {
          const options = { kinds: [name], measure, split, templates, lures: 3 }
          const sample = await tally.create({ prose: headings, ...options }).sample({ ...request, seed })
          const statements = await plantedStatements(sample)
          const asking = measure === 'count' ? kind.questions : kind.totals
          const { subject } = readStatement(sample.query!, asking)!
          const amounts = statements.flatMap((statement) => {
            const told = readStatement(statement, kind.statements, { subject: subject! })
            // A date may precede the amount: "On August 9, 1923, 34 crates".
            return told === undefined ? [] : Number(/\d+$/.exec(told.value!)![0])
          })
          expect(amounts.length).toBe(sample.labels.events)
          const answer = measure === 'count' ? amounts.length : amounts.reduce((sum, n) => sum + n)
          expect(sample.references[0]).toBe(`${answer}`)
          expect(applyNotes(new Map(), sample.notes!).get(measure)).toBe(`${answer}`)
          expect(sample.notes!.length).toBe(amounts.length)
          expect(statements.join(' ')).not.toMatch(/[{}]|undefined|\b[Aa]n? (a|an|the) /)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('has no lure that undoes an event, which one could still count', () => {
    for (const { text } of kind.lures) {
      expect(text).not.toMatch(/turned? (down|back)|sent back|declined|withdrew|lifted/)
    }
  })

  it('can be told, lured to and asked for in training and in evaluation', () => {
    const trained = (list: readonly { readonly heldOut: boolean }[]) =>
      list.filter(({ heldOut }) => !heldOut).length
    for (const [list, train, heldOut] of [
      [kind.statements, 6, 3],
      [kind.lures, 4, 2],
      [kind.questions, 4, 2],
      [kind.totals, 4, 2],
    ] as const) {
      expect(trained(list)).toBeGreaterThanOrEqual(train)
      expect(list.length - trained(list)).toBeGreaterThanOrEqual(heldOut)
    }
  })
})

describe('tally', () => {
  it('notes the running total, event by event', async () => {
    const task = tally.create({
      prose,
      kinds: ['donations'],
      measure: 'total',
      events: 3,
      templates: 'train',
    })
    const sample = await task.sample(request)
    const bytes = Buffer.from(await textOf(sample))
    const amounts = sample.notes!.map(({ statement }) =>
      Number(/(\d+) crowns/.exec(bytes.subarray(statement.startByte, statement.endByte).toString())![1]),
    )
    const [first, second, third] = amounts as [number, number, number]
    expect(sample.notes!.map(({ text }) => text)).toEqual(
      [first, first + second, first + second + third].map(String),
    )
    expect(sample.labels.present).toBe(true)
  })

  it('takes a count in words and a total with its unit, and nothing near them', async () => {
    const options = { prose, kinds: ['fines'], events: 7 }
    const counted = tally.create({ ...options, measure: 'count' })
    const count = await counted.sample(request)
    expect(['7', 'seven', 'Seven.', '8', '17'].map((answer) => counted.score(count, answer).strict)).toEqual([
      1, 1, 1, 0, 0,
    ])
    const summed = tally.create({ ...options, measure: 'total' })
    const total = await summed.sample(request)
    const [sum] = total.references
    const answers = [`${sum}`, `${sum} pounds`, `${sum} kilos`, `${Number(sum) + 1}`, `1${sum}`]
    expect(answers.map((answer) => summed.score(total, answer).strict)).toEqual([1, 1, 0, 0, 0])
  })

  it('draws the same events at every length', async () => {
    const task = tally.create({ prose })
    const drawn = await Promise.all(
      [500, 40_000].map((lengthTokens) => task.sample({ ...request, index: 3, lengthTokens })),
    )
    expect(drawn[0]!.labels).toEqual(drawn[1]!.labels)
  })
})

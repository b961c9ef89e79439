import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aliases, renaming } from './aliases.ts'
import { subjectSlots } from './facts/fill.ts'
import { applyNotes } from './notes.ts'
import { templatesOf } from './templates.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { headings, plantedStatements, readStatement } from './testing/read-statements.ts'
import { textOf } from './testing/task-contract.ts'

const prose = sampleProse()
const request = { index: 0, seed: 0, lengthTokens: 1500, countTokens }

describe.each(['train', 'held-out', 'mixed'] as const)('aliases, %s templates', (templates) => {
  registerContract(it, () => aliases.create({ prose, templates }), { absentShare: 0.1 })
})

/** Names are compared in this form: lower case, without the article. */
const bare = (name: string) => name.replace(/^the /i, '').toLowerCase()

/** Statements that name the thing itself; its name may be part of a longer one. */
const about = (statements: readonly string[], name: string) =>
  statements.filter((statement) =>
    [bare(name), subjectSlots.slug!(bare(name))].some((form) => statement.toLowerCase().includes(form)),
  )

describe('a fact under an alias', () => {
  it('is the only one that is told under the last of the names that follow from the one in the question', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom('train' as const, 'eval' as const),
        fc.constantFrom('train' as const, 'held-out' as const),
        fc.constantFrom(0, 0.5),
        async (seed, split, templates, absentShare) => {
          const task = aliases.create({ prose: headings, split, templates, absentShare, refusals: 2 })
          const sample = await task.sample({ ...request, seed })
          const statements = await plantedStatements(sample)
          const renames = statements.flatMap((statement) => {
            const read = readStatement(statement, renaming().renames)
            return read ? [{ old: bare(read.old!), next: bare(read.new ?? read.bareNew!) }] : []
          })
          const told = statements.filter(
            (statement) => !readStatement(statement, [...renaming().renames, ...renaming().refusals]),
          )
          let [name] = renames
            .map(({ old }) => old)
            .filter((old) => bare(sample.question).includes(old))
            .toSorted((one, other) => other.length - one.length)
          let steps = 0
          for (const { old, next } of renames) {
            if (old !== name) continue
            expect(about(told, old)).toEqual([])
            name = next
            steps += 1
          }
          expect(steps).toBe(sample.labels.renames)
          const answering = about(told, name!)
          expect(answering.length).toBe(sample.references.length)
          expect(answering[0]?.includes(sample.references[0]!) ?? true).toBe(true)
          const [noted] = applyNotes(new Map(), sample.notes!).values()
          expect(bare(noted!.replace(/^now /, ''))).toBe(bare(sample.references[0] ?? name!))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('comes after its renames, which are told in order', async () => {
    const task = aliases.create({ prose, renames: 3, absentShare: 0 })
    for (let index = 0; index < 30; index += 1) {
      const sample = await task.sample({ ...request, index })
      const starts = sample.supportingFacts!.map(({ startByte }) => startByte)
      expect(starts).toEqual(starts.toSorted((a, b) => a - b))
      expect(starts.length).toBe(4)
      expect(sample.notes!.map(({ statement }) => statement)).toEqual(sample.supportingFacts)
    }
  })
})

describe('aliases', () => {
  it('leaves out the fact alone if the text does not answer', async () => {
    const whole = await aliases.create({ prose, absentShare: 0 }).sample({ ...request, index: 9 })
    const absent = await aliases.create({ prose }).sample({ ...request, index: 9 })
    expect([absent.question, absent.references]).toEqual([whole.question, []])
    expect(absent.notes!.map(({ text }) => text)).toEqual(whole.notes!.slice(0, -1).map(({ text }) => text))
    expect(await textOf(absent)).not.toContain(whole.references[0])
  })

  it('has enough names and values in every kind and pool', async () => {
    for (const split of ['train', 'eval'] as const) {
      const task = aliases.create({ prose, split, renames: 3, refusals: 3, distractors: 4 })
      for (let index = 0; index < 200; index += 1) {
        await task.sample({ ...request, lengthTokens: 3000, index })
      }
    }
  })

  it('can be told in training and in evaluation', () => {
    const { renames, refusals } = renaming()
    const counts = (['train', 'held-out'] as const).map((choice) =>
      [renames, refusals].map((list) => templatesOf(list, choice).length),
    )
    expect(counts).toEqual([
      [10, 6],
      [5, 3],
    ])
  })
})

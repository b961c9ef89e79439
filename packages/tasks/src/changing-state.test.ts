import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { announce, type StateKind, states } from './changing-state/state-kinds.ts'
import { changingState } from './changing-state.ts'
import { applyNotes } from './notes.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { headings, plantedStatements, readStatement } from './testing/read-statements.ts'
import { textOf } from './testing/task-contract.ts'

const prose = sampleProse()
const request = { index: 0, seed: 0, lengthTokens: 1500, countTokens }

describe.each(['train', 'held-out', 'mixed'] as const)('changing state, %s templates', (templates) => {
  registerContract(it, () => changingState.create({ prose, templates }), { absentShare: 0.1 })
})

/** The last state of the subject, read by the templates alone; undefined if nothing changed it. */
function lastState(statements: readonly string[], subject: string, kind: StateKind): string | undefined {
  const { conditionals, conditions } = states()
  const announcements = conditionals.flatMap((frame) =>
    kind.effects.map((effect) => ({ text: announce(frame.text, '{condition}', effect.text) })),
  )
  const changes = statements.flatMap((statement, at) => {
    const direct = readStatement(statement, kind.statements, { subject })
    if (direct !== undefined) return [{ at, value: direct.value! }]
    const announced = readStatement(statement, announcements, { subject })
    return conditions.flatMap(({ clauses, holds }) => {
      const clause = announced && readStatement(announced.condition!, clauses)
      const outcome = statements.findIndex((other) => clause && readStatement(other, holds, clause))
      return outcome < 0 ? [] : [{ at: outcome, value: announced!.value! }]
    })
  })
  return changes.toSorted((one, other) => one.at - other.at).at(-1)?.value
}

const kinds = states().kinds.map((kind) => [kind.name, kind] as const)

describe.each(kinds)('the state %s', (name, kind) => {
  it('follows from the statements about the subject and its conditions, and from nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom('train' as const, 'eval' as const),
        fc.constantFrom('train' as const, 'held-out' as const),
        fc.constantFrom(0, 0.5),
        async (seed, split, templates, absentShare) => {
          const options = { kinds: [name], split, templates, absentShare, distractors: 6 }
          const task = changingState.create({ prose: headings, ...options })
          const sample = await task.sample({ ...request, seed })
          const statements = await plantedStatements(sample)
          const { subject } = readStatement(sample.question, kind.questions)!
          const state = lastState(statements, subject!, kind)
          expect(sample.references).toEqual(state === undefined ? [] : [state])
          expect(applyNotes(new Map(), sample.notes!).get('state')).toBe(state)
          expect(statements.join(' ')).not.toMatch(/[{}]|undefined|\b[Aa]n? (a|an|the) /)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('can be told, announced, lured to and asked for in training and in evaluation', () => {
    for (const [list, train, heldOut] of [
      [kind.statements, 6, 3],
      [kind.effects, 3, 1],
      [kind.lures, 4, 2],
      [kind.questions, 4, 2],
    ] as const) {
      const held = list.filter((template) => template.heldOut).length
      expect(held).toBeGreaterThanOrEqual(heldOut)
      expect(list.length - held).toBeGreaterThanOrEqual(train)
    }
  })
})

describe('changing state', () => {
  const options = { prose, kinds: ['place'], absentShare: 0, templates: 'train' } as const

  it('supports a conditional answer by the announcement and the outcome, which names neither subject nor answer', async () => {
    let conditional = 0
    for (let index = 0; index < 60; index += 1) {
      const task = changingState.create({ ...options, changes: 1, conditions: 2 })
      const sample = await task.sample({ ...request, index })
      const bytes = Buffer.from(await textOf(sample))
      const [first, outcome] = sample.supportingFacts!.map(({ startByte, endByte }) =>
        bytes.subarray(startByte, endByte).toString(),
      )
      const [answer] = sample.references
      expect(first).toContain(answer)
      expect(outcome === undefined).toBe(sample.labels.last === 'told')
      if (outcome === undefined) continue
      conditional += 1
      expect(sample.supportingFacts![0]!.endByte).toBeLessThan(sample.supportingFacts![1]!.startByte)
      expect(outcome).not.toContain(answer)
      expect(outcome).not.toContain(/Where is (.*) in the end|$/.exec(sample.question)![1] ?? answer)
    }
    expect(conditional).toBeGreaterThan(10)
  })

  it('notes a condition while it is open, and what became of it', async () => {
    const seen = new Set<string>()
    for (let index = 0; index < 40; index += 1) {
      const task = changingState.create({ ...options, changes: 1, conditions: 1 })
      const { notes, labels } = await task.sample({ ...request, index })
      const pending = notes!.find(({ line }) => line !== 'state')!
      expect(pending.text).toContain(' if ')
      const lines = applyNotes(new Map(), notes!)
      const isOpen = lines.has(pending.line)
      seen.add(`${isOpen ? 'open' : 'known'}, ${labels.last}`)
    }
    expect([...seen].sort()).toEqual(['known, holds', 'known, told', 'open, told'])
  })

  it('works in documents of a few chunks', async () => {
    const sample = await changingState.create({ prose }).sample({ ...request, index: 3, lengthTokens: 600 })
    expect(await textOf(sample)).not.toBe('')
  })
})

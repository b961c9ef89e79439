import { applyEdits, parseEdits, parseGates } from '@memagent/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { responseWriters } from './response-writers.ts'

/** Lines by name, without duplicate texts, as in tasks. */
const lines = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...'abcdef'), fc.stringMatching(/^[A-Z][a-z0-9]{1,8}$/)), {
    selector: ([name]) => name,
    maxLength: 6,
  })
  .map((drawn) => new Map(drawn.map(([name, text]) => [name, `${text} ${name}`])))

describe('edits', () => {
  it('are the ones that make the memory before into the memory after', () => {
    const { edits } = responseWriters
    fc.assert(
      fc.property(lines, lines, fc.integer({ min: 0, max: 40 }), (before, after, gap) => {
        const shown = [...before.values()].map((text, i) => ({ id: 1 + i + gap, text }))
        const response = edits.update(before, after, { lines: shown })!
        const parsed = parseEdits(response, shown)
        if ('problem' in parsed) throw new Error(parsed.problem)
        const made = applyEdits(shown, parsed.edits)
        expect(made.lines.map(({ text }) => text).toSorted()).toEqual([...after.values()].toSorted())
        // Lines that stay are not touched.
        const changed = [...before].filter(([name, text]) => after.get(name) !== text).length
        const added = [...after.keys()].filter((name) => !before.has(name)).length
        expect(parsed.edits).toHaveLength(changed + added)
      }),
    )
  })

  it('have no right form where the workflow holds other lines', () => {
    const before = new Map([['fact', 'Ann']])
    const state = { lines: [{ id: 1, text: 'Bob' }] }
    expect(responseWriters.edits.update(before, before, state)).toBeUndefined()
    expect(responseWriters.edits.update(before, before, { lines: [] })).toBeUndefined()
  })
})

it('gated writes the whole memory where it changes, and nothing more than a shut gate where it does not', () => {
  const { gated } = responseWriters
  const memory = new Map([
    ['a', 'Ann'],
    ['b', 'Bob'],
  ])
  expect(gated.update(memory, new Map(memory))).toBe('no')
  expect(gated.update(new Map([['a', 'Al']]), memory)).toBe('yes\n Ann; Bob\ncontinue')
  // As prompts show the memory, and as it is shown after this response.
  expect(gated.shown(memory)).toBe('Ann; Bob')
  expect(parseGates(gated.update(new Map(), memory)!)).toEqual({ memory: 'Ann; Bob', exit: false })
})

it('parallel reports what is new, and puts it into the memory in a merge', () => {
  const { parallel } = responseWriters
  const before = new Map([['a', 'Ann']])
  const after = new Map([
    ['a', 'Ann'],
    ['b', 'Bob'],
  ])
  expect(parallel.update(after, new Map(after))).toBe('no')
  expect(parallel.update(before, after)).toBe('yes\n Bob')
  expect(parallel.merge!(before, after)).toEqual({ reports: 'Bob', response: ' Ann; Bob' })
})

it('overwrite writes the whole memory, and what an empty one is called', () => {
  const { overwrite } = responseWriters
  const memory = new Map([
    ['a', 'Ann'],
    ['b', 'Bob'],
  ])
  expect(overwrite.update(new Map(), memory)).toBe(' Ann; Bob')
  expect(overwrite.update(memory, new Map())).toBe(' nothing yet')
})

it('recall writes the whole memory inside its tags, and looks nothing up', () => {
  const { recall } = responseWriters
  const memory = new Map([['a', 'Ann']])
  expect(recall.update(new Map(), memory)).toBe('<update> Ann</update>')
  expect(recall.update(memory, new Map())).toBe('<update> nothing yet</update>')
})

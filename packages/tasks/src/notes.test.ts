import { describe, expect, it } from 'vitest'
import { applyNotes } from './notes.ts'
import { tasks } from './registry.ts'
import { countTokensRoughly as countTokens, sampleProse } from './testing/fixtures.ts'

describe('applyNotes', () => {
  it('adds, replaces in place and drops lines', () => {
    const lines = applyNotes(new Map(), [
      { line: 'a', text: 'one' },
      { line: 'b', text: 'two' },
      { line: 'a', text: 'three' },
      { line: 'c', text: 'four' },
      { line: 'b', text: undefined },
    ])
    expect([...lines]).toEqual([
      ['a', 'three'],
      ['c', 'four'],
    ])
  })
})

describe('the notes of a perfect reader', () => {
  const prose = sampleProse()
  const noted = [
    { name: 'facts-in-prose', options: {} },
    { name: 'needles-in-prose', options: { valuesPerKey: 3, queries: 2 } },
    { name: 'several-values', options: {} },
    { name: 'all-mentions', options: {} },
    { name: 'corrected-fact', options: {} },
    { name: 'many-facts', options: { choice: ['latest', 'first'] } },
    { name: 'multi-hop', options: { order: 'forward' } },
  ] as const

  it.each(noted)('$name: are in the order of the text, and answer', async ({ name, options }) => {
    const task = await tasks[name]({ prose, ...options } as never)
    for (let index = 0; index < 60; index += 1) {
      const sample = await task.sample({ index, seed: 3, lengthTokens: 3000, countTokens })
      const starts = sample.notes!.map(({ statement }) => statement.startByte)
      expect(starts).toEqual(starts.toSorted((a, b) => a - b))
      const memory = [...applyNotes(new Map(), sample.notes!).values()]
      expect(memory.length === 0 || sample.references.length > 0 || name === 'multi-hop').toBe(true)
      if (sample.references.length > 0) {
        expect(memory.toSorted()).toEqual(sample.references.toSorted())
        expect(task.score(sample, memory.join('; '))).toMatchObject({ strict: 1 })
      }
    }
  })

  it.each([
    ...noted,
    { name: 'tally', options: {} },
    { name: 'aliases', options: {} },
    { name: 'changing-state', options: {} },
    { name: 'order-of-telling', options: {} },
    { name: 'never-mentioned', options: {} },
  ] as const)(
    '$name: of the whole text alone are the notes, of half of it only what that half tells',
    async ({ name, options }) => {
      const task = await tasks[name]({ prose, ...options } as never)
      let apart = 0
      for (let index = 0; index < 30; index += 1) {
        const sample = await task.sample({ index, seed: 3, lengthTokens: 3000, countTokens })
        const { sizeBytes } = sample.document
        const notesIn = (startByte: number, endByte: number) => sample.notesIn!({ startByte, endByte })
        expect(notesIn(0, sizeBytes!)).toEqual(sample.notes)
        const middle = Math.floor(sizeBytes! / 2)
        // Up to the middle, it makes no difference whether the rest is read.
        expect(notesIn(0, middle)).toEqual(
          sample.notes!.filter(({ statement }) => statement.endByte <= middle),
        )
        const later = notesIn(middle, sizeBytes!)
        expect(later.every(({ statement }) => statement.startByte >= middle)).toBe(true)
        const rest = sample.notes!.filter(({ statement }) => statement.startByte >= middle)
        apart += Number(JSON.stringify(later) !== JSON.stringify(rest))
      }
      // Earlier statements matter, except in tasks that tell every value once.
      const isOnce = [
        'facts-in-prose',
        'needles-in-prose',
        'several-values',
        'corrected-fact',
        'never-mentioned',
      ]
      expect(apart > 0).toBe(!isOnce.includes(name))
    },
  )

  it('all-mentions: a value is noted where it is mentioned first, and never again', async () => {
    const task = await tasks['all-mentions']({ prose, repeats: 4 })
    let earlier = 0
    for (let index = 0; index < 20; index += 1) {
      const sample = await task.sample({ index, seed: 3, lengthTokens: 3000, countTokens })
      const texts = sample.notes!.map(({ text }) => text)
      expect(texts.toSorted()).toEqual(sample.references.toSorted())
      sample.references.forEach((reference, i) => {
        const { statement } = sample.notes!.find(({ text }) => text === reference)!
        // The evidence may be the value's second mention.
        expect(statement.startByte).toBeLessThanOrEqual(sample.evidence[i]!.startByte)
        earlier += Number(statement.endByte < sample.evidence[i]!.startByte)
      })
    }
    expect(earlier).toBeGreaterThan(5)
  })

  it('many facts: what is highest so far is noted with its amount, to compare with the next', async () => {
    const task = await tasks['many-facts']({ prose, choice: 'highest' })
    let members = 0
    for (let index = 0; index < 40; index += 1) {
      const sample = await task.sample({ index, seed: 3, lengthTokens: 3000, countTokens })
      const texts = sample.notes!.map(({ text }) => text!)
      const amounts = texts.map((text) => Number(/(\d+)\D*$/u.exec(text)![1]))
      expect(amounts).toEqual(amounts.toSorted((a, b) => a - b))
      const [reference] = sample.references
      const [last] = texts.slice(-1)
      expect(last === reference || last!.startsWith(`${reference}: `)).toBe(true)
      members += Number(last !== reference)
    }
    expect(members).toBeGreaterThan(5)
  })

  it('variable tracking: every variable is noted where it is assigned', async () => {
    const task = await tasks['variable-tracking']({})
    const { notes, evidence, references } = await task.sample({
      index: 2,
      seed: 1,
      lengthTokens: 2000,
      countTokens,
    })
    expect(notes!.map(({ text }) => text)).toEqual(references)
    notes!.forEach(({ statement }, i) => {
      expect(statement.startByte).toBeLessThan(evidence[i]!.startByte)
      expect(statement.endByte).toBeGreaterThanOrEqual(evidence[i]!.endByte)
    })
  })
})

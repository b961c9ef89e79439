import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullGroups, groupsThatFit, mostMerges, type Note, noteTokens, placeOfMerge, textOfNotes, withMerged } from './parallel-notes.ts' // biome-ignore format: one list

const budgetOf = (chunk: number, memory: number) => ({ window: 9999, question: 9, chunk, memory, output: 9 })
const countWords = async (text: string) => text.split(/\s+/).filter((word) => word !== '').length
const noteOf = (step: number, words: number, level = 0): Note => ({
  step,
  level,
  text: Array.from({ length: words }, () => `w${step}`).join(' '),
})
const stepsOf = (groups: readonly (readonly Note[])[]) => groups.map((group) => group.map(({ step }) => step))

describe('notes on their way into a memory', () => {
  it('have room for two in a merge, and the memory budget at most', () => {
    expect(noteTokens(budgetOf(5000, 1024))).toBe(1024)
    expect(noteTokens(budgetOf(60, 48))).toBe(28)
    expect(noteTokens(budgetOf(3, 48))).toBe(1)
  })

  it('are merged with their neighbours, as many as fit, and with one at least', async () => {
    const budget = budgetOf(20, 8)
    const notes = [8, 7, 5, 8, 8, 4, 1].map((words, step) => noteOf(step, words))
    expect(stepsOf(await groupsThatFit(notes, budget, countWords))).toEqual([[0, 1, 2], [3, 4, 5], [6]])
    const long = [30, 30, 30].map((words, step) => noteOf(step, words))
    expect(stepsOf(await groupsThatFit(long, budget, countWords))).toEqual([[0, 1], [2]])
    expect(await groupsThatFit([], budget, countWords)).toEqual([])
  })

  it('wait until a level has more than one merge of them, the lowest first', async () => {
    const budget = budgetOf(20, 8)
    const waiting = [noteOf(0, 8, 1), noteOf(4, 8, 1), noteOf(8, 8), noteOf(9, 8)]
    expect(await fullGroups(waiting, budget, countWords)).toEqual([])
    const more = [...waiting, noteOf(10, 8)]
    expect(stepsOf(await fullGroups(more, budget, countWords))).toEqual([[8, 9]])
    const groups = await fullGroups(more, budget, countWords)
    const merged = [{ ...placeOfMerge(groups[0]!), text: 'm' }]
    const next = withMerged(more, groups, merged)
    expect(next.map(({ step, level }) => [step, level])).toEqual([[0, 1], [4, 1], [8, 1], [10, 0]]) // biome-ignore format: rows
    expect(stepsOf(await fullGroups(next, budget, countWords))).toEqual([])
    const full = [noteOf(0, 8, 1), noteOf(4, 8, 1), noteOf(8, 8, 1), noteOf(12, 8)]
    expect(stepsOf(await fullGroups(full, budget, countWords))).toEqual([[0, 4]])
  })

  it('keep their order, wait in few windows, and take no more merges than announced', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 12, max: 80 }),
        fc.integer({ min: 2, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 300, size: 'max' }),
        fc.integer({ min: 1, max: 64 }),
        async (chunk, memory, sizes, batch) => {
          const budget = budgetOf(chunk, memory)
          const most = noteTokens(budget)
          let notes: readonly Note[] = []
          let merges = 0
          const merge = (groups: readonly (readonly Note[])[]) => {
            for (const group of groups) expect(group.length).toBeGreaterThan(1)
            merges += groups.length
            // Merged notes are as long as they may be.
            const merged = groups.map((group) => ({ ...noteOf(0, most), ...placeOfMerge(group) }))
            notes = withMerged(notes, groups, merged)
            const steps = notes.map(({ step }) => step)
            expect(steps).toEqual(steps.toSorted((a, b) => a - b))
          }
          for (let from = 0; from < sizes.length; from += batch) {
            const read = sizes.slice(from, from + batch)
            notes = [...notes, ...read.map((size, i) => noteOf(from + i, Math.min(most, size)))]
            for (;;) {
              const groups = await fullGroups(notes, budget, countWords)
              if (groups.length === 0) break
              merge(groups)
            }
            const levels = new Set(notes.map(({ level }) => level)).size
            expect(levels).toBeLessThanOrEqual(1 + Math.log2(sizes.length))
            expect(await countWords(textOfNotes(notes))).toBeLessThanOrEqual(levels * Math.max(chunk, 2))
          }
          for (;;) {
            const groups = await groupsThatFit(notes, budget, countWords)
            if (groups.length <= 1) break
            merge(groups.filter((group) => group.length > 1))
          }
          // The last merge is the one into the memory.
          expect(merges + 1).toBeLessThanOrEqual(mostMerges(sizes.length, budget))
        },
      ),
      { numRuns: 300 },
    )
  })
})

import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { entry, makeRecord } from '../testing/made-records.ts'
import { reading, writeLines } from '../testing/made-results.ts'
import { estimate, inFinalMemory } from './analysis/measures.ts'
import { collectObservations } from './collect-observations.ts'
import { memoryCourseOf } from './memory-course.ts'
import { observe } from './observation.ts'

const folder = temporaryFolder(beforeEach, afterEach)

describe('the course of a memory', () => {
  it('counts the rewrites that held the answer, changed it and lost it, from the memories where they changed', () => {
    // Ten rewrites: found at 2, reworded at 4, lost at 5, found again at 8.
    const trace = [
      entry(0, 'nothing', 1),
      entry(2, 'Anna Lind', 2),
      entry(4, 'keeper: Anna Lind', 4),
      entry(5, 'Bo Ek', 2),
      entry(8, 'Anna Lind', 2),
    ]
    const { memory, diagnosis } = observe(makeRecord({ trace, steps: 10 }), 'a.jsonl')
    // After 2: rewrites 3 and 4; after 4: 5; after 8: 9.
    expect(diagnosis).toMatchObject({ heldRewrites: 4, losses: 1 })
    expect(memory).toMatchObject({
      rewrites: 10,
      changes: 5,
      heldRewrites: 4,
      heldChanges: 2,
      // 1, 1, 2, 2, 4, 2, 2, 2, 2, 2
      meanTokens: 2,
      holdsAtEnd: 1,
      heldAtSomeStep: 1,
    })
  })

  it('tells what the memory holds at the end from what it held once, and from having nothing to find', () => {
    expect(memoryCourseOf(reading(0, 1000, false))).toMatchObject({ holdsAtEnd: 0, heldAtSomeStep: 1 })
    expect(memoryCourseOf(makeRecord({ references: [] }))!.holdsAtEnd).toBeUndefined()
    const failed = makeRecord({ error: { code: 'x', message: 'y' }, trace: [], steps: 0 })
    expect(memoryCourseOf(failed)!.holdsAtEnd).toBe(0)
  })

  it('does not say whether it holds what the text never mentions: no notes of it could', async () => {
    const asked = { references: ['Anna Lind'], trace: [entry(0, 'Bo Ek')], evidence: [] }
    const sampleId = 'never-mentioned/seed-1/index-0/tokens-8000'
    // Decided by the id, as the plan may give the task another name.
    const course = memoryCourseOf(makeRecord({ ...asked, task: 'absent', sampleId }))
    expect(course).toMatchObject({ holdsAtEnd: undefined, heldAtSomeStep: undefined, changes: 1 })
    // For other tasks it is known whenever the text has an answer.
    expect(memoryCourseOf(makeRecord(asked))).toMatchObject({ holdsAtEnd: 0, heldAtSomeStep: 0 })
    const path = folder.join('records.jsonl')
    await writeLines(path, [
      makeRecord({ ...asked, sampleId }),
      makeRecord({ index: 1, trace: [entry(0, 'Anna Lind')] }),
    ])
    const { observations } = await collectObservations([path])
    expect(estimate(observations, inFinalMemory).value).toBe(1)
  })

  it('and what became of an answer are unknown where the trace was not recorded', async () => {
    const path = folder.join('records.jsonl')
    const untraced = { trace: undefined, metrics: { strict: 0 }, answer: 'Bo Ek' }
    await writeLines(path, [
      makeRecord({ index: 0, trace: [entry(0, 'Anna Lind')] }),
      makeRecord({ index: 1, ...untraced }),
    ])
    const { observations } = await collectObservations([path])
    expect(observations[1]!.memory).toBeUndefined()
    expect(observations[1]!.diagnosis).toMatchObject({
      label: 'unexplained',
      signatures: [],
      heldRewrites: 0,
    })
  })

  it('does not take the letter of a choice for the answer: "a" is a word of every text', () => {
    const asked = {
      sampleId: 'longbench-v2/row-1/seed-1/index-0/tokens-8000',
      references: ['A', 'A red ship'],
      trace: [entry(0, 'It is about a harbour.'), entry(1, 'There was a red ship in it.')],
      metrics: { strict: 0 },
      answer: 'B',
    }
    expect(observe(makeRecord(asked), 'a.jsonl').diagnosis).toMatchObject({
      capturedStep: 1,
      heldRewrites: 8,
    })
    const never = makeRecord({ ...asked, references: ['B', 'A green ship'], answer: 'A' })
    const { memory, diagnosis } = observe(never, 'a.jsonl')
    expect(memory).toMatchObject({ holdsAtEnd: 0, heldAtSomeStep: 0 })
    expect(diagnosis.signatures).not.toContain('captured-lure')
  })

  it('is not told by steps that are not in order', () => {
    const trace = [entry(70, 'Anna Lind'), entry(90, 'Bo Ek'), entry(30, 'Anna Lind')]
    const places = makeRecord({ method: 'skim', workflow: 'skim', trace, steps: 24 })
    const read = (record: typeof places) => observe(record, 'a.jsonl')
    expect(read(places).diagnosis).toMatchObject({ heldRewrites: 0, losses: 0, capturedStep: undefined })
    expect(read(places).memory).toMatchObject({
      heldRewrites: 0,
      meanTokens: Number.NaN,
      holdsAtEnd: 1,
      shown: [],
    })
    const now = trace.map((one, i) => ({ ...one, step: 4 * i, chunk: one.step }))
    expect(read({ ...places, trace: now }).diagnosis).toMatchObject({ heldRewrites: 19, losses: 1 })
  })

  it('is there for every sample of a method that noted something in any, and for no sample of the others', async () => {
    const path = folder.join('records.jsonl')
    await writeLines(path, [
      makeRecord({ method: 'truncate', index: 0, trace: [entry(0, 'Anna Lind')] }),
      makeRecord({ method: 'truncate', index: 1, metrics: { strict: 0 } }),
      makeRecord({ method: 'bm25', index: 0 }),
    ])
    const { observations } = await collectObservations([path])
    expect(observations.map(({ memory }) => memory?.holdsAtEnd)).toEqual([1, 0, undefined])
  })
})

/** Each signature on a synthetic trace. The evidence, "Anna Lind", is at bytes 450 to 459, which step 4 reads. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BenchRecord } from '../record.ts'
import { entry, makeRecord } from '../testing/made-records.ts'
import { diagnose, ofMemoryMethod } from './diagnose.ts'
import { signatures } from './signatures/registry.ts'

const wrong = (parts: Partial<BenchRecord>) =>
  makeRecord({ answer: '', outcome: 'not-found', metrics: { strict: 0, lenient: 0 }, ...parts })
const diagnosed = (parts: Partial<BenchRecord>) => diagnose(wrong(parts), false)

describe('the label of a wrong answer', () => {
  it('is absent from a right one', () => {
    const diagnosis = diagnose(makeRecord({ trace: [entry(4, 'Anna Lind keeps it')] }), true)
    expect(diagnosis).toMatchObject({
      label: undefined,
      signatures: [],
      capturedStep: 4,
      lostStep: undefined,
    })
  })

  it('failed-call: excludes every other label', () => {
    const diagnosis = diagnosed({ error: { code: 'chat/timeout', message: 'too late' }, steps: 0 })
    expect(diagnosis).toMatchObject({ label: 'failed-call', signatures: ['failed-call'] })
  })

  it('inexact-answer: every reference is in the answer, among other words', () => {
    const trace = [entry(4, 'Anna Lind keeps it')]
    expect(diagnosed({ trace, answer: 'It is Anna Lind, I think', outcome: 'found' }).label).toBe(
      'inexact-answer',
    )
  })

  it('never-seen: no prompt held all of the evidence', () => {
    const seen = (startByte: number, endByte: number) => ({ startByte, endByte })
    expect(diagnosed({ method: 'bm25', seen: [seen(0, 400), seen(500, 1000)] }).label).toBe('never-seen')
    expect(diagnosed({ method: 'bm25', seen: [seen(0, 455), seen(456, 1000)] }).label).toBe('never-seen')
    expect(diagnosed({ method: 'bm25', seen: [seen(455, 1000), seen(0, 455)] }).label).toBe(
      'seen-but-not-answered',
    )
  })

  it('kept-but-not-used: the final memory has the reference', () => {
    const trace = [entry(2, 'a lighthouse in Vardo'), entry(4, 'Vardo: kept by Anna Lind')]
    expect(diagnosed({ trace, answer: 'Vardo', outcome: 'found' })).toMatchObject({
      label: 'kept-but-not-used',
      capturedStep: 4,
    })
  })

  it('saturated: the memory was full for three steps around the evidence, and never held the fact', () => {
    const full = (step: number) => entry(step, `lighthouse ${step}`, 96)
    expect(diagnosed({ trace: [full(3), full(4), full(5)] }).label).toBe('saturated')
    expect(diagnosed({ trace: [full(4), entry(6, 'lighthouse', 50)] }).label).toBe('seen-but-not-kept')
    expect(diagnosed({ trace: [full(1), full(2), entry(3, 'lighthouse', 94)] }).label).toBe(
      'seen-but-not-kept',
    )
  })

  it('saturated: one memory that was cut off at the limit suffices, when it lost the fact', () => {
    const trace = [entry(4, 'Anna Lind, lighthouse'), entry(7, 'lighthouse and much more', 100)]
    expect(diagnosed({ trace })).toMatchObject({
      label: 'saturated',
      signatures: ['saturated', 'fact-lost'],
      lostStep: 7,
    })
    expect(diagnosed({ trace, settings: {} }).label).toBe('fact-lost')
    expect(diagnosed({ trace, settings: { budget: { memory: 400 } } }).label).toBe('fact-lost')
    expect(diagnosed({ trace, method: 'overwrite:chunk=256,memory=400' }).label).toBe('fact-lost')
    // A memory that grows has no budget to fill.
    expect(diagnosed({ trace, method: 'overwrite:memory=auto' }).label).toBe('fact-lost')
  })

  it('captured-lure: the wrong answer was in the memory', () => {
    const trace = [entry(2, 'the lighthouse is kept by Otto Berg')]
    expect(diagnosed({ trace, answer: 'Otto Berg', outcome: 'found' })).toMatchObject({
      label: 'captured-lure',
      signatures: ['captured-lure', 'seen-but-not-kept'],
    })
    expect(diagnosed({ trace, answer: 'Nils Dahl', outcome: 'found' }).label).toBe('seen-but-not-kept')
  })

  it('captured-lure: one wrong part of a list suffices, and parts of a reference are not a lure', () => {
    const parts = { references: ['Bergen', 'Oslo'], match: 'all', evidence: [], outcome: 'found' } as const
    const trace = [entry(2, 'ports: Bergen, Malmo')]
    expect(diagnosed({ ...parts, trace, answer: 'Bergen and Malmo' }).label).toBe('captured-lure')
    const part = {
      references: ['Anna Lind'],
      trace: [entry(2, 'Anna something')],
      answer: 'Anna',
      outcome: 'found',
    } as const
    expect(diagnosed(part).label).toBe('seen-but-not-kept')
  })

  it('captured-lure and made-up: nothing was to be found', () => {
    const parts = { references: [], evidence: [], answer: 'Otto Berg', outcome: 'found' } as const
    expect(diagnosed({ ...parts, trace: [entry(2, 'Otto Berg keeps it')] }).label).toBe('captured-lure')
    expect(diagnosed({ ...parts, trace: [entry(2, 'nothing about a lighthouse')] }).label).toBe('made-up')
  })

  it('filler: the memory has no word of question and references, or says one phrase again and again', () => {
    expect(diagnosed({ trace: [entry(2, 'The section talks about some other things.')] }).label).toBe(
      'filler',
    )
    expect(
      diagnosed({ trace: [entry(2, 'lighthouse is kept lighthouse is kept lighthouse is kept')] }).label,
    ).toBe('filler')
    expect(diagnosed({ trace: [entry(2, 'a lighthouse stands in Vardo')] }).label).toBe('seen-but-not-kept')
    expect(diagnosed({ trace: [] }).label).toBe('seen-but-not-kept')
  })

  it('drifted: words kept with the fact wore away before the fact did', () => {
    const trace = [
      entry(4, 'Anna Lind keeps the lighthouse since spring'),
      entry(6, 'Anna Lind keeps the lighthouse'),
      entry(8, 'Anna keeps the lighthouse'),
    ]
    expect(diagnosed({ trace })).toMatchObject({
      label: 'drifted',
      signatures: ['drifted', 'fact-lost'],
      // Steps 5, 6 and 7; step 6 dropped "since spring", step 8 lost the fact.
      quietRewrites: 3,
      driftingRewrites: 1,
    })
  })

  it('drifted needs to know which rewrites read evidence', () => {
    const trace = [
      entry(4, 'Anna Lind keeps it since spring'),
      entry(6, 'Anna Lind keeps it'),
      entry(8, 'lighthouse'),
    ]
    expect(diagnosed({ trace, evidence: [] })).toMatchObject({ label: 'fact-lost', quietRewrites: 0 })
  })

  it('fact-lost: in one go, at a step that is named', () => {
    const trace = [
      entry(4, 'Anna Lind keeps the lighthouse'),
      entry(5, 'Anna Lind keeps the lighthouse, ferries'),
      entry(8, 'lighthouse, ferries'),
    ]
    expect(diagnosed({ trace })).toMatchObject({ label: 'fact-lost', capturedStep: 4, lostStep: 8 })
  })

  it('fact-lost does not apply to a fact that came back', () => {
    const trace = [
      entry(4, 'Anna Lind, lighthouse'),
      entry(6, 'lighthouse'),
      entry(8, 'Anna Lind, lighthouse'),
    ]
    const diagnosis = diagnosed({ trace })
    expect(diagnosis).toMatchObject({ label: 'kept-but-not-used', lostStep: undefined, losses: 1 })
  })

  it('seen-but-not-kept: the memory is of the matter, and lacks the fact', () => {
    expect(diagnosed({ trace: [entry(4, 'a lighthouse in Vardo')] }).label).toBe('seen-but-not-kept')
  })

  it('seen-but-not-answered: for methods without a memory', () => {
    expect(diagnosed({ method: 'truncate', seen: [{ startByte: 0, endByte: 1000 }] }).label).toBe(
      'seen-but-not-answered',
    )
  })

  it('unexplained: the task does not know where its evidence is', () => {
    expect(diagnosed({ method: 'truncate', evidence: [], seen: [] })).toMatchObject({
      label: 'unexplained',
      signatures: [],
    })
  })

  it('seen-but-not-kept also applies when the whole text was read and the task does not know where its evidence is', () => {
    expect(diagnosed({ evidence: [], trace: [entry(2, 'a lighthouse')] }).label).toBe('seen-but-not-kept')
  })

  it('is that of a method with a memory once other samples of the method show that it keeps one', () => {
    const diagnosis = diagnosed({ method: 'refine', trace: [] })
    expect(diagnosis).toMatchObject({ label: 'seen-but-not-answered', hasMemory: false })
    expect(ofMemoryMethod(diagnosis)).toMatchObject({
      label: 'seen-but-not-kept',
      signatures: ['seen-but-not-kept'],
      hasMemory: true,
    })
  })

  it('of several wanted facts is about the missing one', () => {
    const diagnosis = diagnosed({
      references: ['Anna Lind', 'Otto Berg'],
      match: 'all',
      evidence: [
        { startByte: 450, endByte: 459 },
        { startByte: 650, endByte: 659 },
      ],
      trace: [
        entry(4, 'lighthouse: Anna Lind'),
        entry(6, 'lighthouse: Otto Berg, Anna Lind'),
        entry(9, 'lighthouse: Anna Lind'),
      ],
      answer: 'Anna Lind',
      outcome: 'found',
    })
    expect(diagnosis).toMatchObject({ label: 'fact-lost', capturedStep: 6, lostStep: 9 })
    // Anna Lind survives rewrites 5 to 9, Otto Berg 7 to 9.
    expect(diagnosis).toMatchObject({ heldRewrites: 5 + 3, losses: 1 })
  })
})

describe('losses per rewrite', () => {
  it('count every rewrite with the fact in the memory before, also those that changed nothing', () => {
    const held = diagnose(makeRecord({ trace: [entry(4, 'Anna Lind')], steps: 10 }), true)
    expect(held).toMatchObject({ heldRewrites: 5, losses: 0 })
    const lost = diagnosed({ trace: [entry(4, 'Anna Lind'), entry(7, 'ferries')], steps: 10 })
    expect(lost).toMatchObject({ heldRewrites: 3, losses: 1 })
  })
})

describe('properties', () => {
  const memory = fc.constantFrom(
    'Anna Lind',
    'Otto Berg',
    '',
    'Vardo lighthouse',
    'so it is so it is so it is',
    'Anna',
  )
  const trace = fc
    .array(fc.tuple(memory, fc.integer({ min: 0, max: 100 })), { maxLength: 10 })
    .map((memories) => memories.map(([text, tokens], step) => entry(step, text, tokens)))
  const record = fc.record({
    trace,
    answer: fc.constantFrom('Anna Lind', 'Otto Berg', '', 'Anna', 'It is Anna Lind'),
    outcome: fc.constantFrom('found', 'not-found', 'unsure'),
    evidence: fc.constantFrom([], [{ startByte: 450, endByte: 459 }]),
    references: fc.constantFrom([], ['Anna Lind'], ['Anna Lind', 'Otto Berg']),
    match: fc.constantFrom('any', 'all'),
    method: fc.constantFrom('overwrite', 'bm25'),
  })

  it('every wrong sample has one label, which is the first of the signatures that are there', () => {
    const names = signatures.map(({ name }) => name)
    fc.assert(
      fc.property(record, (parts) => {
        const { label, signatures: present } = diagnosed(parts as Partial<BenchRecord>)
        expect(names).toContain(label)
        expect(label).toBe(present[0] ?? 'unexplained')
        expect(present).toEqual(names.filter((name) => present.includes(name)))
      }),
    )
  })

  it('losses never outnumber the rewrites that could lose something', () => {
    fc.assert(
      fc.property(record, (parts) => {
        const { losses, heldRewrites, driftingRewrites, quietRewrites } = diagnosed(
          parts as Partial<BenchRecord>,
        )
        expect(losses).toBeLessThanOrEqual(heldRewrites)
        expect(driftingRewrites).toBeLessThanOrEqual(quietRewrites)
      }),
    )
  })
})

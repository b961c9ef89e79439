import { createTextDocument } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../registry.ts'
import type { Sample } from '../task.ts'
import {
  advice,
  differenceFrom,
  hashedAfter,
  hashSamples,
  nameOf,
  readSampleRecord,
  taskOf,
} from './recorded-samples.ts'
import { makeSampleInputs, type SampleInputs } from './sample-inputs.ts'

const record = await readSampleRecord()

describe('samples', () => {
  const folder = temporaryFolder(beforeAll, afterAll)
  let inputs: SampleInputs
  beforeAll(async () => {
    inputs = await makeSampleInputs(folder.path)
  })

  it('are drawn from the recorded prose and files', () => {
    expect(inputs.hash, advice).toBe(record.inputs)
  })

  // `npm run check:samples` checks the others.
  it.each(record.entries.map((entry) => [nameOf(entry), entry] as const))(
    'are as recorded: %s',
    async (_, entry) => {
      const found = await hashSamples(await taskOf(entry, inputs), entry.lengthTokens, 5)
      expect(differenceFrom(entry, found), advice).toBeUndefined()
    },
  )

  it('are recorded for every task except other people’s modules', () => {
    const recorded = new Set(record.entries.map(({ task }) => task))
    expect(Object.keys(tasks).filter((task) => !recorded.has(task))).toEqual(['module'])
  })

  it('are recorded once for each task, options and length, up to the last', () => {
    const partly = record.entries.filter(({ hashes }) => hashes?.length !== hashedAfter.length)
    expect(partly.map(nameOf)).toEqual([])
    const names = record.entries.map(nameOf)
    expect(names).toEqual([...new Set(names)])
  })
})

describe('the hashes', () => {
  const whole: Sample = {
    id: 'one',
    question: 'Who keeps the gate?',
    query: 'keeps gate',
    document: { ...createTextDocument('Anna keeps the gate.'), textStarts: [0] },
    memory: 'Notes.',
    references: ['Anna'],
    match: 'any',
    evidence: [{ startByte: 0, endByte: 4 }],
    supportingFacts: [{ startByte: 0, endByte: 20 }],
    labels: { kind: 'keeper', depth: 0 },
  }
  const hashesOf = (sampleAt: (index: number) => Sample) =>
    hashSamples({ sample: async ({ index }) => sampleAt(index) }, 100, 200)
  const entry = { task: 'gates', options: { gates: 2 }, lengthTokens: 100 }

  it.each<[string, Partial<Sample>]>([
    ['id', { id: 'two' }],
    ['question', { question: 'Who keeps the gate ?' }],
    ['query', { query: undefined }],
    ['text', { document: { ...createTextDocument('Anna keeps the Gate.'), textStarts: [0] } }],
    [
      'name of the document',
      { document: { ...createTextDocument('Anna keeps the gate.', 'gates'), textStarts: [0] } },
    ],
    ['starts of texts', { document: createTextDocument('Anna keeps the gate.') }],
    ['memory', { memory: 'Notes' }],
    ['references', { references: ['Anna', 'Anna'] }],
    ['match', { match: 'all' }],
    ['evidence', { evidence: [{ startByte: 0, endByte: 5 }] }],
    ['supporting facts', { supportingFacts: [] }],
    ['labels', { labels: { kind: 'keeper', depth: 0.1 } }],
  ])('tell that another %s is not as recorded, and where', async (_, change) => {
    const hashes = await hashesOf(() => whole)
    const changedAt = (at: number) => hashesOf((index) => (index < at ? whole : { ...whole, ...change }))
    const name = 'gates {"gates":2}, 100 tokens: the first sample that is not as recorded is'
    expect(differenceFrom({ ...entry, hashes }, await changedAt(0))).toBe(`${name} at index 0`)
    expect(differenceFrom({ ...entry, hashes }, await changedAt(3))).toBe(`${name} at an index from 2 to 4`)
    expect(differenceFrom({ ...entry, hashes }, await changedAt(199))).toBe(
      `${name} at an index from 100 to 199`,
    )
  })

  it('do not depend on the order of fields in a sample', async () => {
    const reversed = Object.fromEntries(Object.entries(whole).reverse()) as unknown as Sample
    expect(await hashesOf(() => reversed)).toEqual(await hashesOf(() => whole))
  })

  it('are missing until they are recorded', async () => {
    expect(differenceFrom(entry, await hashesOf(() => whole))).toBe(
      'gates {"gates":2}, 100 tokens: no samples are recorded yet',
    )
  })
})

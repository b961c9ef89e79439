import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCollection } from './real-documents/collection.ts'
import { tasks } from './registry.ts'
import type { Sample, Task } from './task.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { textOf } from './testing/task-contract.ts'
import { containsReference } from './verifiers/lenient.ts'
import { normalizeAnswer } from './verifiers/normalize.ts'

const folder = resolve(import.meta.dirname, '../../../recipes/real-documents')
const create = () => tasks['real-documents']({ folder })
const prose = sampleProse()
const request = { seed: 1, lengthTokens: 1, countTokens }

async function samplesOf(task: Task, lengthTokens = 1): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let index = 0; index < 80; index += 1) {
    samples.push(await task.sample({ ...request, index, lengthTokens }))
  }
  return samples
}

const bytesOf = async (sample: Sample): Promise<Buffer> => Buffer.from(await textOf(sample))
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase()

describe.each([
  ['among the other texts', {}],
  ['among prose', { padding: 'prose' }],
  ['with the others of their kind', { joined: true }],
] as const)('the contract, documents %s', (_, options) => {
  const ownLength = 'a text is read whole, however few tokens were asked for'
  const surfaceForms = 'the evidence is where the first way to write the answer stands'
  registerContract(it, () => tasks['real-documents']({ folder, prose, ...options }), {
    lengths: [60_000, 150_000],
    samples: 80,
    absentShare: 0.15,
    skip: {
      'rejects a document too short for it': ownLength,
      'holds each reference where the evidence says, and no evidence without an answer': surfaceForms,
    },
  })
})

it('reports where each text begins, including those around it', async () => {
  const { texts } = await readCollection(folder)
  const beginnings = new Set(texts.map(({ text }) => text.trimStart().slice(0, 40)))
  for (const [joined, lengthTokens] of [
    [true, 1],
    [false, 150_000],
  ] as const) {
    const sample = await (await tasks['real-documents']({ folder, joined })).sample({
      ...request,
      index: 4,
      lengthTokens,
    })
    const bytes = await bytesOf(sample)
    const starts = sample.document.textStarts!
    const known = starts.filter((start) =>
      beginnings.has(bytes.subarray(start).toString().trimStart().slice(0, 40)),
    )
    expect(starts[0]).toBe(0)
    expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b))
    // Padding may begin in the middle of a text.
    expect(known.length).toBeGreaterThanOrEqual(starts.length - 2)
    expect(starts.length).toBeGreaterThan(1)
  }
})

describe('the questions', () => {
  it('are twenty of each kind, three of them without an answer, and none is asked twice', async () => {
    const { questions } = await readCollection(folder)
    const kinds = ['changelogs', 'licences', 'manuals', 'specifications']
    expect([...new Set(questions.map(({ text }) => text.kind))].sort()).toEqual(kinds)
    for (const kind of kinds) {
      const own = questions.filter(({ text }) => text.kind === kind)
      expect([kind, own.length, own.filter(({ answers }) => answers.length === 0).length]).toEqual([
        kind,
        20,
        3,
      ])
    }
    const words = questions.map(({ question }) => oneLine(question).replace(/[^a-z0-9 ]/g, ''))
    expect(new Set(words).size).toBe(80)
    expect(questions.every(({ question }) => /[.?]$/.test(question))).toBe(true)
  })

  it('ask about ten places of each text, from its beginning to its end', async () => {
    const { texts, questions } = await readCollection(folder)
    expect(texts.length).toBe(8)
    for (const { path, text } of texts) {
      const own = questions.filter((question) => question.text.path === path)
      expect([path, own.length]).toEqual([path, 10])
      const depths = own.flatMap(({ place }) => (place ? [place.startByte / Buffer.byteLength(text)] : []))
      const thirds = [0, 1, 2].map(
        (third) => depths.filter((depth) => Math.floor(depth * 3) === third).length,
      )
      expect(Math.min(...thirds), `${path}: ${thirds}`).toBeGreaterThanOrEqual(1)
    }
  })

  it('are not answered by their own wording', async () => {
    const { questions } = await readCollection(folder)
    for (const { id, question, answers } of questions) {
      // A question that gives its answer away would measure nothing.
      expect(
        answers.filter((answer) => containsReference(question, answer)),
        id,
      ).toEqual([])
      expect(new Set(answers.map(normalizeAnswer)).size, id).toBe(answers.length)
    }
  })
})

describe('evidence', () => {
  it.each([
    ['alone', {}, 1],
    ['among the other texts', {}, 70_000],
    ['among prose', { padding: 'prose' }, 50_000],
    ['joined', { joined: true }, 1],
    ['joined among the other texts', { joined: true }, 150_000],
  ] as const)('is where the sample says, %s', async (_, options, lengthTokens) => {
    const task = await tasks['real-documents']({ folder, prose, ...options })
    const alone = new Map((await readCollection(folder)).questions.map((question) => [question.id, question]))
    for (const sample of await samplesOf(task, lengthTokens)) {
      const { evidence, supportingFacts, labels, references, document } = sample
      const bytes = await bytesOf(sample)
      expect(bytes.length).toBe(document.sizeBytes)
      const question = alone.get(String(labels.id))!
      const own = Buffer.from(question.text.text)
      const quotes = question.quotes.map(({ startByte, endByte }) =>
        own.subarray(startByte, endByte).toString(),
      )
      const cut = supportingFacts!.map(({ startByte, endByte }) =>
        bytes.subarray(startByte, endByte).toString(),
      )
      expect(cut, sample.id).toEqual(quotes)
      if (references.length === 0) {
        expect([evidence, cut], sample.id).toEqual([[], []])
        continue
      }
      expect(evidence.length).toBe(1)
      const [{ startByte, endByte }] = evidence as [Sample['evidence'][number]]
      expect(oneLine(bytes.subarray(startByte, endByte).toString())).toBe(oneLine(references[0]!))
      expect(labels.depth).toBe(startByte / bytes.length)
      expect(labels.places).toBe(quotes.length)
    }
  })

  it('comes from quotes that occur once in the text', async () => {
    const { questions } = await readCollection(folder)
    for (const { id, text, quotes } of questions) {
      for (const { startByte, endByte } of quotes) {
        const quote = Buffer.from(text.text).subarray(startByte, endByte).toString()
        expect(text.text.split(quote).length - 1, id).toBe(1)
      }
    }
  })
})

describe('a document', () => {
  it('keeps its length when a shorter one is asked for', async () => {
    const { texts } = await readCollection(folder)
    for (const sample of (await samplesOf(await create(), 2000)).slice(0, 8)) {
      expect(await textOf(sample)).toBe(texts.find(({ path }) => path === sample.labels.document)!.text)
    }
  })

  it('has all texts of its kind when joined, in an order of its own', async () => {
    const { texts } = await readCollection(folder)
    const samples = await samplesOf(
      await tasks['real-documents']({ folder, joined: true, documents: ['manuals'] }),
    )
    const manuals = texts.filter(({ kind }) => kind === 'manuals').map(({ text }) => text)
    const orders = await Promise.all(
      samples.slice(0, 20).map(async (sample) => {
        const text = await textOf(sample)
        expect(text.length).toBe(manuals.join('\n\n').length)
        return manuals.map((manual) => Math.sign(text.indexOf(manual))).join()
      }),
    )
    expect(new Set(orders)).toEqual(new Set(['0,1', '1,0']))
  })

  it('appears once, complete, among the other texts', async () => {
    const task = await tasks['real-documents']({ folder, documents: 'changelogs/helmet.md' })
    const { texts } = await readCollection(folder)
    const sample = await task.sample({ ...request, index: 0, lengthTokens: 250_000 })
    const text = await textOf(sample)
    expect(text.split(texts.find(({ path }) => path === 'changelogs/helmet.md')!.text).length).toBe(2)
    // All other texts, and some of them again: together they have fewer than 250,000 tokens.
    expect(text.split('GNU Free Documentation License\n                 Version 1.3').length).toBeGreaterThan(
      2,
    )
  })
})

describe('options', () => {
  it('choose documents and kinds', async () => {
    for (const [documents, expected] of [
      ['licences', ['licences/gfdl-1.3.txt', 'licences/gpl-3.0.txt']],
      [
        ['manuals/pg_dump.txt', 'changelogs/bunyan.md'],
        ['changelogs/bunyan.md', 'manuals/pg_dump.txt'],
      ],
    ] as const) {
      const samples = await samplesOf(await tasks['real-documents']({ folder, documents }))
      expect([...new Set(samples.map(({ labels }) => labels.document))].sort()).toEqual(expected)
    }
  })

  it.each([
    [{ folder, documents: 'poems' }, 'task/bad-option'],
    [{ folder, documents: [] }, 'task/bad-option'],
    [{ folder, padding: 'noise' }, 'task/bad-option'],
    [{ folder, padding: 'prose' }, 'task/no-prose'],
    [{ folder, joined: 'false' }, 'task/bad-option'],
    [{ folder, pad: true }, 'task/unknown-option'],
    [{}, 'task/bad-option'],
    [{ folder: '/there/is/none' }, 'task/unreadable-file'],
  ])('that are wrong say so: %j', async (options, code) => {
    await expect(tasks['real-documents'](options as never)).rejects.toMatchObject({ code })
  })
})

import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TaskOptions, tasks } from './registry.ts'
import { publishedDocuments, rulerHqaSizes } from './ruler-hqa/published-sizes.ts'
import type { Sample } from './task.ts'
import { countTokensRoughly as countTokens, registerContract } from './testing/fixtures.ts'
import { madeHotpotQa } from './testing/qa-files.ts'
import { textOf } from './testing/task-contract.ts'

// A made-up file of the published format: the real one is not part of this package.
const made = [...madeHotpotQa({ questions: 160, sentences: 3 })] as readonly {
  readonly question: string
  readonly answer: string
  readonly supporting_facts: readonly (readonly [string, number])[]
  readonly context: readonly (readonly [string, readonly string[]])[]
}[]
const folder = temporaryFolder(beforeAll, afterAll)
let path: string
beforeAll(async () => {
  path = folder.join('hotpot_dev_distractor_v1.json')
  await writeFile(path, JSON.stringify(made))
})

const create = (options: Partial<TaskOptions<'ruler-hqa'>> = {}) => tasks['ruler-hqa']({ path, ...options })
const request = { seed: 1, index: 0, lengthTokens: 6000, countTokens }
const titlesOf = (text: string): string[] =>
  text.split('\n\n').map((entry, i) => {
    const [head, title] = entry.split('\n')
    expect(head).toBe(`Document ${i + 1}:`)
    return title!
  })
const rowOf = ({ question }: Sample) => made.find((row) => row.question === question)!

describe('the contract', () => {
  registerContract(it, create, {
    lengths: [3000, 12_000, 60_000],
    samples: 150,
    lengthTolerance: 0.03,
    mayLackEvidence: true,
  })
})

describe('RULER-HQA', () => {
  it('has the ten paragraphs of its question among others, each once and numbered', async () => {
    const task = await create()
    for (let index = 0; index < 20; index += 1) {
      const sample = await task.sample({ ...request, index })
      const text = await textOf(sample)
      const titles = titlesOf(text)
      expect(new Set(titles).size).toBe(titles.length)
      expect(sample.labels.documents).toBe(titles.length)
      const row = rowOf(sample)
      for (const [title, sentences] of row.context) {
        expect(text).toContain(`:\n${title}\n${sentences.join('')}`)
      }
      expect(titles.length).toBeGreaterThan(row.context.length)
    }
  })

  it('says where the gold paragraphs stand', async () => {
    const task = await create()
    for (let index = 0; index < 20; index += 1) {
      const sample = await task.sample({ ...request, index })
      const bytes = Buffer.from(await textOf(sample))
      const gold = sample.supportingFacts!.map(({ startByte, endByte }) =>
        bytes.subarray(startByte, endByte).toString(),
      )
      const row = rowOf(sample)
      const wanted = new Set(row.supporting_facts.map(([title]) => title))
      expect(gold.toSorted()).toEqual(
        row.context
          .filter(([title]) => wanted.has(title))
          .map(([title, sentences]) => `${title}\n${sentences.join('')}`)
          .toSorted(),
      )
    }
  })

  it('keeps the documents of a shorter text in a longer one, in another order', async () => {
    const task = await create()
    const titles = await Promise.all(
      [3000, 6000, 12_000, 40_000].map(async (lengthTokens) =>
        titlesOf(await textOf(await task.sample({ ...request, index: 3, lengthTokens }))),
      ),
    )
    for (const [i, longer] of titles.slice(1).entries()) {
      const shorter = titles[i]!
      // A document just too long for the shorter text may precede the one used instead.
      const kept = shorter.filter((title) => longer.includes(title))
      expect(kept.length).toBeGreaterThan(shorter.length - 3)
      expect(longer.filter((title) => kept.includes(title))).not.toEqual(kept)
    }
  })

  it('puts the gold paragraphs anywhere, whichever the length', async () => {
    // Kolmogorov-Smirnov as in the contract, over all ten paragraphs of each question.
    const task = await create({ documents: 50 })
    const depths: number[] = []
    for (let index = 0; index < 60; index += 1) {
      const sample = await task.sample({ ...request, index })
      const titles = titlesOf(await textOf(sample))
      depths.push(...rowOf(sample).context.map(([title]) => (titles.indexOf(title) + 0.5) / titles.length))
    }
    depths.sort((a, b) => a - b)
    const n = depths.length
    expect(n).toBe(600)
    const distance = Math.max(...depths.map((depth, i) => Math.max((i + 1) / n - depth, depth - i / n)))
    // Ranks among 50 deviate from their share by at most 1/100.
    expect(distance).toBeLessThan(2 / Math.sqrt(n) + 0.01)
  })

  it("has the requested number of documents, or the paper's", async () => {
    const fifty = await (await create({ documents: 50 })).sample(request)
    expect(titlesOf(await textOf(fifty)).length).toBe(50)
    expect(fifty.labels).toMatchObject({ documents: 50, ownLength: true })
    expect(await create({ documents: 'published' })).toMatchObject({ keepsLength: false, keepsLonger: true })
    const published = await (await create({ documents: 'published' })).sample({
      ...request,
      lengthTokens: 32_000,
    })
    expect(published.labels.documents).toBe(200)
    expect(rulerHqaSizes.map(({ tokens }) => publishedDocuments(tokens))).toEqual([
      50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600,
    ])
  })

  it('is right about its evidence for any seed, index and length', async () => {
    const task = await create()
    const drawn = fc.record({
      seed: fc.nat(),
      index: fc.nat(1000),
      lengthTokens: fc.integer({ min: 2500, max: 9000 }),
    })
    await fc.assert(
      fc.asyncProperty(drawn, async (one) => {
        const sample = await task.sample({ ...request, ...one })
        const bytes = Buffer.from(await textOf(sample))
        expect(sample.document.sizeBytes).toBe(bytes.length)
        for (const [i, { startByte, endByte }] of sample.evidence.entries()) {
          expect(bytes.subarray(startByte, endByte).toString()).toBe(sample.references[i])
        }
        expect(countTokens(bytes.toString())).toBeLessThanOrEqual(1.02 * one.lengthTokens)
        expect(task.score(sample, sample.references[0])).toEqual({ f1: 1, sub_em: 1, strict: 1, lenient: 1 })
        expect(task.score(sample, 'The')).toEqual({ f1: 0, sub_em: 1, strict: 0, lenient: 0 })
      }),
      { numRuns: 25 },
    )
  })

  it('asks only the questions of a list', async () => {
    const questions = folder.join('questions.txt')
    const kept = made.slice(20, 30).map(({ question }) => question)
    await writeFile(questions, `${kept.join('\n')}\n\n`)
    const task = await create({ questions })
    const asked = await Promise.all(
      kept.map(async (_, index) => (await task.sample({ ...request, index })).question),
    )
    expect(asked.toSorted()).toEqual(kept.toSorted())
    expect(task.deviations).not.toContainEqual(expect.stringContaining('128'))
    await writeFile(questions, 'Who is this?\n')
    await expect(create({ questions })).rejects.toMatchObject({
      code: 'task/unknown-question',
      message: expect.stringContaining('Who is this?'),
    })
  })

  it('tells what is wrong', async () => {
    const sampleOf = async (options: Partial<TaskOptions<'ruler-hqa'>>, lengthTokens = 6000) =>
      (await create(options)).sample({ ...request, lengthTokens })
    await expect(sampleOf({}, 10_000_000)).rejects.toMatchObject({ code: 'task/corpus-too-small' })
    await expect(sampleOf({ documents: 2000 })).rejects.toMatchObject({ code: 'task/corpus-too-small' })
    await expect(sampleOf({ documents: 4 })).rejects.toMatchObject({ code: 'task/bad-option' })
    await expect(sampleOf({ path: '' })).rejects.toMatchObject({ code: 'task/bad-option' })
    await expect(sampleOf({ documents: 'many' as 'published' })).rejects.toMatchObject({
      code: 'task/bad-option',
    })
    await expect(sampleOf({ documnets: 50 } as object)).rejects.toMatchObject({
      code: 'task/unknown-option',
    })
  })
})

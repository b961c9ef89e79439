import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from '../testing/fixtures.ts'
import { madeHotpotQa, madeSquad } from '../testing/qa-files.ts'
import { textOf } from '../testing/task-contract.ts'
import { type RulerTaskName, rulerConfigurations } from './configurations.ts'
import { rulerTask } from './ruler-task.ts'

const prose = sampleProse()
const names = Object.keys(rulerConfigurations) as RulerTaskName[]

// Made-up files of the published formats: the real ones are not part of this package.
const folder = temporaryFolder(beforeAll, afterAll)
const pathOf = (name: string): string | undefined =>
  name.startsWith('qa-') ? folder.join(`${name}.json`) : undefined
beforeAll(async () => {
  await writeFile(pathOf('qa-squad')!, JSON.stringify(madeSquad({ articles: 40, paragraphs: 10 })))
  await writeFile(pathOf('qa-hotpotqa')!, JSON.stringify([...madeHotpotQa({ questions: 120 })]))
})

const noEvidence = 'the answer is how often words stand in the whole text'
const skips: Partial<Record<RulerTaskName, Record<string, string>>> = {
  'variable-tracking': {
    'spreads the depth of the answer evenly over the document':
      'the chain stands in order; all of it is checked below',
  },
  'common-words': {
    'holds each reference where the evidence says, and no evidence without an answer': noEvidence,
    'spreads the depth of the answer evenly over the document': noEvidence,
  },
  'frequent-words': {
    'holds each reference where the evidence says, and no evidence without an answer': noEvidence,
    'spreads the depth of the answer evenly over the document': noEvidence,
  },
}

describe.each(names)('%s', (name) => {
  const create = () => rulerTask(name).create({ prose, path: pathOf(name) })
  registerContract(it, create, {
    lengths: [2000, 4096, 16_384, 65_536],
    samples: 200,
    lengthTolerance: 0.05,
    mayLackEvidence: name === 'qa-hotpotqa',
    skip: skips[name] ?? {},
  })

  it('reports where the statements that the answer rests on are', async () => {
    const task = await create()
    for (let index = 0; index < 10; index += 1) {
      const sample = await task.sample({ index, seed: 3, lengthTokens: 4096, countTokens })
      const bytes = Buffer.from(await textOf(sample))
      for (const [i, { startByte, endByte }] of (sample.supportingFacts ?? []).entries()) {
        const fact = bytes.subarray(startByte, endByte).toString()
        expect(fact).toMatch(
          /^(One of the special magic .*\.|VAR [A-Z]{5} = .*| The café 🙂 of lot .* guests\.)$/,
        )
        if (sample.match === 'all') expect(fact).toContain(sample.references[i])
      }
    }
  })

  it('is right about its evidence for any seed, index and length', async () => {
    const task = await create()
    const request = fc.record({
      seed: fc.nat(),
      index: fc.nat(10_000),
      lengthTokens: fc.integer({ min: 4096, max: 9000 }),
    })
    await fc.assert(
      fc.asyncProperty(request, async (drawn) => {
        const sample = await task.sample({ ...drawn, countTokens })
        const text = await textOf(sample)
        const bytes = Buffer.from(text)
        for (const [i, { startByte, endByte }] of sample.evidence.entries()) {
          expect(bytes.subarray(startByte, endByte).toString()).toBe(sample.references[i])
        }
        expect(sample.document.sizeBytes).toBe(bytes.length)
        expect(Math.abs(countTokens(text) / drawn.lengthTokens - 1)).toBeLessThan(0.05)
        const oracle = sample.match === 'all' ? sample.references.join(', ') : sample.references[0]
        expect(task.score(sample, oracle)).toMatchObject({ ruler: 1, strict: 1, lenient: 1 })
        expect(task.score(sample, '')).toMatchObject({ ruler: 0, strict: 0, lenient: 0 })
      }),
      { numRuns: 25 },
    )
  })

  it('names its deviations from RULER', async () => {
    const { deviations } = await create()
    expect(deviations?.length).toBeGreaterThan(0)
    expect(new Set(deviations).size).toBe(deviations!.length)
    expect(deviations).toContainEqual(expect.stringMatching(/RULER ends it after \d+ tokens/))
    for (const deviation of deviations!) expect(deviation).toMatch(/^[A-Z].*\.$/)
  })
})

describe('statements', () => {
  // Kolmogorov-Smirnov as in the contract, over all statements of all samples, whose depths are independent.
  it.each([
    'niah-multikey-1',
    'niah-multikey-2',
    'niah-multivalue',
    'niah-multiquery',
    'variable-tracking',
  ] as const)('of %s are spread evenly over all depths', async (name) => {
    const task = await rulerTask(name).create({ prose })
    const depths: number[] = []
    for (let index = 0; index < 150; index += 1) {
      const sample = await task.sample({ index, seed: 11, lengthTokens: 16_384, countTokens })
      depths.push(...sample.evidence.map(({ startByte }) => startByte / sample.document.sizeBytes!))
    }
    depths.sort((a, b) => a - b)
    const n = depths.length
    const distance = Math.max(...depths.map((depth, i) => Math.max((i + 1) / n - depth, depth - i / n)))
    expect(distance).toBeLessThan(2 / Math.sqrt(n))
  })
})

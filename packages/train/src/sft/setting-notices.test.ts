import { expect, it } from 'vitest'
import { checkSftConfig } from './config.ts'
import { settingNotices } from './setting-notices.ts'

const stage = { steps: 4, sectionTokens: 96, rowTokens: 512, rows: 1, questions: 2, families: 1 }
const noticesOf = (change: object) =>
  settingNotices(
    checkSftConfig({
      output: 'out',
      model: { vocabularySize: 400, hiddenSize: 16, intermediateSize: 24, layers: 1, heads: 2, keyValueHeads: 1, headDimension: 8, maxPositions: 512 }, // biome-ignore format: one model
      budget: { window: 400, question: 96, chunk: 96, memory: 64, output: 64 },
      optimizer: { learningRate: 0.01, finalLearningRate: 0.001, warmupSteps: 2 },
      stages: [stage],
      evaluation: { every: 2, sections: 4, sectionTokens: 96 },
      checkpointEvery: 2,
      ...change,
    }),
  )
const skills = { list: { task: 'several-values' }, other: { task: 'tally' } }
const lessons = { list: { lengths: [100, 200] } }

it('settings that change nothing are named', () => {
  expect(noticesOf({})).toEqual([])
  expect(noticesOf({ skills, stages: [stage, { ...stage, skills: lessons }] })).toEqual([
    expect.stringMatching(/^Stage 2 names skills and teaches none/),
    expect.stringMatching(/^No stage teaches list, other of/),
  ])
  expect(noticesOf({ skills: { list: skills.list }, stages: [{ ...stage, skills: lessons, skillShare: 0.5 }] })).toEqual([]) // biome-ignore format: one case
  const long = { ...stage, sectionTokens: 450, rowTokens: 1024 }
  const evaluation = { every: 2, sections: 4, sectionTokens: 450 }
  expect(noticesOf({ stages: [long, { ...long, sectionTokens: 416 }], evaluation })).toEqual([
    expect.stringMatching(
      /^stages\[0\]\.sectionTokens is 450: .* longer than model\.maxPositions, which is 512/,
    ),
    expect.stringMatching(/^evaluation\.sectionTokens is 450/),
  ])
  expect(noticesOf({ evaluation, prose: { evaluationShare: 0 } })).toEqual([])
  expect(noticesOf({ optimizer: { learningRate: 0.01, finalLearningRate: 0.1, warmupSteps: 5 } })).toEqual([
    expect.stringMatching(/the rate rises after the warm-up/),
    expect.stringMatching(/^The training of 4 steps ends within its warm-up of 5/),
  ])
  expect(noticesOf({ stages: [{ ...stage, sectionTokens: 100, rowTokens: 128 }] })).toEqual([
    'Stage 1 has no section of 100 tokens: a row of 128 has room for 32 beside question and memory. Raise stages[].rowTokens.',
  ])
})

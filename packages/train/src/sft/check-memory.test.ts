import { expect, it } from 'vitest'
import { checkMemory, memoryFailure } from './check-memory.ts'
import { parseSftConfig } from './config.ts'

const { stages } = parseSftConfig(
  `
output: x
model: { vocabularySize: 400, hiddenSize: 16, intermediateSize: 24, layers: 1, heads: 2, keyValueHeads: 1, headDimension: 8, maxPositions: 512 }
budget: { window: 400, question: 96, chunk: 96, memory: 64, output: 64 }
optimizer: { learningRate: 0.01, finalLearningRate: 0.001, warmupSteps: 2 }
stages:
  - { steps: 3, sectionTokens: 96, rowTokens: 512, rows: 1, questions: 2, families: 1 }
  - { steps: 3, sectionTokens: 96, rowTokens: 512, rows: 4, questions: 2, families: 1 }
evaluation: { every: 6, sections: 4, sectionTokens: 96 }
checkpointEvery: 2
`,
  'test',
)

it.each([
  'Non-zero status code returned while running Split node. Status Message: bfc_arena.cc:360 Failed to allocate memory for requested buffer of size 100925440',
  'std::bad_alloc',
  'Array buffer allocation failed',
  'Invalid typed array length: 90071992547409920',
])('names the stage of a step that ended with: %s', (message) => {
  const cause = new Error(message)
  expect(memoryFailure(cause, stages, 2)).toMatchObject({
    code: 'train/memory',
    details: { stage: 0 },
    cause,
  })
  expect(memoryFailure(cause, stages, 3)).toMatchObject({
    message: 'A step of stages.1 does not fit into memory: 4 rows of 512 tokens.',
    hint: expect.stringContaining('stages.1.rows'),
  })
})

it('leaves other failures as they are, and takes stages that fit', () => {
  const other = new Error('The loss is not finite.')
  expect(memoryFailure(other, stages, 0)).toBe(other)
  expect(memoryFailure('stopped', stages, 0)).toBe('stopped')
  expect(() => checkMemory(stages)).not.toThrow()
})

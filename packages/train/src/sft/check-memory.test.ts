import { expect, it } from 'vitest'
import { shortSft } from '../testing/short-sft.ts'
import { checkMemory, memoryFailure } from './check-memory.ts'
import { parseSftConfig } from './config.ts'

const { model, stages: parsed } = parseSftConfig(shortSft('x', 3, 3), 'test')
const [stage] = parsed
const stages = [stage!, { ...stage!, rows: 4 }]

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
  expect(() => checkMemory({ model, stages })).not.toThrow()
})

it.each([{ hiddenSize: 1e9 }, { vocabularySize: 2 ** 53 - 1 }])(
  'names the matrix of a model that no memory holds: %o',
  (sizes) => {
    const checked = () => checkMemory({ model: { ...model, ...sizes }, stages })
    expect(checked).toThrow(/^The model does not fit into memory: model\.embed_tokens\.weight is \d+ by \d+/)
  },
)

import { expect, expectTypeOf, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { overwrite } from '../workflows/overwrite/overwrite.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import { type NotesResult, type ReadResult, read } from './read.ts'

const modelOf = (...replies: readonly string[]) =>
  createScriptedModel(replies, { profile: contractProfile, contextWindow: 480 })
const document = 'Ann wrote the code down. It is 4821.'

it('answers a question about a text', async () => {
  const model = modelOf('The code is 4821.', '\\boxed{4821}')
  const { answer, outcome, memory } = await read({ question: 'Which code?', document, model })
  expect([answer, outcome, memory]).toEqual(['4821', 'found', 'The code is 4821.'])
})

it('gives notes without a question, and no call for an answer', async () => {
  const model = modelOf('Ann wrote 4821 down.')
  const { notes, state, steps, warnings } = await read({ document, model })
  expect([notes, steps, warnings]).toEqual(['Ann wrote 4821 down.', 1, []])
  expect(overwrite.isState(state, { question: undefined, steps: 1 })).toBe(true)
  expect(model.calls).toHaveLength(1)
  expect(model.calls[0]?.messages[0]?.content).toMatch(/^You are presented with a section of an article/)
})

it('ends with the notes for a question where no answer is wanted, also for the compiler', async () => {
  const model = modelOf('The code is 4821.')
  const noted: NotesResult = await read({ question: 'Which code?', document, model, answers: false })
  expect(noted.notes).toBe('The code is 4821.')
  // The compiler cannot know its value.
  const answers: boolean = noted.notes === ''
  const either = await read({ question: 'Who?', document, model: modelOf('4821'), answers })
  expectTypeOf(either).toEqualTypeOf<NotesResult | ReadResult>()
})

it.each([undefined, 'Which code?'])('takes a question that may be undefined: %s', async (question) => {
  const result = await read({ question, document, model: modelOf('It is 4821.', '\\boxed{4821}') })
  expect('notes' in result ? result.notes : result.answer).toBe(question ? '4821' : 'It is 4821.')
})

it('gives the notes of a finished reading again, without model or window, and only without a question', async () => {
  const checkpoints = createMemoryCheckpointStore()
  const first = await read({ document, model: modelOf('Ann wrote 4821 down.'), checkpoints })
  const gone = { ...modelOf(), describe: () => Promise.reject(new Error('gone')) }
  const again = await read({ document, model: gone, checkpoints })
  expect({ ...again, seconds: 0 }).toEqual({ ...first, seconds: 0 })
  await expect(read({ question: 'Who?', document, model: gone, checkpoints })).rejects.toMatchObject({
    details: { differing: ['question'] },
  })
})

it.each(['', ' '])('takes %j for a question that was forgotten', async (question) => {
  await expect(read({ question, document, model: modelOf() })).rejects.toMatchObject({
    code: 'reading/no-question',
    hint: expect.stringMatching(/^Leave it out to take general notes/),
  })
})

import { describe, expect, it } from 'vitest'
import type { Json, Workflow } from '../workflows/workflow.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import { read } from './read.ts'
import { modelOf, note } from './testing/short-reading.ts'

const prompts = {
  conversations: { answer: ['question'] },
  texts: {},
  sets: { own: { templates: { answer: '<q>{question}</q>' } } },
}

/** A workflow as JavaScript may have it, with no types for its results. */
const workflowWith = (changes: object) =>
  ({
    name: 'mine',
    prompts,
    init: () => ({ steps: 0 }),
    read: async ({ steps }: { steps: number }) => ({ state: { steps: steps + 1 } }),
    answer: async () => ({ text: 'Ann', outcome: 'found' }),
    memory: () => 'Ann came.',
    isState: (value: { steps?: unknown } | null) => typeof value?.steps === 'number',
    ...changes,
  }) as unknown as Workflow<Json>

const reading = (changes: object, question: string | undefined = 'Who came?') => {
  const options = { document: 'Ann came.', model: modelOf(note), workflow: workflowWith(changes) }
  const checkpoints = createMemoryCheckpointStore()
  return question === undefined
    ? read({ ...options, checkpoints })
    : read({ ...options, question, checkpoints })
}

const holdsItself: { steps: number; self?: object } = { steps: 1 }
holdsItself.self = holdsItself
const state = (value: unknown) => ({ read: async () => ({ state: value }) })

const emits = (event: unknown) => ({
  read: async (_: unknown, __: unknown, context: { emit(event: unknown): void }) => context.emit(event),
})

describe('what a workflow gives', () => {
  it('may be plain, and need not be a promise', async () => {
    expect(await reading({})).toMatchObject({ answer: 'Ann', outcome: 'found' })
    expect(
      await reading({ read: () => ({ state: { steps: 1, more: undefined }, done: false }) }),
    ).toMatchObject({ answer: 'Ann', steps: 1 })
  })

  it.each([
    [
      'nothing',
      { read: async () => undefined },
      'invalid step: the result of read is missing, not an object',
    ],
    ['no state', { read: async () => ({}) }, 'invalid state: state is missing'],
    ['a field too many', { read: async () => ({ state: 1, answer: 2 }) }, 'answer is not known'],
    ['a Map', state(new Map()), 'invalid state: state is a Map, not a plain object'],
    ['a Date', state({ steps: 1, at: new Date(0) }), 'invalid state: state.at is a Date'],
    ['a function', state({ steps: 1, on: [() => 1] }), 'invalid state: state.on[0] is a function'],
    ['a bigint', state({ steps: 1n }), 'invalid state: state.steps is a bigint'],
    ['no number', state({ steps: Number.NaN }), 'invalid state: state.steps is NaN'],
    ['a circle', state(holdsItself), 'invalid state: state is nested too deeply, or holds itself'],
    ['a promise', { init: async () => ({ steps: 0 }) }, 'invalid state: state is a Promise'],
    ['no answer', { answer: async () => undefined }, 'invalid answer: answer is missing, not an object'],
    ['a text', { answer: async () => 'Ann' }, 'invalid answer: answer is "Ann", not an object'],
    [
      'a number',
      { answer: async () => ({ text: 4, outcome: 'found' }) },
      'invalid answer: answer.text is 4, not a text',
    ],
    [
      'an outcome',
      { answer: async () => ({ text: 'A', outcome: 'yes' }) },
      'invalid answer: answer.outcome is "yes"',
    ],
    ['an emptiness', { answer: async () => ({ text: '', outcome: 'found' }) }, 'its outcome is found'],
    ['no memory', { memory: () => undefined }, 'invalid memory: memory is missing, not a text'],
    ['no event', emits(undefined), 'invalid event: what it emitted is not a valid event of a workflow'],
    ['an event of its own', emits({ type: 'mine', step: 0 }), 'is not a valid event of a workflow'],
    ['half an event', emits({ type: 'memory-end', step: 0 }), 'memory is missing, not a text'],
  ])('is told as what it is: %s', async (_, changes, problem) => {
    await expect(reading(changes)).rejects.toMatchObject({
      code: 'workflow/bad-result',
      message: expect.stringMatching(/^The workflow mine returned an invalid /),
      details: { workflow: 'mine', problem: expect.any(String) },
    })
    await expect(reading(changes)).rejects.toThrow(problem)
  })

  it('is told as what it is where notes are taken', async () => {
    await expect(reading({ memory: () => 4 }, undefined)).rejects.toMatchObject({
      code: 'workflow/bad-result',
    })
  })

  it.each([
    ['init', { init: () => fail('out of order') }],
    ['memory', { memory: () => fail('out of order') }],
  ])('may be an error, of %s', async (_, changes) => {
    await expect(reading(changes)).rejects.toMatchObject({
      code: 'workflow/failed',
      message: expect.stringContaining('out of order'),
    })
  })
})

describe('a state that its workflow denies', () => {
  it('is not saved', async () => {
    await expect(reading({ isState: () => false })).rejects.toMatchObject({
      code: 'workflow/bad-result',
      message: expect.stringContaining('isState'),
    })
  })
})

function fail(message: string): never {
  throw new Error(message)
}

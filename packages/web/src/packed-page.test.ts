import { expect, it } from 'vitest'
import { packPage } from './packed-page.ts'
import type { PageStatement, RunPage } from './run-page.ts'

const passage = { quote: 'The lamp is Bob’s.', file: 0, startByte: 0, endByte: 5 }

/** Steps that are marked for an answer with these statements. */
function answerSteps(statements: readonly PageStatement[]): readonly number[] {
  const result = {
    answer: { text: 'Bob', outcome: 'found' },
    memory: '',
    warnings: [],
    seconds: 1,
    statements,
  }
  const page = {
    version: 1,
    madeMs: 0,
    run: {
      id: 'a',
      document: 'x',
      model: 'm',
      workflow: 'edits',
      state: 'finished',
      createdMs: 0,
      updatedMs: 0,
      steps: 9,
    },
    files: ['log.txt'],
    passages: [
      { ...passage, step: 2 },
      { ...passage, step: 7 },
      { ...passage, step: 2 },
    ],
    warnings: [],
    start: '',
    steps: [],
    result,
  }
  return packPage(page as unknown as RunPage).answerSteps
}

it('marks where an answer was read, each step once, and not what merely comes near it', () => {
  expect(
    answerSteps([
      { text: 'a', verdict: 'found', passages: [0, 2] },
      { text: 'b', verdict: 'not-found', passages: [1] },
    ]),
  ).toEqual([2])
})

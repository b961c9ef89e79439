import { expect, it } from 'vitest'
import { packPage } from './packed-page.ts'
import type { PageStatement, RunPage } from './run-page.ts'

const passage = { quote: 'The lamp is Bob’s.', file: 0, startByte: 0, endByte: 5 }

/** Steps that are marked for an answer with these statements. */
function answerSteps(statements: readonly PageStatement[]): readonly number[] {
  // The only parts of a page that marks depend on.
  const page = {
    passages: [2, 7, 2].map((step) => ({ ...passage, step })),
    start: '',
    steps: [],
    result: { statements },
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

import { expect, it } from 'vitest'
import { analysed, makeRecord } from '../../testing/made-records.ts'
import { differences } from './differences.ts'

const none = { references: [], evidence: [], answer: '', outcome: 'not-found' } as const
const figuresOf = (parts: readonly Parameters<typeof makeRecord>[0][]) => {
  const records = parts.flatMap((part) =>
    ['overwrite', 'truncate'].map((method) =>
      makeRecord({ ...part, method, workflow: method === 'overwrite' ? method : undefined }),
    ),
  )
  const blocks = differences(analysed(records))
  return blocks.flatMap((block) => (block.type === 'figure' ? [block] : []))
}

it('are shown for the questions that there are, and say of which', () => {
  const [answered, without] = [{ index: 0 }, { ...none, index: 1 }]
  expect(figuresOf([answered]).map(({ caption }) => caption)).toEqual([
    expect.stringMatching(/^Strict unless named otherwise/),
  ])
  expect(figuresOf([without]).map(({ caption }) => caption)).toEqual([
    expect.stringMatching(/^Strict unless named otherwise.*No question has an answer: right of 0/),
  ])
  expect(figuresOf([answered, without]).map(({ plots }) => plots.map(({ title }) => title))).toEqual([
    ['truncate minus overwrite'],
    ['truncate minus overwrite, no answer'],
  ])
})

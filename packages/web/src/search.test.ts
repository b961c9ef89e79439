import { expect, it } from 'vitest'
import { openPage, packPage } from './packed-page.ts'
import type { RunPage } from './run-page.ts'
import { search } from './search.ts'
import { changeOf } from './text-change.ts'

const memories = ['Ann keeps the lamp.', 'Ann keeps the lamp.', 'Bob keeps the lamp.', 'Bob keeps it.']
const page: RunPage = {
  version: 1,
  madeMs: 0,
  run: {
    id: 'a',
    document: 'x',
    model: 'm',
    workflow: 'overwrite',
    state: 'finished',
    createdMs: 0,
    updatedMs: 0,
    steps: 4,
  },
  files: ['log.txt', 'Lampedusa.txt'],
  passages: [{ quote: 'The lamp is Bob’s now.', file: 0, startByte: 3, endByte: 9, step: 1 }],
  warnings: ['The reply about the lamp was cut.'],
  start: '',
  steps: memories.map((memory, i) => {
    const change = changeOf(memories[i - 1] ?? '', memory)
    return {
      ranges: [{ file: i === 3 ? 1 : 0, startByte: i, endByte: i + 1 }],
      ...(change && { change }),
      ...(i === 1 && { statements: [{ text: 'x', verdict: 'found' as const, passages: [0] }] }),
    }
  }),
}
const found = async (words: string, of: RunPage = page) =>
  (await search(openPage(packPage(of)), words)).map(({ step, kind, excerpt, from, to }) => [
    step,
    kind,
    excerpt.slice(from, to),
  ])

it('finds where the memory begins and ceases to say something, whatever the case', async () => {
  expect(await found(' ANN ')).toEqual([
    [0, 'came', 'Ann'],
    [2, 'went', 'Ann'],
  ])
})

it('finds passages, and places where nothing else is found', async () => {
  expect(await found('lamp')).toEqual([
    [0, 'came', 'lamp'],
    [1, 'passage', 'lamp'],
    [3, 'went', 'lamp'],
  ])
  expect(await found('lampedusa')).toEqual([[3, 'place', 'Lampedusa']])
})

it('finds warnings', async () => {
  const steps = page.steps.map((step, i) => (i === 1 ? { ranges: step.ranges, warnings: [0] } : step))
  expect(await found('reply', { ...page, steps })).toEqual([[1, 'warning', 'reply']])
})

it('finds nothing for nothing, and takes no pattern', async () => {
  expect(await found('  ')).toEqual([])
  expect(await found('.*')).toEqual([])
})

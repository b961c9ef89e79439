import { expect, it } from 'vitest'
import { differenceOf } from './difference.ts'

const told = (before: string, after: string) =>
  differenceOf(before, after)
    .map(({ kind, text }) => (kind === 'added' ? `[+${text}]` : kind === 'removed' ? `[-${text}]` : text))
    .join('')

it('shows the words that changed in a sentence', () => {
  expect(told('The gate opens at 6. It is red.', 'The gate opens at 7. It is red.')).toBe(
    'The gate opens at [-6][+7]. It is red.',
  )
})

it('shows sentences that came and went', () => {
  expect(told('It is red.', 'It is red.\nThe gate opens at 7.')).toBe('It is red.[+\nThe gate opens at 7.]')
  expect(told('It is red. The gate opens at 7.', 'It is red.')).toBe('It is red.[- The gate opens at 7.]')
})

it('replaces a sentence that has little in common with the one before', () => {
  expect(told('Nothing about the gate yet.', 'Ann keeps the lamp.')).toBe(
    '[-Nothing about the gate yet.][+Ann keeps the lamp.]',
  )
})

it('takes a line of a million characters', () => {
  const line = 'x'.repeat(1_000_000)
  expect(differenceOf(line, `${line}y`)).toEqual([
    { kind: 'removed', text: line },
    { kind: 'added', text: `${line}y` },
  ])
})

import { expect, it } from 'vitest'
import { sentencesOf } from './sentences.ts'

it('cuts a long line at spaces, and one without spaces where it must, in time with its length', () => {
  const words = 'seven77 '.repeat(100)
  const lengths = (text: string) => sentencesOf(text).map(({ start, end }) => end - start)
  expect(lengths(`One. ${words}`)).toEqual([4, 695, 103])
  expect(lengths('x'.repeat(1500))).toEqual([700, 700, 100])
  expect(sentencesOf('x'.repeat(7_000_000))).toHaveLength(10_000)
})

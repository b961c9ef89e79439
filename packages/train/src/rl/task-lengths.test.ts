import type { Task } from '@memagent/tasks'
import { expect, it } from 'vitest'
import { shortAnswers } from '../testing/short-training.ts'
import { checkLengths, lengthNotices } from './task-lengths.ts'

const asked = {
  curriculum: [
    { steps: 1, lengths: [100] },
    { steps: 1, lengths: [200] },
  ],
  evaluation: { every: 1, samples: 64, lengths: [100, 200], seed: 1, temperature: 0 },
}
const own: Task = { ...shortAnswers, name: 'own', keepsLength: true, questions: 10 }

it('documents that keep their length are evaluated at one', () => {
  expect(() => checkLengths(shortAnswers, asked)).not.toThrow()
  expect(() =>
    checkLengths(own, { ...asked, evaluation: { ...asked.evaluation, lengths: [100] } }),
  ).not.toThrow()
  expect(() => checkLengths(own, asked)).toThrow(/evaluation\.lengths has 2 lengths.*own keep their own/)
})

it('settings that change nothing are named', () => {
  expect(lengthNotices(shortAnswers, shortAnswers, asked)).toEqual([])
  expect(lengthNotices(own, own, asked)).toEqual([
    expect.stringMatching(/the lengths of the curriculum change nothing/),
    expect.stringMatching(/^own has 10 questions for evaluation, and is asked 64/),
  ])
})

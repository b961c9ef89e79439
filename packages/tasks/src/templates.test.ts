import { expect, it } from 'vitest'
import { templateOf } from './facts/kind.ts'
import { questionsFor, templatesOf } from './templates.ts'

const all = ['One.', '+ Two.', '~ Three.'].map(templateOf)
const texts = (choice: Parameters<typeof templatesOf>[1]) => templatesOf(all, choice).map(({ text }) => text)

it('wordings for lessons alone are drawn by lessons alone', () => {
  expect(texts('train')).toEqual(['One.'])
  expect(texts('lessons')).toEqual(['One.', 'Two.'])
  expect(texts('held-out')).toEqual(['Three.'])
  expect(texts('any')).toEqual(['One.', 'Three.'])
  expect(templatesOf(all.slice(1, 2), 'train')).toEqual([])
})

it('held-out statements are asked for with any question, others with their own kind', () => {
  expect((['train', 'lessons', 'held-out', 'any'] as const).map(questionsFor)).toEqual([
    'train',
    'lessons',
    'any',
    'any',
  ])
})

/**
 * LongBench v2 (Bai et al., arXiv 2412.15204): questions with four choices, in one JSON file or Parquet, with `question`,
 * `choice_A` to `choice_D`, `answer`, `context`, and `domain`, `sub_domain`, `difficulty`, `length`, `_id` as labels.
 */
import { containsReference } from '../verifiers/lenient.ts'
import { equalsReference, strictScore } from '../verifiers/strict.ts'
import { definePublishedTask, publishedDeviations, publishedOptions } from './published-task.ts'
import { labelsOf } from './row-fields.ts'

const letters = ['A', 'B', 'C', 'D'] as const

/**
 * Metrics: `choice` is 1 when the answer names the right letter; `strict` wants the letter or the choice's text and nothing
 * else; `lenient` takes answers that hold the choice's text as well.
 */
export const longBenchV2 = definePublishedTask({
  name: 'longbench-v2',
  description: 'LongBench v2: questions with four choices, of a file of its rows.',
  options: publishedOptions,
  benchmarkOf: () => ({
    name: 'longbench-v2',
    deviations: [
      ...publishedDeviations,
      'A letter alone is asked for, and counts; LongBench v2 asks for the sentence "The correct answer is (A)".',
    ],
    readRow(fields, row) {
      const answer = fields.text('answer').trim()
      const choices = letters.map((letter) => ({ letter, text: fields.text(`choice_${letter}`).trim() }))
      const right = choices.find(({ letter }) => letter === answer)
      return right === undefined
        ? fields.fail(`"answer" must be one of ${letters.join(', ')}, not ${JSON.stringify(answer)}`)
        : {
            question: [
              fields.text('question').trim(),
              'Choices:',
              ...choices.map(({ letter, text }) => `(${letter}) ${text}`),
              'Answer with the letter of the correct choice.',
            ].join('\n'),
            query: fields.text('question').trim(),
            text: fields.text('context').trim(),
            references: [right.letter, right.text],
            labels: labelsOf(row, {
              id: '_id',
              domain: 'domain',
              subDomain: 'sub_domain',
              difficulty: 'difficulty',
              words: 'length',
            }),
          }
    },
    score({ references }, answer = '') {
      const [letter = '', text = ''] = references
      const choice = namedChoice(answer) === letter ? 1 : 0
      const strict = strictScore(answer, references, 'any')
      return { choice, strict, lenient: Math.max(choice, strict, containsReference(answer, text) ? 1 : 0) }
    },
  }),
})

/** The letter of the published sentence, else the one that the answer is or begins with: `B`, `(B)`, `B. Ships`. */
export function namedChoice(answer: string): string | undefined {
  const plain = answer.replaceAll('*', '')
  const forms = [
    /The correct answer is \(([A-D])\)/,
    /The correct answer is ([A-D])/,
    /^\s*\(?([A-D])[).:]\s/,
  ]
  const named = forms.map((form) => form.exec(plain)?.[1]).find((letter) => letter !== undefined)
  return named ?? letters.find((letter) => equalsReference(answer, letter))
}

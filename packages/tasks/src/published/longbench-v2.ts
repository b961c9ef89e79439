/**
 * LongBench v2 (Bai et al., arXiv 2412.15204): questions with four choices, in one JSON file or Parquet, with `question`,
 * `choice_A` to `choice_D`, `answer`, `context`, and `domain`, `sub_domain`, `difficulty`, `length`, `_id` as labels.
 */
import { z } from 'zod'
import { choicesName } from '../answers-in-notes.ts'
import { text } from '../rows/row-file.ts'
import { containsReference } from '../verifiers/lenient.ts'
import { equalsReference, strictScore } from '../verifiers/strict.ts'
import { definePublishedTask, labelsOf, publishedDeviations, publishedOptions } from './published-task.ts'

const letters = ['A', 'B', 'C', 'D'] as const
type Letter = (typeof letters)[number]

/**
 * Metrics: `choice` is 1 when the answer names the right letter; `strict` requires exactly the letter or the choice's text;
 * `lenient` also accepts answers that contain the choice's text.
 */
export const longBenchV2 = definePublishedTask({
  name: choicesName,
  description: 'LongBench v2: questions with four choices, from a file of its rows.',
  options: publishedOptions,
  row: z.object({
    question: text,
    answer: z.string().trim().pipe(z.enum(letters)),
    ...(Object.fromEntries(letters.map((letter) => [`choice_${letter}`, text])) as Record<
      `choice_${Letter}`,
      typeof text
    >),
    context: text,
  }),
  benchmarkOf: () => ({
    name: choicesName,
    deviations: [
      ...publishedDeviations,
      'A letter alone is asked for, and counts; LongBench v2 asks for the sentence "The correct answer is (A)".',
    ],
    readRow({ fields, row }) {
      const choiceOf = (letter: Letter): string => fields[`choice_${letter}`].trim()
      const query = fields.question.trim()
      return {
        question: [
          query,
          'Choices:',
          ...letters.map((letter) => `(${letter}) ${choiceOf(letter)}`),
          'Answer with the letter of the correct choice.',
        ].join('\n'),
        query,
        text: fields.context.trim(),
        references: [fields.answer, choiceOf(fields.answer)],
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
function namedChoice(answer: string): string | undefined {
  const plain = answer.replaceAll('*', '')
  const forms = [
    /The correct answer is \(([A-D])\)/,
    /The correct answer is ([A-D])/,
    /^\s*\(?([A-D])[).:]\s/,
  ]
  const named = forms.map((form) => form.exec(plain)?.[1]).find((letter) => letter !== undefined)
  return named ?? letters.find((letter) => equalsReference(answer, letter))
}

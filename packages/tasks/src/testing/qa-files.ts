/**
 * Made-up files in the formats of SQuAD and HotpotQA, for tests and measurements without the real ones. Every answer is a
 * number that occurs once in the file, after characters of 2 to 4 bytes.
 */
import { createRandom, type Random } from '../random.ts'
import { sampleProse } from './fixtures.ts'

interface MadeParagraph {
  readonly title: string
  readonly sentences: readonly string[]
  readonly answer: string
}

const answerOf = (number: number): string => `${100_000 + number}`
const sentences = sampleProse()
  .paragraphs.flatMap((paragraph) => paragraph.trim().split(/(?<=\.)\s+/))
  .filter((sentence) => sentence.endsWith('.'))

function madeParagraph(random: Random, number: number, sentenceCount: number): MadeParagraph {
  const filler = Array.from({ length: sentenceCount }, () => random.pick(sentences))
  return {
    title: `Café ${number} 🙂`,
    sentences: [
      ...filler.slice(0, 1),
      `The café 🙂 of lot ${number} seats ${answerOf(number)} guests.`,
      ...filler.slice(1),
    ].map((sentence, i) => (i === 0 ? sentence : ` ${sentence}`)),
    answer: answerOf(number),
  }
}

/** SQuAD 2.0: each paragraph has an answerable and an unanswerable question. */
export function madeSquad(options: { articles: number; paragraphs: number; sentences?: number }): object {
  const random = createRandom('made SQuAD')
  let number = 0
  return {
    version: 'v2.0',
    data: Array.from({ length: options.articles }, (_, article) => ({
      title: `Article_${article}`,
      paragraphs: Array.from({ length: options.paragraphs }, () => {
        number += 1
        const { sentences: text, answer } = madeParagraph(random, number, options.sentences ?? 4)
        const context = text.join('')
        const start = [...context.slice(0, context.indexOf(answer))].length
        return {
          context,
          qas: [
            {
              id: `q${number}`,
              question: `How many guests does the café of lot ${number} seat?`,
              is_impossible: false,
              answers: [
                { text: answer, answer_start: start },
                { text: answer, answer_start: start },
                { text: `${answer} guests`, answer_start: start },
              ],
            },
            {
              id: `u${number}`,
              question: `Who owns the café of lot ${number}?`,
              is_impossible: true,
              plausible_answers: [],
              answers: [],
            },
          ],
        }
      }),
    })),
  }
}

/** HotpotQA, distractor setting: every fifth question is answered yes or no. */
export function* madeHotpotQa(options: { questions: number; sentences?: number }): Generator<object> {
  const random = createRandom('made HotpotQA')
  for (let question = 0; question < options.questions; question += 1) {
    const paragraphs = Array.from({ length: 10 }, (_, i) =>
      madeParagraph(random, 10 * question + i, options.sentences ?? 2),
    )
    const [first, second] = [random.pick(paragraphs), random.pick(paragraphs)]
    const isYesNo = question % 5 === 4
    yield {
      _id: `h${question}`,
      question: isYesNo
        ? `Are both ${first.title} and ${second.title} cafés?`
        : `How many guests does the café of ${first.title} seat?`,
      answer: isYesNo ? 'yes' : first.answer,
      type: isYesNo ? 'comparison' : 'bridge',
      level: 'hard',
      supporting_facts: [
        [first.title, 1],
        [second.title, 1],
      ],
      context: random.shuffle(paragraphs).map(({ title, sentences: text }) => [title, text]),
    }
  }
}

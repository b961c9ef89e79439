/**
 * BABILong (Kuratov et al., arXiv 2406.10149): the facts of a bAbI question among sentences of books. Each row has `input`,
 * `question` and `target`; each task and length has a file (`qa1/128k-...`, `0k/qa1-...`).
 */
import { z } from 'zod'
import { text } from '../rows/row-file.ts'
import { badOption } from '../settings/task-options.ts'
import { scoreAnswer } from '../verifiers/score.ts'
import { definePublishedTask, publishedDeviations, publishedOptions } from './published-task.ts'

const places = ['bathroom', 'bedroom', 'garden', 'hallway', 'kitchen', 'office']

/** The possible answers of each task (booydar/babilong, `metrics.py`). */
const babilongAnswers = {
  qa1: places,
  qa2: places,
  qa3: places,
  qa4: places,
  qa5: ['bill', 'fred', 'jeff', 'mary', 'apple', 'football', 'milk'],
  qa6: ['no', 'yes'],
  qa7: ['none', 'one', 'three', 'two'],
  qa8: ['apple', 'football', 'milk', 'nothing'],
  qa9: ['no', 'yes'],
  qa10: ['maybe', 'no', 'yes'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type TaskName = keyof typeof babilongAnswers
const taskNames = Object.keys(babilongAnswers) as TaskName[]

/** Metrics: `babilong` as published, plus `strict` and `lenient`. */
export const babilong = definePublishedTask({
  name: 'babilong',
  description: 'BABILong: bAbI questions about facts among sentences of books, from a file of its rows.',
  options: publishedOptions.extend({
    task: z
      .enum(taskNames)
      .optional()
      .meta({ description: 'Which of the tasks the rows belong to.', defaultIs: 'what the path says' }),
  }),
  row: z.object({ question: text, input: text, target: text }),
  benchmarkOf({ file }, settings) {
    const task = settings.task ?? taskOf(file)
    return {
      name: `babilong-${task}`,
      deviations: [
        ...publishedDeviations,
        'The question has no instruction and no examples; BABILong gives both.',
        'Words count as wholes; BABILong also finds "one" in "none".',
      ],
      readRow({ fields: { question, input, target } }) {
        // Several things may be carried: `apple,milk`.
        const references = target.split(',').map((one) => one.trim())
        return {
          question,
          text: input,
          references,
          match: references.length > 1 ? 'all' : 'any',
          labels: { babilong: task },
        }
      },
      score: (sample, answer) => ({
        babilong: babilongScore(answer ?? '', sample.references, sample.question, babilongAnswers[task]),
        ...scoreAnswer(sample, answer),
      }),
    }
  },
})

function taskOf(path: string): TaskName {
  const named = path.match(/(?<![a-z0-9])qa\d+(?![a-z0-9])/g)?.at(-1)
  const task = taskNames.find((name) => name === named)
  if (task === undefined) {
    const known = taskNames.join(', ')
    throw badOption('babilong', 'task', named, `it takes ${known}, which the path did not tell`)
  }
  return task
}

/** 1 if the first sentence of the answer names everything right and no other possible answer, except those in the question. */
function babilongScore(
  answer: string,
  targets: readonly string[],
  question: string,
  possible: readonly string[],
): number {
  const sentence = answer.toLowerCase().split(/\.|<context>|<example>/)[0]!
  const named = possible.filter((word) => hasWord(sentence, word) && !hasWord(question.toLowerCase(), word))
  return named.length === targets.length && targets.every((word) => named.includes(word.toLowerCase()))
    ? 1
    : 0
}

const hasWord = (text: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(text)

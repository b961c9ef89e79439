/** Further wordings of the facts about projects. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
  'project-leader': {
    statements: [
      '{value} runs {subject}.',
      '{Subject} answers to {value}, its leader.',
      'Under {value}, {subject} finished early.',
      '~ The person behind {subject} is {value}.',
    ],
    questions: ['Who runs {subject}?', 'Who is the head of {subject}?'],
  },
  budget: {
    statements: [
      '{value} was put aside for {subject}.',
      'The money for {subject}, {value}, comes from the lottery.',
      '{Subject} will cost the taxpayer {value}.',
      '~ {value} is the budget of {subject}.',
      'Donors gave {value} to {subject}.',
    ],
    questions: [
      'How much money does {subject} have?',
      'What sum was approved for {subject}?',
      'How much was set aside for {subject}?',
    ],
  },
  deadline: {
    statements: [
      '{Subject} falls due on {value}.',
      '~ {Subject} cannot be handed in after {value}.',
      'The last day for {subject} is {value}.',
      '{value}: {bare} due',
    ],
    questions: ['What is the last day for {subject}?', 'Until when is there time for {subject}?'],
  },
  codename: {
    statements: [
      'They call {subject} {value}.',
      '~ {Subject}, alias {value}, is kept secret.',
      'Cover name of {subject}: {value}.',
      '{value} was the cover name for {subject}.',
    ],
    questions: [
      'What is the cover name of {subject}?',
      'What is {subject} called in secret?',
      'What alias does {subject} have?',
      '~ code name of {bare}?',
    ],
  },
}

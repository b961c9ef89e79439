/** Further wordings of the facts about works and those who make them. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
  author: {
    statements: [
      '{value} made {subject}.',
      '{Subject}, made by {value}, hangs in {town}.',
      '~ The mind behind {subject} was {value}.',
      'Nothing by {value} is better known than {subject}.',
      '{Subject} was signed by {value}.',
    ],
    questions: ['By whom was {subject} made?'],
  },
  'work-year': {
    statements: [
      '{value} is the year of {subject}.',
      '{Subject}, made in {value}, is on loan.',
      '~ Nobody had heard of {subject} before {value}.',
      '{Subject} was begun early and ended in {value}.',
      'The date on {subject} is {value}.',
    ],
    questions: [
      'When was {subject} made?',
      'In which year did {subject} come out?',
      'How old is {subject}; from what year?',
      '~ year of {bare}?',
    ],
  },
  'first-book': {
    statements: [
      '~ The writing career of {subject} started with "{value}".',
      'Before anything else {subject} had published "{value}".',
    ],
    questions: ['With which book did {subject} begin as a writer?', 'Which book was the first by {subject}?'],
  },
}

/** Further wordings of the facts about towns. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
  mayor: {
    statements: [
      '{value} governs {subject} as mayor.',
      'Since the last election the mayor of {subject} has been {value}.',
      'The chain of office of {subject} is worn by {value}.',
      '~ {Subject} is proud of its mayor, {value}.',
    ],
    questions: ['Which mayor does {subject} have?', 'mayor of {bare}?'],
  },
  population: {
    statements: [
      'The statistics put {subject} at {value} inhabitants.',
      '{Subject}, pop. {value}, has no cinema.',
      'No more than {value} people remained in {subject}.',
      '~ {value} is the number of people in {subject}.',
    ],
    questions: [
      'How many people are there in {subject}?',
      'How big is the population of {subject}?',
      'What is the head count of {subject}?',
    ],
  },
  river: {
    statements: [
      'The {value} passes {subject}.',
      '{Subject} drinks the water of the {value}.',
      '~ There is a ferry over the {value} at {subject}.',
      '{value} is the river of {subject}.',
    ],
    questions: ['Which river passes {subject}?', 'river of {bare}?'],
  },
  'founding-year': {
    statements: [
      '{Subject} has existed since {value}.',
      'The beginnings of {subject} lie in {value}.',
      '~ {value} was when {subject} was set up.',
      '{Subject} (est. {value})',
      'In {value} somebody laid the first stone of what is now {subject}.',
    ],
    questions: [
      'Since when does {subject} exist?',
      'When was {subject} set up?',
      'founding year of {bare}?',
      '~ What year was {subject} started?',
    ],
  },
}

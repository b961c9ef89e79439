/** Further wordings of the facts about dishes and their making. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
  'secret-ingredient': {
    statements: [
      'Nobody guesses that {subject} contains {value}.',
      'Add some {value} to {subject} at the very end.',
      '{Subject} tastes of {value}, which the cook keeps secret.',
      'Remember that {value} is the secret of {subject}.',
      'It takes {value} to make {subject} what it is.',
    ],
    questions: [
      '~ What goes into {subject} in secret?',
      'What is added to {subject}?',
      'secret ingredient of {bare}?',
    ],
  },
  'oven-temperature': {
    statements: [
      'Bake {subject} at {value}.',
      '{value} is right for {subject}.',
      '{Subject}: oven at {value}.',
      '~ An oven at {value} is hot enough for {subject}.',
    ],
    questions: ['What heat does {subject} need in the oven?', 'At how many degrees is {subject} baked?'],
  },
  'cooking-time': {
    statements: [
      '{Subject} takes {value} to cook.',
      '{value} is the cooking time of {subject}.',
      'Wait {value}, then take {subject} off the stove.',
      '~ {Subject} stays in the pot for {value}.',
      'You need {value} for {subject}.',
    ],
    questions: [
      'For how long does {subject} stay in the pot?',
      'How much time does {subject} take to cook?',
      'For how long is {subject} cooked?',
    ],
  },
}

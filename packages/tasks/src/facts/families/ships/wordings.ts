/** Further wordings of the facts about ships. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
  captain: {
    statements: [
      '{value} commands {subject}.',
      '~ {Subject} is in the hands of {value}, its captain.',
      'Since {year}, {value} has sailed {subject} as captain.',
      'captain {value}, {bare}',
    ],
    questions: ['Who sails {subject} as captain?', 'captain of {bare}?'],
  },
  mooring: {
    statements: [
      'Remember that {value} is where {subject} lies.',
      '~ {Subject} made fast at {value}.',
      'Look for {subject} at {value}.',
      'Cranes at {value} are unloading {subject}.',
      '{Subject} takes on water at {value}.',
    ],
    questions: ['Where can {subject} be seen in the harbour?', 'Where did {subject} make fast?'],
  },
  'ship-length': {
    statements: [
      '~ {value} is the length of {subject}.',
      '{Subject} has a length of {value}.',
      'length: {bare}, {value}',
    ],
    questions: [
      'How many metres or feet long is {subject}?',
      'What is the length of the hull of {subject}?',
      'length of {bare}?',
    ],
  },
  cargo: {
    statements: [
      '~ I am told that {value} fills the hold of {subject}.',
      '{Subject} brings {value} to {town}.',
      'A load of {value} was put aboard {subject}.',
      'On board {subject}: {value}.',
      'Thieves took {value} from {subject}.',
    ],
    questions: ['What is on board {subject}?', '~ What does {subject} bring?', 'cargo of {bare}?'],
  },
  'launch-date': {
    statements: [
      '{Subject} has been afloat since {value}.',
      'On {value} the yard launched {subject}.',
      'Launch of {subject}: {value}.',
      'A band played on {value} when {subject} was launched.',
    ],
    questions: ['~ Since when has {subject} been afloat?', 'launch date of {bare}?'],
  },
}

/** Further wordings of the facts about buildings. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
  'access-code': {
    statements: [
      'Dial {value} to open {subject}.',
      'The lock of {subject} is set to {value}.',
      '~ Enter {value} and {subject} will open.',
      '{Subject} is secured by the code {value}.',
      '{value}, said the note, and underneath: code for {subject}.',
      'Only {value} unlocks {subject}.',
      'PIN for {subject}: {value}',
    ],
    questions: [
      'What is the code for {subject}?',
      '~ Which code unlocks {subject}?',
      'What is the lock of {subject} set to?',
      'What must be entered to open {subject}?',
      'PIN of {bare}?',
    ],
  },
  address: {
    statements: [
      'The door of {subject} is at {value}.',
      'Come to {value}; {subject} is on the ground floor.',
      '~ {value} is where {subject} has been from the start.',
      'The parcel for {subject} was left at {value}.',
      'The registered address of {subject} reads {value}.',
      '{Subject} occupies {value}.',
      'A bus stops right outside {subject} at {value}.',
    ],
    questions: [
      'On which street is {subject}?',
      '~ Where do I find {subject}?',
      'To what address are parcels for {subject} sent?',
      'Under which address is {subject} registered?',
      'address of {bare}?',
    ],
  },
  architect: {
    statements: [
      '{value} drew {subject}.',
      'The prize for the design of {subject} went to {value}.',
      '~ The drawings of {subject} carry the signature of {value}.',
      '{Subject} is the only building by {value} in {town}.',
      'architect={value} building={bare}',
    ],
    questions: ['Who planned {subject}?'],
  },
  'opening-year': {
    statements: [
      '{Subject} has been open since {value}.',
      '{value}: opening of {subject}.',
      '~ The first visitors entered {subject} in {value}.',
      'When {subject} opened, in {value}, there was no road to it.',
    ],
    questions: ['In which year was {subject} inaugurated?', 'opening year of {bare}?'],
  },
  colour: {
    statements: [
      '{Subject} is {value}.',
      'It seems that {value} is the colour of {subject}.',
      '~ Everyone calls {subject} ugly because it is {value}.',
      'Somebody had decided that {subject} should be {value}.',
      '{Subject} comes in {value} only.',
      'They repainted {subject} in {value}.',
    ],
    questions: [
      'What colour does {subject} have?',
      'Which colour was chosen for {subject}?',
      '~ What is the paint on {subject}?',
      'colour of {bare}?',
    ],
  },
  caretaker: {
    statements: [
      '{value} takes care of {subject}.',
      'Complaints about {subject} go to {value}, the caretaker.',
      'The janitor of {subject} is {value}.',
      '{Subject}; caretaker {value}; keys in the box.',
      '~ Every evening {value}, as caretaker, locks {subject}.',
    ],
    questions: ['Who is the janitor of {subject}?', 'Name the caretaker of {subject}.'],
  },
}

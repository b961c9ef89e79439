/** Further wordings of the facts about events, works and dishes. Tables only. */
import type { Wordings } from '../kind.ts'

export const cultureWordings: Wordings = {
  winner: {
    statements: [
      'The prize of {subject} was taken home by {value}.',
      'In the end {value} was the best at {subject}.',
      '{value} is the champion of {subject}.',
      '~ {Subject} saw {value} win.',
      'The cup of {subject} stands on a shelf at the home of {value}.',
    ],
    questions: [
      'Who is the champion of {subject}?',
      'To whom did first place at {subject} go?',
      'winner of {bare}?',
    ],
  },
  'event-date': {
    statements: [
      '{Subject} is on {value}.',
      '~ {value} is the day of {subject}.',
      'We meet at {subject} on {value}.',
      'The town gets ready for {value}, when {subject} starts.',
      'Save the date for {subject}: {value}!',
    ],
    questions: [
      'What day is {subject}?',
      'On what day is {subject}?',
      '~ For which date is {subject} planned?',
    ],
  },
  venue: {
    statements: [
      'They say that {value} is the venue of {subject}.',
      '{Subject} happens at {value}.',
      'Come to {value} for {subject}.',
      'This year {value} hosts {subject}.',
      '{Subject}: venue {value}.',
      '~ Chairs for {subject} were carried into {value}.',
    ],
    questions: [
      'Where does {subject} happen?',
      'Which place hosts {subject}?',
      'To which place do I go for {subject}?',
      'venue of {bare}?',
    ],
  },
  'ticket-price': {
    statements: [
      'You pay {value} for {subject} at the box office.',
      '~ {value} is the admission to {subject}.',
      'The box office sells {subject} at {value}.',
      'One ticket, {bare}, {value}',
      'Nobody wanted to spend {value} on a ticket for {subject}.',
    ],
    questions: [
      'How much is admission to {subject}?',
      'At what price are tickets for {subject} sold?',
      '~ ticket price of {bare}?',
    ],
  },
  participants: {
    statements: [
      '{value} came to {subject}.',
      '{Subject} was attended by {value} people.',
      'A crowd of {value} joined {subject}.',
      'There were {value} names on the list of {subject}.',
      'Never before had {subject} drawn {value} people.',
    ],
    questions: [
      '~ How many people attended {subject}?',
      'How large was the crowd at {subject}?',
      'How many joined {subject}?',
    ],
  },
  'start-time': {
    statements: [
      '{value} is when {subject} starts.',
      'Doors close at {value}, then {subject} begins.',
      '{Subject}, beginning {value}',
      '~ {Subject} will not start before {value}.',
    ],
    questions: [
      'What time does {subject} begin?',
      'When does {subject} begin?',
      'At which time is the start of {subject}?',
    ],
  },
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

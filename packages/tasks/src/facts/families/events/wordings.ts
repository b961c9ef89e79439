/** Further wordings of the facts about events. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
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
}

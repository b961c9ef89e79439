/** Further wordings of the facts about firms, and what things cost. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
  'chief-executive': {
    statements: [
      '{value} heads {subject}.',
      '{Subject} gets a new boss: {value}.',
      'At {subject} the last word belongs to {value}, the chief executive.',
      'The boss of {subject}, {value}, flew to {town}.',
    ],
    questions: [
      'Who heads {subject}?',
      '~ Who is the boss of {subject}?',
      'Who manages {subject}?',
      'CEO of {bare}?',
    ],
  },
  headquarters: {
    statements: [
      'The main office of {subject} is in {value}.',
      '{value} is home to the headquarters of {subject}.',
      '{Subject} ({value}) sells pumps.',
      '~ Letters to {subject} are answered in {value}, at headquarters.',
    ],
    questions: [
      'What city is {subject} based in?',
      'Where is the main office of {subject}?',
      'headquarters of {bare}?',
    ],
  },
  employees: {
    statements: [
      'A total of {value} men and women work at {subject}.',
      '{Subject} pays wages to {value} people.',
      '~ Before the strike {subject} had {value} workers.',
      '{value} is the head count at {subject}.',
    ],
    questions: [
      'How many workers does {subject} have?',
      'What is the head count at {subject}?',
      'How many are on the payroll of {subject}?',
    ],
  },
  revenue: {
    statements: [
      '{value} flowed into the books of {subject} last year.',
      '~ {Subject} earned {value} in {year}.',
      'Sales at {subject} reached {value}.',
      'The income of {subject} came to {value}.',
      '{Subject} closed the year with sales of {value}.',
      'sales;{bare};{value}',
    ],
    questions: [
      'How much did {subject} earn?',
      '~ How much did {subject} sell in a year?',
      'How large is the income of {subject}?',
    ],
  },
  website: {
    statements: [
      'Go to {value} for {subject}.',
      'As far as I know, {value} is the page of {subject}.',
      'The homepage of {subject}, {value}, is down.',
      'Registration for {subject} is open at {value}.',
      '~ {Subject} has moved its pages to {value}.',
      '{Subject}, {value}',
    ],
    questions: [
      'What is the homepage of {subject}?',
      'Where on the web is {subject}?',
      'Which page belongs to {subject}?',
      'What is the internet address of {subject}?',
    ],
  },
  price: {
    statements: [
      '~ You pay {value} for {subject}.',
      '{value} is what {subject} costs.',
      '{Subject} was bought for {value} by {person}.',
      'The tag on {subject} said {value}.',
      '{Subject} is worth {value}.',
    ],
    questions: [
      'What is {subject} worth?',
      '~ For how much was {subject} sold?',
      'How much money is asked for {subject}?',
      'What did they pay for {subject}?',
    ],
  },
}

/** Further wordings of the facts about firms, projects, orders and machines. Tables only. */
import type { Wordings } from '../kind.ts'

export const businessWordings: Wordings = {
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
  'tracking-number': {
    statements: [
      '{value} is the tracking number of {subject}.',
      '{Subject} travels under {value}.',
      'Track {subject}: {value}',
      'With {value} you will know where {subject} is.',
      'The parcel with {subject} carries the number {value}.',
    ],
    questions: [
      '~ What number does the parcel with {subject} carry?',
      'How can I track {subject}?',
      'Which number is on the parcel for {subject}?',
    ],
  },
  'invoice-amount': {
    statements: [
      '{Subject} adds up to {value}.',
      '{value} was invoiced for {subject}.',
      'Amount of {subject}: {value}.',
      '~ The customer still owes {value} for {subject}.',
    ],
    questions: ['What is the bill for {subject}?', 'How much was invoiced for {subject}?'],
  },
  'serial-number': {
    statements: [
      '{Subject}, no. {value}',
      'Number {value} is engraved on {subject}.',
      'The register lists {subject} as {value}.',
      '~ The label under {subject} reads {value}.',
      'serial={value} item={bare}',
    ],
    questions: [
      'Which number is engraved on {subject}?',
      'What does the label of {subject} read?',
      'What number does {subject} bear?',
    ],
  },
  weight: {
    statements: [
      '{Subject} is {value} heavy.',
      '~ {value} is the weight of {subject}.',
      'The postage for {subject} was calculated for {value}.',
      'A scale showed {value} for {subject}.',
    ],
    questions: ['What did the scale show for {subject}?', 'weight of {bare}?'],
  },
  power: {
    statements: [
      '{value} is what {subject} delivers.',
      '~ Output of {subject}: {value}.',
      'The engine in {subject} has {value}.',
      '{Subject} draws {value} from the mains.',
    ],
    questions: [
      'What is the output of {subject}?',
      'At what power is {subject} rated?',
      'How strong is {subject}?',
      '~ power of {bare}?',
    ],
  },
  warranty: {
    statements: [
      'You have {value} of warranty on {subject}.',
      'The guarantee for {subject} holds for {value}.',
      '{value} is how long the warranty of {subject} lasts.',
      'Buyers of {subject} get {value} of warranty.',
      'warranty: {bare} = {value}',
    ],
    questions: [
      '~ For how long is there a warranty on {subject}?',
      'How long does the guarantee for {subject} hold?',
      'For how long is {subject} guaranteed?',
    ],
  },
}

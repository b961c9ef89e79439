/**
 * Relations in which one subject has many values, each mentioned somewhere by itself, and lures: sentences about the very
 * subject with a value of the same kind that does not belong to the answer. Tables only. Slots are those of the facts
 * (`../facts/kind.ts`); a template that starts with `~` is held out of training. No task of the trainer has these relations.
 */
import { type CodedKind, defineKind, type FactKind, type Template } from '../facts/kind.ts'
import * as values from '../facts/values.ts'
import { parseTemplates } from '../prose-task.ts'

export interface MentionRelation extends FactKind {
  readonly lures: readonly Template[]
}

const rows: readonly (CodedKind & { readonly lures: readonly string[] })[] = [
  {
    name: 'visitors',
    subjects: ['building'],
    value: values.person,
    statements: [
      '{value} visited {subject}.',
      'In {year}, {value} paid a visit to {subject}.',
      'The guest book of {subject} has the name {value} in it.',
      'Among those who visited {subject} was {value}.',
      '"I have visited {subject} and would go again," said {value}.',
      'Visitor to {subject}: {value}.',
      '~ {value} was shown around {subject}.',
      '~ A photograph shows {value} on a visit to {subject}.',
    ],
    lures: [
      '{value} painted {subject} from a postcard, without ever having visited it.',
      '{value} had always wanted to visit {subject}, but never did.',
      'A letter about {subject} was sent to {value}.',
      'In a newspaper {value} read about {subject}.',
      '~ {value} called off a visit to {subject}.',
    ],
    questions: [
      'Who visited {subject}?',
      'Which people visited {subject}?',
      'Name everybody who visited {subject}.',
      '~ Which visitors did {subject} have?',
    ],
  },
  {
    name: 'sightings',
    subjects: ['person'],
    value: values.town,
    statements: [
      '{Subject} was seen in {value}.',
      'A witness saw {subject} at the station of {value}.',
      'In {year}, somebody saw {subject} in {value}.',
      'In a café in {value} a waiter saw {subject}.',
      'Sighting of {subject}: {value}.',
      '~ {Subject} was spotted in {value}.',
      '~ A policeman in {value} caught sight of {subject}.',
    ],
    lures: [
      '{Subject} was never seen in {value}.',
      'A letter from {value} was waiting for {subject}.',
      '{Subject} had meant to go to {value}, and did not.',
      'A street in {value} is named after {subject}.',
      '~ Nobody in {value} ever set eyes on {subject}.',
    ],
    questions: [
      'Where was {subject} seen?',
      'In which towns was {subject} seen?',
      'In which towns did somebody see {subject}?',
      '~ Name every town with a sighting of {subject}.',
    ],
  },
  {
    name: 'borrowers',
    subjects: ['keepsake'],
    value: values.person,
    statements: [
      '{value} borrowed {subject}.',
      'In {year}, {subject} was lent to {value}.',
      'For a summer, {value} had {subject} on loan.',
      'Among those who borrowed {subject} was {value}.',
      'Borrower of {subject}: {value}.',
      '~ {Subject} was on loan to {value} for a while.',
      '~ The lending list has {value} next to {subject}.',
    ],
    lures: [
      '{value} asked to borrow {subject}, and was refused.',
      '{value} took a photograph of {subject}.',
      'An offer to buy {subject} came from {value}.',
      '{value} wrote an essay about {subject}.',
      '~ Nobody would lend {subject} to {value}.',
    ],
    questions: [
      'Who borrowed {subject}?',
      'To whom was {subject} lent?',
      'Which people borrowed {subject}?',
      '~ Who had {subject} on loan?',
    ],
  },
  {
    name: 'passengers',
    subjects: ['ship'],
    value: values.person,
    statements: [
      '{value} was a passenger of {subject}.',
      'On the passenger list of {subject} stands {value}.',
      'In {year}, {value} crossed the sea as a passenger of {subject}.',
      '"The food was good," said {value}, a passenger of {subject}.',
      'Passenger of {subject}: {value}.',
      '~ {value} travelled aboard {subject} as a paying guest.',
      '~ A cabin of {subject} was taken by {value}, who travelled alone.',
    ],
    lures: [
      '{value} missed {subject} by an hour, and stayed at home.',
      'From the quay {value} waved to {subject}.',
      '{value} repaired the radio of {subject} in port.',
      '{value} gave away a ticket for {subject}.',
      '~ A painting of {subject} was made by {value}.',
    ],
    questions: [
      'Who were the passengers of {subject}?',
      'Which passengers did {subject} have?',
      'Name the passengers of {subject}.',
      '~ Who travelled on {subject} as a passenger?',
    ],
  },
  {
    name: 'renters',
    subjects: ['machine'],
    value: values.firm,
    statements: [
      '{value} rented {subject}.',
      'In {year}, {subject} was rented out to {value}.',
      'Among the firms that rented {subject} was {value}.',
      'For two months {subject} was rented by {value}.',
      'Rented {subject}: {value}.',
      '~ {Subject} was on hire to {value}.',
      '~ {value} paid the hire of {subject} in advance.',
    ],
    lures: [
      '{value} asked for the price of {subject}, and did not rent it.',
      'The manual of {subject} was printed by {value}.',
      'Spare parts for {subject} come from {value}.',
      '{Subject} is insured with {value}.',
      '~ A brochure about {subject} was sent to {value}.',
    ],
    questions: [
      'Which firms rented {subject}?',
      'Who rented {subject}?',
      'To which firms was {subject} rented out?',
      '~ Which firms had {subject} on hire?',
    ],
  },
  {
    name: 'speakers',
    subjects: ['event'],
    value: values.person,
    statements: [
      '{value} gave a talk at {subject}.',
      'One of the speakers at {subject} was {value}.',
      'The programme of {subject} has a talk by {value}.',
      'At {subject}, {value} spoke about the sea.',
      'Speaker at {subject}: {value}.',
      '~ The audience at {subject} listened to {value}.',
      '~ {value} took the floor at {subject}.',
    ],
    lures: [
      '{value} was asked to speak at {subject}, and declined.',
      '{value} sold lemonade at {subject}.',
      'The poster of {subject} was designed by {value}.',
      'At {subject}, {value} sat in the front row and said nothing.',
      '~ A talk by {value} at {subject} was called off.',
    ],
    questions: [
      'Who spoke at {subject}?',
      'Who gave talks at {subject}?',
      'Name the speakers at {subject}.',
      '~ Which people took the floor at {subject}?',
    ],
  },
  {
    name: 'customers',
    subjects: ['service'],
    value: values.firm,
    statements: [
      '{value} is a customer of {subject}.',
      'In {year}, {value} became a customer of {subject}.',
      'Among the customers of {subject} is {value}.',
      'A customer of {subject}, {value}, called the support line.',
      'Customer of {subject}: {value}.',
      '~ {value} has been using {subject} since {year}.',
      '~ {value} renewed its contract for {subject}.',
    ],
    lures: [
      '{value} tried {subject} for a week, and became no customer.',
      'A rival of {subject} is sold by {value}.',
      'The rooms in which {subject} runs were built by {value}.',
      '{value} advised against {subject}.',
      '~ An offer for {subject} was turned down by {value}.',
    ],
    questions: [
      'Which firms are customers of {subject}?',
      'Who are the customers of {subject}?',
      'Name the customers of {subject}.',
      '~ Which firms use {subject}?',
    ],
  },
  {
    name: 'presentations',
    subjects: ['work'],
    value: values.town,
    statements: [
      '{Subject} was presented in {value}.',
      'In {year}, {subject} was presented in {value}.',
      'A crowd came when {subject} was presented in {value}.',
      'Among the towns in which {subject} was presented is {value}.',
      'Presentation of {subject}: {value}.',
      '~ {value} was host to a presentation of {subject}.',
      '~ The tour with {subject} stopped in {value}.',
    ],
    lures: [
      'A presentation of {subject} in {value} was called off.',
      'A critic from {value} wrote about {subject}.',
      'Posters of {subject} were printed in {value}.',
      'The library of {value} has a book about {subject}.',
      '~ {value} could not afford a presentation of {subject}.',
    ],
    questions: [
      'Where was {subject} presented?',
      'In which towns was {subject} presented?',
      'Name the towns in which {subject} was presented.',
      '~ Which towns were hosts to presentations of {subject}?',
    ],
  },
]

export const mentionRelations: readonly MentionRelation[] = rows.map(({ lures, ...row }) => ({
  ...defineKind(row),
  lures: parseTemplates(lures),
}))

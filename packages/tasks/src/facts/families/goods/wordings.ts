/** Further wordings of the facts about orders and machines. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
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

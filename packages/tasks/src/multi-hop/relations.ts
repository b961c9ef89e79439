/**
 * Relations between invented people, places, works and firms. A relation is a kind of fact, with its statements and
 * questions, and the noun phrases by which a longer question names its value ("the mayor of {subject}"). Tables only.
 */
import { defineKind, type FactKind, type Template } from '../facts/kind.ts'
import { kindNamed } from '../facts/kinds.ts'
import * as values from '../facts/values.ts'
import { parseTemplates } from '../prose-task.ts'

/** What a value is, where it can be the subject of the next relation. */
export type EntityClass = 'person' | 'woman' | 'town' | 'firm' | 'building'

export interface Relation {
  readonly kind: FactKind
  /** Undefined: the value is a number, a date, a trade... and ends the chain. */
  readonly to: EntityClass | undefined
  /** Noun phrases for the value, with the slot `{subject}`. */
  readonly phrases: readonly Template[]
}

const founder = defineKind({
  name: 'founder',
  subjects: ['firm'],
  value: values.person,
  statements: [
    '{value} founded {subject}.',
    '{Subject} was founded by {value}.',
    'The founder of {subject} is {value}.',
    'In {year}, {value} founded {subject} in a rented garage.',
    'It was {value} who founded {subject}.',
    '"I founded {subject} with borrowed money," said {value}.',
    'A portrait of its founder, {value}, hangs in the lobby of {subject}.',
    'As the founder of {subject}, {value} still owns a few shares.',
    'Founder of {subject}: {value}.',
    '~ {Subject} owes its existence to {value}, who founded it.',
    '~ {Subject} was started by {value} in {year}.',
    '~ The history of {subject} began when {value} founded it.',
  ],
  questions: [
    'Who founded {subject}?',
    'Who is the founder of {subject}?',
    'By whom was {subject} founded?',
    'Name the founder of {subject}.',
    '~ Who started {subject}?',
    '~ What is the name of the person who founded {subject}?',
  ],
  alsoTells: {
    'founding-year': [
      'In {year}, {value} founded {subject} in a rented garage.',
      '{Subject} was started by {value} in {year}.',
    ],
  },
})

const rows: readonly (readonly [kind: string | FactKind, to: EntityClass, phrases: readonly string[]])[] = [
  [
    'birthplace',
    'town',
    ['the town where {subject} was born', 'the birthplace of {subject}', '~ the native town of {subject}'],
  ],
  [
    'residence',
    'town',
    [
      'the town where {subject} lives',
      'the place of residence of {subject}',
      '~ the town that is home to {subject}',
    ],
  ],
  [
    'employer',
    'firm',
    ['the firm that {subject} works for', 'the employer of {subject}', '~ the firm that employs {subject}'],
  ],
  ['sister', 'woman', ['the sister of {subject}', '~ the only sister of {subject}']],
  [
    'teacher',
    'person',
    [
      'the teacher of {subject}',
      'the person who taught {subject}',
      '~ the person who gave lessons to {subject}',
    ],
  ],
  [
    'headquarters',
    'town',
    [
      'the town where {subject} has its headquarters',
      'the town that houses the headquarters of {subject}',
      '~ the town with the head office of {subject}',
    ],
  ],
  [
    'chief-executive',
    'person',
    ['the chief executive of {subject}', 'the CEO of {subject}', '~ the person at the head of {subject}'],
  ],
  [
    founder,
    'person',
    ['the founder of {subject}', 'the person who founded {subject}', '~ the person who started {subject}'],
  ],
  ['mayor', 'person', ['the mayor of {subject}', '~ the person elected mayor of {subject}']],
  [
    'author',
    'person',
    ['the creator of {subject}', 'the person who made {subject}', '~ the person who created {subject}'],
  ],
  [
    'architect',
    'person',
    [
      'the architect of {subject}',
      'the person who designed {subject}',
      '~ the person who drew the plans for {subject}',
    ],
  ],
  [
    'caretaker',
    'person',
    ['the caretaker of {subject}', 'the person who takes care of {subject}', '~ the janitor of {subject}'],
  ],
  [
    'captain',
    'person',
    ['the captain of {subject}', 'the person who commands {subject}', '~ the person in command of {subject}'],
  ],
  [
    'winner',
    'person',
    ['the winner of {subject}', 'the person who won {subject}', '~ the champion of {subject}'],
  ],
  [
    'project-leader',
    'person',
    ['the leader of {subject}', 'the person who leads {subject}', '~ the person in charge of {subject}'],
  ],
  ['maintainer', 'person', ['the maintainer of {subject}', '~ the person who maintains {subject}']],
  [
    'venue',
    'building',
    ['the venue of {subject}', 'the building where {subject} is held', '~ the building that hosts {subject}'],
  ],
]

const endings = [
  'profession',
  'birthday',
  'mother-tongue',
  'instrument',
  'phone',
  'river',
  'population',
  'employees',
  'revenue',
  'website',
  'founding-year',
  'opening-year',
  'colour',
  'height',
  'address',
]

export const relations: readonly Relation[] = [
  ...rows.map(([kind, to, phrases]) => ({
    kind: typeof kind === 'string' ? kindNamed(kind) : kind,
    to,
    phrases: parseTemplates(phrases),
  })),
  ...endings.map((name) => ({ kind: kindNamed(name), to: undefined, phrases: [] })),
]

const offices =
  'teacher chief-executive mayor author architect caretaker captain project-leader maintainer'.split(' ')

/**
 * Whether a relation may follow another in a question. Not where the first one nearly answers the second: the chief executive
 * of a firm works for it, its mayor lives in a town, and captains have a trade.
 */
export function mayFollow(next: Relation, previous: Relation | undefined): boolean {
  const [before, after] = [previous?.kind.name, next.kind.name]
  return (
    before === undefined ||
    (before !== after &&
      !(after === 'employer' && ['chief-executive', 'founder', 'caretaker'].includes(before)) &&
      !(after === 'residence' && before === 'mayor') &&
      !(after === 'profession' && offices.includes(before)))
  )
}

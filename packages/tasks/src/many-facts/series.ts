/**
 * Series: what is stated again and again with another value, or of one group for another member. Tables only.
 *
 * Slots of a statement: `{subject}`, `{Subject}`, `{bareSubject}`, `{value}` and, where a series has members, `{member}` or
 * `{Member}`. Questions ask for the value, or for the member where there are members; `{subject}` is their only slot.
 * A template that starts with `~` is held out of training.
 */
import type { SubjectClass } from '../facts/name-forms.ts'

/** Which of the facts is asked for: the last one stated, the first one, or the one with the highest value. */
export type Choice = 'latest' | 'first' | 'highest'

export interface Series {
  readonly name: string
  readonly subject: SubjectClass
  readonly member?: SubjectClass
  readonly low: number
  readonly high: number
  readonly unit: string
  readonly statements: readonly string[]
  readonly questions: Readonly<Record<Choice, readonly string[]>>
}

/** Questions about a quantity that is stated again and again: "the water level at {subject}". */
const quantity = (phrase: string): Series['questions'] => ({
  latest: [
    `What is the last ${phrase} that the text gives?`,
    `The text gives the ${phrase} several times. Which value comes last?`,
    `Which value is the last one stated for the ${phrase}?`,
    `~ Going by its latest mention, what is the ${phrase}?`,
  ],
  first: [
    `What is the first ${phrase} that the text gives?`,
    `The text gives the ${phrase} several times. Which value comes first?`,
    `Which value is the first one stated for the ${phrase}?`,
    `~ Going by its earliest mention, what is the ${phrase}?`,
  ],
  highest: [
    `What is the highest ${phrase} that the text gives?`,
    `The text gives the ${phrase} several times. Which value is the highest?`,
    `Of all values stated for the ${phrase}, which is the highest?`,
    `~ At its peak, what was the ${phrase}?`,
  ],
})

/** Questions about the members of a group: "item on sale at {subject}", "most expensive item on sale at {subject}". */
const members = (role: string, highest: string): Series['questions'] => ({
  latest: [
    `Which ${role} does the text mention last?`,
    `What is the name of the last ${role} in the text?`,
    `~ Of every ${role}, which one comes up latest in the text?`,
  ],
  first: [
    `Which ${role} does the text mention first?`,
    `What is the name of the first ${role} in the text?`,
    `~ Of every ${role}, which one comes up earliest in the text?`,
  ],
  highest: [
    `Which is the ${highest}?`,
    `What is the name of the ${highest}?`,
    `~ Taking every ${role} together, which is the ${highest}?`,
  ],
})

export const series: readonly Series[] = [
  {
    name: 'water-level',
    subject: 'town',
    low: 20,
    high: 980,
    unit: ' cm',
    statements: [
      'The gauge at {subject} showed {value}.',
      'At {subject} the river stood at {value}.',
      'Water level at {subject}: {value}.',
      'The water at {subject} was measured at {value}.',
      'Bargemen were told of a water level of {value} at {subject}.',
      '~ The bridge keeper at {subject} read {value} off the gauge.',
      '~ The marks on the pier at {subject} put the water at {value}.',
    ],
    questions: quantity('water level at {subject}'),
  },
  {
    name: 'share-price',
    subject: 'firm',
    low: 12,
    high: 4900,
    unit: ' crowns',
    statements: [
      'A share of {subject} traded at {value}.',
      'Shares of {subject} closed at {value}.',
      '{Subject} was quoted at {value} a share.',
      'On the exchange a share of {subject} changed hands for {value}.',
      'Share price of {subject}: {value}.',
      '~ Investors paid {value} for a share of {subject}.',
      '~ The ticker had {subject} at {value} a share.',
    ],
    questions: quantity('share price of {subject}'),
  },
  {
    name: 'temperature',
    subject: 'machine',
    low: 31,
    high: 940,
    unit: ' °C',
    statements: [
      'The temperature of {subject} was {value}.',
      '{Subject} had reached a temperature of {value}.',
      'The thermometer on {subject} read {value}.',
      'A sensor reported {value} for the temperature of {subject}.',
      'Temperature of {subject}: {value}.',
      '~ An engineer measured {value} on {subject}.',
      '~ The display of {subject} gave its temperature as {value}.',
    ],
    questions: quantity('temperature of {subject}'),
  },
  {
    name: 'bid',
    subject: 'keepsake',
    low: 110,
    high: 9800,
    unit: ' dollars',
    statements: [
      'Someone bid {value} for {subject}.',
      'There was a bid of {value} for {subject}.',
      'A telephone bidder offered {value} for {subject}.',
      'For {subject} a dealer bid {value}.',
      'Bid for {subject}: {value}.',
      '~ A hand went up: {value} for {subject}.',
      '~ The auctioneer noted {value} as a bid for {subject}.',
    ],
    questions: quantity('bid for {subject}'),
  },
  {
    name: 'catch',
    subject: 'ship',
    low: 40,
    high: 9400,
    unit: ' kg',
    statements: [
      '{Subject} landed a catch of {value}.',
      'The catch of {subject} weighed {value}.',
      'With a catch of {value}, {subject} came back to port.',
      'The market recorded a catch of {value} by {subject}.',
      'Catch of {subject}: {value}.',
      '~ {Subject} brought home {value} of fish, its catch of the day.',
      '~ The scales stopped at {value} for the catch of {subject}.',
    ],
    questions: quantity('catch of {subject}'),
  },
  {
    name: 'load',
    subject: 'service',
    low: 20,
    high: 9800,
    unit: ' requests per second',
    statements: [
      'The load on {subject} was {value}.',
      '{Subject} served {value}.',
      'Monitoring showed a load of {value} on {subject}.',
      'Load on {subject}: {value}.',
      'At that moment {subject} answered {value}.',
      '~ The graph of {subject} stood at {value}.',
      '~ {Subject} had to cope with {value}.',
    ],
    questions: quantity('load on {subject}'),
  },
  {
    name: 'visitors',
    subject: 'event',
    low: 110,
    high: 98_000,
    unit: '',
    statements: [
      'On one of its days {subject} drew {value} visitors.',
      'The number of visitors at {subject} was {value}.',
      'At the gates of {subject} {value} visitors were counted.',
      'The organisers of {subject} spoke of {value} visitors.',
      'Visitors at {subject}: {value}.',
      '~ {Subject} sold tickets to {value} visitors.',
      '~ The police put the number of visitors at {subject} at {value}.',
    ],
    questions: quantity('number of visitors at {subject}'),
  },
  {
    name: 'estimate',
    subject: 'project',
    low: 12,
    high: 9800,
    unit: ' thousand euros',
    statements: [
      'The cost of {subject} was estimated at {value}.',
      'An estimate of {value} was made for {subject}.',
      'The engineers expected {subject} to cost {value}.',
      'Estimated cost of {subject}: {value}.',
      'The council was told that {subject} would cost {value}.',
      '~ Auditors reckoned with {value} for {subject}.',
      '~ The bill for {subject} was foreseen to be {value}.',
    ],
    questions: quantity('estimated cost of {subject}'),
  },
  {
    name: 'shop-price',
    subject: 'firm',
    member: 'keepsake',
    low: 12,
    high: 9800,
    unit: ' crowns',
    statements: [
      'At {subject}, {member} costs {value}.',
      '{Subject} sells {member} for {value}.',
      '{Member} is on sale at {subject} for {value}.',
      'The window of {subject} shows {member}, priced at {value}.',
      'For {value} one can buy {member} at {subject}.',
      '~ {Subject} asks {value} for {member}.',
      '~ The price tag at {subject} puts {member} at {value}.',
    ],
    questions: members('item on sale at {subject}', 'most expensive item on sale at {subject}'),
  },
  {
    name: 'fleet',
    subject: 'firm',
    member: 'ship',
    low: 12,
    high: 480,
    unit: ' metres',
    statements: [
      '{Member}, a ship of {subject}, is {value} long.',
      'The fleet of {subject} includes {member}, {value} in length.',
      '{Subject} owns {member}, which measures {value}.',
      'With its {value}, {member} sails for {subject}.',
      'Fleet of {subject}: {member}, {value}.',
      '~ {Subject} had {member} built with a length of {value}.',
      '~ {Member} flies the flag of {subject} and is {value} long.',
    ],
    questions: members('ship of {subject}', 'longest ship of {subject}'),
  },
  {
    name: 'score',
    subject: 'event',
    member: 'person',
    low: 12,
    high: 990,
    unit: ' points',
    statements: [
      'At {subject}, {member} scored {value}.',
      '{Member} finished {subject} with {value}.',
      'The judges of {subject} gave {member} {value}.',
      'With {value}, {member} left the floor of {subject}.',
      'Result of {member} at {subject}: {value}.',
      '~ {Member} collected {value} at {subject}.',
      '~ The board at {subject} showed {value} for {member}.',
    ],
    questions: members('contestant at {subject}', 'contestant with the most points at {subject}'),
  },
  {
    name: 'donation',
    subject: 'project',
    member: 'person',
    low: 12,
    high: 9800,
    unit: ' francs',
    statements: [
      '{Member} gave {value} to {subject}.',
      '{Member} donated {value} to {subject}.',
      '{Subject} received {value} from {member}.',
      'A donation of {value} to {subject} came from {member}.',
      'Donors of {subject}: {member}, {value}.',
      '~ {Subject} has {member} to thank for {value}.',
      '~ A cheque over {value} for {subject} was signed by {member}.',
    ],
    questions: members('donor of {subject}', 'donor who gave the most to {subject}'),
  },
]

/** Further wordings of the facts about people. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
  residence: {
    statements: [
      'The letter came back, because {subject} had bought a place in {value}.',
      '~ {value} has been the hometown of {subject} since {year}.',
      'My cousin {subject} resettled in {value} for good.',
      'These days {subject} can be met in {value}, where the rent is low.',
      'There is one resident of {value} who never complains: {subject}.',
    ],
    questions: [
      'Where is the house of {subject}?',
      'What is the hometown of {subject}?',
      '~ Where has {subject} settled?',
    ],
  },
  birthplace: {
    statements: [
      'The cradle of {subject} stood in {value}.',
      '{Subject} hails from {value}.',
      'Of all the famous children of {value}, {subject} is the most modest.',
      'The life of {subject} began in {value} in {year}.',
      'It was a midwife in {value} who delivered {subject}.',
      '~ birthplace={value}; name={bare}',
    ],
    questions: [
      'From which town does {subject} originally come?',
      'Where did the life of {subject} begin?',
      'What town does {subject} hail from?',
    ],
  },
  birthday: {
    statements: [
      '{value} was the birthday of {subject}.',
      'Name: {bare}. Born: {value}.',
      '~ The passport office has {value} as birthday for {subject}.',
      'Twins were expected, yet on {value} only {subject} arrived.',
      'The horoscope of {subject} was cast for {value}.',
    ],
    questions: ['What is the birthday of {subject}?', 'birthday of {bare}?'],
  },
  profession: {
    statements: [
      'In the phone book {subject} is listed as {value}.',
      '~ My neighbour {subject} is employed as a {value}.',
      'A career as a {value} was what {subject} had always wanted, and got.',
      '{Subject} practises the trade of a {value}.',
      '{Subject}, {value}, testified on the second day.',
      'As a {value}, {subject} gets up at five.',
      'profession[{bare}]: {value}',
    ],
    questions: [
      '~ What work does {subject} do?',
      'What is the job of {subject}?',
      'What career did {subject} choose?',
      'What is {subject} by profession?',
    ],
  },
  phone: {
    statements: [
      'Ring {value} if you need {subject}.',
      '{Subject}: phone {value}, evenings only.',
      '~ A message for {subject} may be left on {value}.',
      'The line of {subject}, {value}, was busy all day.',
      '{value} connects you with {subject}.',
    ],
    questions: [
      'How can I phone {subject}?',
      'What number does the directory list for {subject}?',
      'Where can I ring {subject}?',
      '~ telephone of {bare}?',
    ],
  },
  email: {
    statements: [
      'Applications go to {subject}, {value}.',
      'From: {bare} <{value}>',
      'The inbox of {subject} is {value}.',
      'Send your photographs to {value}, where {subject} collects them.',
      '{Subject} signs every message with {value}.',
      '~ I am told that {value} belongs to {subject}.',
    ],
    questions: ['At which email address can {subject} be reached?', 'Where does {subject} receive email?'],
  },
  sister: {
    statements: [
      'Both {subject} and a sister, {value}, went to school in {town}.',
      'Of the two siblings, {subject} was loud and {value}, the sister, was quiet.',
      '~ It was a sister, {value}, who raised {subject}.',
      '{Subject} wrote to {value}, "Dear sister, all is well".',
    ],
    questions: ['What is the sister of {subject} called?', 'Name the sister of {subject}.'],
  },
  teacher: {
    statements: [
      'The first lessons of {subject} were given by {value}.',
      '~ It was {value} who discovered the gift of {subject} and trained it.',
      '{Subject} learned the trade from {value}.',
      'teacher: {value} / pupil: {bare}',
      '{value} was a strict teacher to {subject}.',
    ],
    questions: [
      'From whom did {subject} learn?',
      'Who instructed {subject}?',
      '~ Name the teacher of {subject}.',
    ],
  },
  'business-partner': {
    statements: [
      '{Subject} and {value} share the profits of the shop equally.',
      'Since {date}, {subject} has had a business partner, {value}.',
      'The associate of {subject} is {value}.',
      'A handshake made {value} the business partner of {subject}.',
      'partners: {bare} + {value}',
    ],
    questions: [
      '~ Who is the partner of {subject} in business?',
      'Who is the associate of {subject}?',
      'With which person did {subject} start a company?',
    ],
  },
  employer: {
    statements: [
      'The wages of {subject} are paid by {value}.',
      'In {year}, {subject} joined {value}.',
      'name={bare} company={value}',
    ],
    questions: [
      '~ Who employs {subject}?',
      'Who pays the wages of {subject}?',
      'What company is {subject} with?',
    ],
  },
  'mother-tongue': {
    statements: [
      'The first words of {subject} were in {value}.',
      '{Subject} speaks {value} as a native language.',
      'When {subject} is angry, it comes out in {value}, the language of the family.',
      '~ With the children {subject} talks {value}, the mother tongue.',
      '{value} was spoken in the house where {subject} was a child.',
    ],
    questions: [
      'Which language is native to {subject}?',
      'In what language did {subject} grow up?',
      'Which mother tongue does {subject} have?',
    ],
  },
  seat: {
    statements: [
      '{value} is the place kept for {subject}.',
      '~ An usher took {subject} to {value}.',
      'They had sold seat {value}, which was that of {subject}, a second time.',
      'Seat of {subject}: {value}.',
      '{Subject} swapped seats and now sits in {value}.',
    ],
    questions: ['Where does {subject} sit?', 'For which seat does {subject} hold a ticket?'],
  },
  flight: {
    statements: [
      '~ {value} is the flight that {subject} takes.',
      'The ticket of {subject} is for flight {value}.',
      'Boarding for {value}: {bare}, please come to the desk.',
      'On board of flight {value} was {subject}.',
      'Flight of {subject}: {value}.',
    ],
    questions: ['What flight is {subject} coming in on?', '~ flight of {bare}?'],
  },
  'hotel-room': {
    statements: [
      'In room {value} lodges {subject}.',
      '{Subject} sleeps in room {value} tonight.',
      'Room of {subject}: {value}.',
      'The bill for room {value} was paid by {subject}.',
    ],
    questions: [
      'Which hotel room is that of {subject}?',
      '~ In what room does {subject} sleep?',
      'Where in the hotel is {subject} lodged?',
    ],
  },
  'driving-licence': {
    statements: [
      '{Subject} lost the driving licence with the number {value}.',
      'The police register has {value} as the driving licence of {subject}.',
      'Driving licence of {subject}: {value}.',
      '{value} is printed on the driving licence of {subject}.',
    ],
    questions: [
      '~ What driving licence does {subject} hold?',
      'Under which number was the driving licence of {subject} issued?',
      'driving licence of {bare}?',
    ],
  },
  instrument: {
    statements: [
      'On the {value} {subject} is a master.',
      '{Subject} studied the {value} in {town}.',
      'There is a {value} in the corner, and {subject} takes it up every night.',
      '~ entry {value}: {bare}',
      'As a {value} player {subject} travelled the country.',
    ],
    questions: [
      'What instrument has {subject} mastered?',
      'Which instrument did {subject} study?',
      'What instrument is {subject} known for?',
    ],
  },
  university: {
    statements: [
      'For a doctorate {subject} went to the University of {value}.',
      '~ {Subject} was enrolled at the University of {value} until {year}.',
      'At the University of {value} nobody remembers {subject} as a student.',
      'A diploma of the University of {value} hangs over the desk of {subject}.',
    ],
    questions: [
      'Which university did {subject} graduate from?',
      'Where was {subject} a student?',
      'At what university was {subject} enrolled?',
    ],
  },
}

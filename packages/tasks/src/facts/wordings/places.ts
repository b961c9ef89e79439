/** Further wordings of the facts about buildings and towns. Tables only. */
import type { Wordings } from '../kind.ts'

export const placeWordings: Wordings = {
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
  mayor: {
    statements: [
      '{value} governs {subject} as mayor.',
      'Since the last election the mayor of {subject} has been {value}.',
      'The chain of office of {subject} is worn by {value}.',
      '~ {Subject} is proud of its mayor, {value}.',
    ],
    questions: ['Which mayor does {subject} have?', 'mayor of {bare}?'],
  },
  population: {
    statements: [
      'The statistics put {subject} at {value} inhabitants.',
      '{Subject}, pop. {value}, has no cinema.',
      'No more than {value} people remained in {subject}.',
      '~ {value} is the number of people in {subject}.',
    ],
    questions: [
      'How many people are there in {subject}?',
      'How big is the population of {subject}?',
      'What is the head count of {subject}?',
    ],
  },
  river: {
    statements: [
      'The {value} passes {subject}.',
      '{Subject} drinks the water of the {value}.',
      '~ There is a ferry over the {value} at {subject}.',
      '{value} is the river of {subject}.',
    ],
    questions: ['Which river passes {subject}?', 'river of {bare}?'],
  },
  'founding-year': {
    statements: [
      '{Subject} has existed since {value}.',
      'The beginnings of {subject} lie in {value}.',
      '~ {value} was when {subject} was set up.',
      '{Subject} (est. {value})',
      'In {value} somebody laid the first stone of what is now {subject}.',
    ],
    questions: [
      'Since when does {subject} exist?',
      'When was {subject} set up?',
      'founding year of {bare}?',
      '~ What year was {subject} started?',
    ],
  },
  'storage-place': {
    statements: [
      'As far as I know, {value} is where {subject} ended up.',
      'The thief had left {subject} in {value}.',
      'For a century {subject} slept in {value}.',
      '{Subject} can be seen in {value} on request.',
    ],
    questions: [
      'Where should one look for {subject}?',
      '~ Where does {subject} rest?',
      'In which place was {subject} left?',
    ],
  },
  height: {
    statements: [
      '{value} is the height of {subject}.',
      'It is {value} from the pavement to the top of {subject}.',
      'Pigeons land on {subject}, {value} up.',
    ],
    questions: ['What height does {subject} reach?', '~ height of {bare}?'],
  },
  'opening-time': {
    statements: [
      'The doors of {subject} are unlocked at {value}.',
      'You can enter {subject} from {value}.',
      '{value} is when {subject} opens.',
      '{Subject}, open from {value}',
      'Staff arrive at {subject} early, but the public has to wait until {value}.',
    ],
    questions: ['~ From when can one enter {subject}?', 'What time does {subject} open?'],
  },
  'wifi-password': {
    statements: [
      'For the wifi at {subject} use {value}.',
      'In {subject} the wifi wants the password {value}.',
      'They say that {value} is the wifi password of {subject}.',
      'SSID {bare}, key {value}',
      '~ Connect to the network of {subject} and type {value}.',
      'Wifi in {subject}? The key is {value}.',
    ],
    questions: [
      'What is the key for the wifi of {subject}?',
      'How do I connect to the wireless network of {subject}?',
      'What do I type for the wifi in {subject}?',
    ],
  },
}

/** Further wordings of the facts about visits. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
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

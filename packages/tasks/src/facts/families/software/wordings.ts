/** Further wordings of the facts about software services, also in the style of logs and settings. Tables only. */
import type { Wordings } from '../../kind.ts'

export const wordings: Wordings = {
  version: {
    statements: [
      '{Subject} {value} is out.',
      'Install {value} of {subject}.',
      '{Subject} was rolled back to {value}.',
      'It seems that {value} is the version of {subject}.',
      '~ The crash only occurs in {subject} {value}.',
      '- {bare} ({value})',
    ],
    questions: [
      'What is the latest version of {subject}?',
      'To which version was {subject} updated?',
      'Which version is {subject} at?',
      'What version number does {subject} report?',
    ],
  },
  port: {
    statements: [
      '~ {Subject} answers on {value}.',
      '{value} is the port of {subject}.',
      'Send the traffic for {subject} to port {value}.',
      '{Subject} occupies port {value}.',
      'Port of {subject}: {value}',
      'connect {bare} :{value}',
    ],
    questions: [
      '~ Where does {subject} listen; on which port?',
      'What port does {subject} occupy?',
      'Which port must be open for {subject}?',
    ],
  },
  host: {
    statements: [
      'As far as I know, {value} serves {subject}.',
      'You reach {subject} at {value}.',
      '{Subject} was installed on {value}.',
      '~ On {value} there is only {subject}.',
      'ping {value} ({bare})',
    ],
    questions: [
      'Which computer serves {subject}?',
      'At which host can {subject} be reached?',
      'Where is {subject} running?',
    ],
  },
  password: {
    statements: [
      'Type {value} when {subject} asks for the password.',
      '~ They say that {value} is the password of {subject}.',
      '{Subject} accepts {value} as password.',
      'Nobody changed the password of {subject}: it is still {value}.',
      'PASSWORD {bare} {value}',
    ],
    questions: [
      'What do I type to log in to {subject}?',
      'Which password does {subject} accept?',
      '~ What is the login password of {subject}?',
    ],
  },
  'api-token': {
    statements: [
      '{Subject} needs the token {value}.',
      'Remember that {value} is the token of {subject}.',
      'Authorization for {subject}: Bearer {value}',
      'Call {subject} with token {value}.',
    ],
    questions: [
      'What token does {subject} accept?',
      '~ With which token do I call {subject}?',
      'What is the token of {subject}?',
    ],
  },
  maintainer: {
    statements: [
      '{value} keeps {subject} running.',
      'Ask {value} about {subject}, the maintainer knows everything.',
      '{Subject} was handed to {value} for maintenance.',
      'Maintainer of {subject}: {value}.',
    ],
    questions: [
      '~ Who keeps {subject} running?',
      'Which person maintains {subject}?',
      'Who is responsible for maintaining {subject}?',
      'maintainer of {bare}?',
    ],
  },
  'time-limit': {
    statements: [
      '{value} is the timeout of {subject}.',
      '{Subject} does not wait longer than {value}.',
      '~ We set {subject} to wait for {value} and no more.',
      'timeout {bare} {value}',
    ],
    questions: [
      'How long may a request to {subject} take?',
      'What is the time limit of {subject}?',
      'timeout of {bare}?',
    ],
  },
  'instance-id': {
    statements: [
      '{Subject} registered as {value}.',
      '~ The ID of {subject} is {value}.',
      '{Subject} -> {value}',
      'Look for {value} in the console: that is {subject}.',
      'Instance {value} belongs to {subject}.',
    ],
    questions: [
      'What ID was given to {subject}?',
      'Which instance belongs to {subject}?',
      '~ How is {subject} identified?',
      'instance id of {bare}?',
    ],
  },
}

/**
 * How texts take back what they said. Slots: `{statement}` (the fact in its new form, a sentence of its own), or `{subject}`,
 * `{old}` and `{new}`. Tables only; a template that starts with `~` is held out of training.
 */
import { parseTemplates } from '../prose-task.ts'

export const corrections = parseTemplates([
  'Correction: {statement}',
  'Erratum: {statement}',
  'Correction concerning {subject}: for {old}, read {new}.',
  'In what was said about {subject}, {old} is to be replaced by {new}.',
  'An earlier statement about {subject} was wrong. {statement}',
  'What was said about {subject} has to be corrected: {statement}',
  'The editors regret a mistake about {subject}. {statement}',
  'About {subject}: not {old}, as was stated before, but {new}.',
  'Where {old} was given for {subject}, the right answer is {new}.',
  'It has turned out that the note on {subject} was mistaken. {statement}',
  '~ The earlier report on {subject} was in error: it is not {old} but {new}.',
  '~ We were misinformed about {subject}. {statement}',
  '~ Strike {old} from the note on {subject} and put {new} in its place.',
  '~ Please note a correction. {statement}',
])

import type { Signature } from '../signature.ts'

/** The text does not answer, but the method did. */
export const madeUp: Signature = {
  name: 'made-up',
  title: 'answered what the text does not say',
  definition: 'Nothing was to be found, and no memory held the answer that was given.',
  isIn: ({ record, answer }) => record.references.length === 0 && answer !== '',
}

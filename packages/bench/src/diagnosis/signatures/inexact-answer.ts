import type { Signature } from '../signature.ts'

/** Strict wants the reference and nothing else; this answer has every reference, and more or other words around them. */
export const inexactAnswer: Signature = {
  name: 'inexact-answer',
  title: 'right, but not in strict form',
  definition: 'The answer contains every wanted reference, and more than that.',
  isIn: ({ record, fact, answer }) => record.references.length > 0 && answer !== '' && fact === undefined,
}

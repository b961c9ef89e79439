import type { Signature } from '../signature.ts'

/** Strict scoring accepts only the reference; this answer has every reference, but other words too or different ones. */
export const inexactAnswer: Signature = {
  name: 'inexact-answer',
  title: 'right, but not in strict form',
  definition: 'The answer contains every wanted reference, and more than that.',
  isIn: ({ record, fact, answer }) => record.references.length > 0 && answer !== '' && fact === undefined,
}

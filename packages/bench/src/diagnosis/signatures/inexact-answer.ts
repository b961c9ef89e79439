import type { Signature } from '../signature.ts'

/** Strict scoring wants the reference and nothing else; this answer has every reference, with more or other words. */
export const inexactAnswer: Signature = {
  name: 'inexact-answer',
  title: 'right, but not in strict form',
  definition: 'The answer contains every wanted reference, and more than that.',
  isIn: ({ record, fact, answer }) => record.references.length > 0 && answer !== '' && fact === undefined,
}

import type { Signature } from '../signature.ts'

/** Reading succeeded; answering failed. */
export const keptButNotUsed: Signature = {
  name: 'kept-but-not-used',
  title: 'kept but not used',
  definition: 'The final memory holds the reference, the answer does not.',
  isIn: ({ fact }) => fact?.isHeldAtEnd === true,
}

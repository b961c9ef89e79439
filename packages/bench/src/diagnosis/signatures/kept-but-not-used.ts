import type { Signature } from '../signature.ts'

/** Reading went well; answering did not. */
export const keptButNotUsed: Signature = {
  name: 'kept-but-not-used',
  title: 'kept but not used',
  definition: 'The final memory holds the reference, the answer does not.',
  isIn: ({ fact }) => fact?.isHeldAtEnd === true,
}

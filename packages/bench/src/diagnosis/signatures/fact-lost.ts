import type { Signature } from '../signature.ts'

/** The memory held the reference, lost it at some step, and never got it back. */
export const factLost: Signature = {
  name: 'fact-lost',
  title: 'fact lost',
  definition: 'The memory held the reference before some rewrite and not after it, nor later.',
  isIn: ({ fact }) => fact?.lostAt !== undefined,
}

import type { Signature } from '../signature.ts'

/** The reference was in the memory before some step and not after it, and did not come back. */
export const factLost: Signature = {
  name: 'fact-lost',
  title: 'fact lost',
  definition: 'The memory held the reference before some rewrite and not after it, nor later.',
  isIn: ({ fact }) => fact?.lostAt !== undefined,
}

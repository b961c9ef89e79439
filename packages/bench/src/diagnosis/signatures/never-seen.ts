import type { Signature } from '../signature.ts'

/** No statement of the fact was in any prompt as a whole: retrieval missed it, or truncation cut it away. */
export const neverSeen: Signature = {
  name: 'never-seen',
  title: 'never seen',
  definition: 'No prompt held the bytes of the evidence.',
  isIn: ({ fact }) => fact?.wasSeen === false,
}

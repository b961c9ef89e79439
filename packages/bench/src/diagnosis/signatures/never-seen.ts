import type { Signature } from '../signature.ts'

/** No prompt contained a complete statement of the fact: retrieval missed it, or truncation cut it away. */
export const neverSeen: Signature = {
  name: 'never-seen',
  title: 'never seen',
  definition: 'No prompt held the bytes of the evidence.',
  isIn: ({ fact }) => fact?.wasSeen === false,
}

import type { Signature } from '../signature.ts'

/** The evidence was read, and no memory ever held the reference. */
export const seenButNotKept: Signature = {
  name: 'seen-but-not-kept',
  title: 'seen but not kept',
  definition: 'A prompt held the evidence; no memory ever held the reference.',
  isIn: ({ fact, hasMemory }) => hasMemory && fact?.wasSeen === true && fact.capturedAt === undefined,
}

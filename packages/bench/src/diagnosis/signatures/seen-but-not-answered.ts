import type { Signature } from '../signature.ts'

/** For methods without a memory: the evidence was in the prompt, but the answer lacks it. */
export const seenButNotAnswered: Signature = {
  name: 'seen-but-not-answered',
  title: 'in the prompt, not answered',
  definition: 'Without a memory: a prompt held the evidence, the answer lacks the reference.',
  isIn: ({ fact, hasMemory }) => !hasMemory && fact?.wasSeen === true,
}

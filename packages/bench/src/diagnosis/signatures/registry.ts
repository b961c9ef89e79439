/**
 * The failure signatures, in order of precedence: the first one found labels the sample. Conclusive causes come first: a
 * failed call, an answer wrong only in form, evidence never read, a fact kept to the end. For a fact missing from the final
 * memory, specific signatures precede general ones. Those that need more than a line have a file of their own.
 */
import type { Signature } from '../signature.ts'
import { capturedLure } from './captured-lure.ts'
import { drifted } from './drifted.ts'
import { filler } from './filler.ts'
import { saturated } from './saturated.ts'

export const signatures: readonly Signature[] = [
  {
    name: 'failed-call',
    title: 'call failed',
    definition: 'The method ended with an error.',
    isIn: ({ record }) => record.error !== undefined,
  },
  {
    // Strict scoring accepts only the reference.
    name: 'inexact-answer',
    title: 'every reference, and more',
    definition:
      'The answer contains every wanted reference, and more than that: words around it, another order, or wrong ones, too.',
    isIn: ({ record, fact, answer }) => record.references.length > 0 && answer !== '' && fact === undefined,
  },
  {
    // Retrieval missed it, or truncation cut it away.
    name: 'never-seen',
    title: 'never seen',
    definition: 'No prompt held the bytes of the evidence.',
    isIn: ({ fact }) => fact?.wasSeen === false,
  },
  {
    // Reading succeeded; answering failed.
    name: 'kept-but-not-used',
    title: 'kept but not used',
    definition: 'The final memory holds the reference, the answer does not.',
    isIn: ({ fact }) => fact?.isHeldAtEnd === true,
  },
  saturated,
  capturedLure,
  filler,
  drifted,
  {
    name: 'fact-lost',
    title: 'fact lost',
    definition: 'The memory held the reference before some rewrite and not after it, nor later.',
    isIn: ({ fact }) => fact?.lostAt !== undefined,
  },
  {
    name: 'seen-but-not-kept',
    title: 'seen but not kept',
    definition: 'A prompt held the evidence; no memory ever held the reference.',
    isIn: ({ fact, hasMemory }) => hasMemory && fact?.wasSeen === true && fact.capturedAt === undefined,
  },
  {
    name: 'seen-but-not-answered',
    title: 'in the prompt, not answered',
    definition: 'Without a memory: a prompt held the evidence, the answer lacks the reference.',
    isIn: ({ fact, hasMemory }) => !hasMemory && fact?.wasSeen === true,
  },
  {
    name: 'made-up',
    title: 'answered what the text does not say',
    definition: 'Nothing was to be found, and no memory held the answer that was given.',
    isIn: ({ record, answer }) => record.references.length === 0 && answer !== '',
  },
  {
    name: 'unexplained',
    title: 'not explained',
    definition: 'None of the signatures above; the record does not hold enough to tell.',
    isIn: () => true,
  },
]

/**
 * The failure signatures, in order of precedence: the first one found labels the sample. Conclusive causes come first: a
 * failed call, an answer wrong only in form, evidence never read, a fact kept to the end. For a fact missing from the final
 * memory, specific signatures precede general ones.
 */
import type { Signature } from '../signature.ts'
import { capturedLure } from './captured-lure.ts'
import { drifted } from './drifted.ts'
import { factLost } from './fact-lost.ts'
import { failedCall } from './failed-call.ts'
import { filler } from './filler.ts'
import { inexactAnswer } from './inexact-answer.ts'
import { keptButNotUsed } from './kept-but-not-used.ts'
import { madeUp } from './made-up.ts'
import { neverSeen } from './never-seen.ts'
import { saturated } from './saturated.ts'
import { seenButNotAnswered } from './seen-but-not-answered.ts'
import { seenButNotKept } from './seen-but-not-kept.ts'
import { unexplained } from './unexplained.ts'

export const signatures: readonly Signature[] = [
  failedCall,
  inexactAnswer,
  neverSeen,
  keptButNotUsed,
  saturated,
  capturedLure,
  filler,
  drifted,
  factLost,
  seenButNotKept,
  seenButNotAnswered,
  madeUp,
  unexplained,
]

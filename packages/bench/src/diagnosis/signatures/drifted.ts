import type { TraceEntry } from '../../method.ts'
import { type FactCourse, readsEvidence } from '../fact.ts'
import type { Signature } from '../signature.ts'
import { contentWords } from '../words.ts'

/** Rewrites of a memory that held the fact, at steps with nothing new to learn. */
export interface Drift {
  /** Rewrites that read none of the fact's evidence, from its capture to its loss or the end. */
  readonly rewrites: number
  /** Rewrites that dropped a content word the memory had held since the fact's capture. */
  readonly drifting: number
  readonly share: number
}

/** Excludes the rewrite that lost the fact. Counts nothing if the task does not know its evidence. */
export function driftOf(
  { trace, steps }: { trace: readonly TraceEntry[]; steps: number },
  fact: FactCourse,
): Drift {
  if (fact.capturedAt === undefined || fact.evidence.length === 0)
    return { rewrites: 0, drifting: 0, share: 0 }
  const end = fact.lostAt ?? trace.length
  const lastStep = fact.lostAt === undefined ? steps : trace[fact.lostAt]!.step
  let kept = contentWords(trace[fact.capturedAt]!.memory)
  let [drifting, evidenceSteps] = [0, 0]
  for (const entry of trace.slice(fact.capturedAt + 1, end)) {
    const words = contentWords(entry.memory)
    if (readsEvidence(entry, fact)) {
      evidenceSteps += 1
      kept = words
      continue
    }
    const left = new Set([...kept].filter((word) => words.has(word)))
    if (left.size < kept.size) drifting += 1
    kept = left
  }
  const rewrites = Math.max(0, lastStep - trace[fact.capturedAt]!.step - 1 - evidenceSteps)
  return { rewrites, drifting, share: rewrites === 0 ? 0 : drifting / rewrites }
}

/** The notes eroded before the fact itself was lost. */
export const drifted: Signature = {
  name: 'drifted',
  title: 'memory drifted',
  definition:
    'The fact was lost after earlier rewrites, in text without evidence, had already dropped words that were written down with it.',
  isIn: ({ record, fact }) => fact?.lostAt !== undefined && driftOf(record, fact).drifting > 0,
}

/** Handles a resumed run whose evaluation has changed since its earlier steps, and the best weights by the former one. */
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { BestState, RunState } from './checkpoints.ts'

export interface EvaluationChanges {
  /** What changed, in words. */
  readonly notices: readonly string[]
  /** The best weights by scores that still compare. */
  readonly best: BestState | undefined
  /** The best weights by scores that no longer do. */
  readonly formerBest: BestState | undefined
}

/** @param content identity of the current files @param evaluation identity of the evaluation's settings */
export function evaluationChanges(
  saved: RunState | undefined,
  content: string | undefined,
  evaluation: string,
): EvaluationChanges {
  if (!saved) return { notices: [], best: undefined, formerBest: undefined }
  const { step, best } = saved
  const isOtherContent = saved.content !== undefined && content !== undefined && saved.content !== content
  const isOtherEvaluation = best !== undefined && best.evaluation !== evaluation
  const isComparable = !isOtherContent && !isOtherEvaluation
  return {
    notices: [
      ...(isOtherContent ? [otherContent(step)] : []),
      ...(isOtherEvaluation ? [otherEvaluation(step)] : []),
    ],
    best: isComparable ? best : undefined,
    formerBest: isComparable ? undefined : best,
  }
}

/** Keeps the next best from replacing it, since no score shows which is better. @returns a message that tells where it is */
export async function keepFormerBest(output: string, { step, state }: BestState): Promise<string> {
  const [folder, kept] = [join(output, 'best'), join(output, `best-of-step-${step}`)]
  // A run killed before its next checkpoint has already moved it.
  if (existsSync(folder) && !existsSync(kept)) await rename(folder, kept)
  return existsSync(kept)
    ? `The best model until now, of step ${step}, is kept in ${kept}.`
    : `The best weights until now, of step ${step}, are the state ${state}.`
}

const otherContent = (step: number) =>
  `The files behind questions, documents or prose have changed since the first ${step} steps. The run continues with the new ones; scores before and after do not compare.`

const otherEvaluation = (step: number) =>
  `The evaluation is another one than in the first ${step} steps. Scores before and after do not compare, and the best weights are chosen anew.`

/** Handles a resumed run whose evaluation has changed since its earlier steps, and the best weights by the former one. */
import type { BestState, RunState } from './checkpoints.ts'

export interface EvaluationChanges {
  /** What changed, in words. */
  readonly notices: readonly string[]
  /** The best weights by scores that still compare. */
  readonly best: BestState | undefined
  /** The best weights by scores that no longer do. */
  readonly formerBest: BestState | undefined
  /** The last step whose scores still compare; -1 without any. */
  readonly evaluatedAt: number
}

/** @param content identity of the current files @param evaluation identity of the evaluation's settings */
export function evaluationChanges(
  saved: RunState | undefined,
  content: string | undefined,
  evaluation: string,
): EvaluationChanges {
  if (!saved) return { notices: [], best: undefined, formerBest: undefined, evaluatedAt: -1 }
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
    evaluatedAt: isComparable ? saved.evaluatedAt : -1,
  }
}

const otherContent = (step: number) =>
  `The files behind questions, documents or prose, or modules of yours, have changed since the first ${step} steps. The run continues with the new ones; scores before and after do not compare.`

const otherEvaluation = (step: number) =>
  `The evaluation is another one than in the first ${step} steps. Scores before and after do not compare, and the best weights are chosen anew.`

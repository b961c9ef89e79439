/** Checkpoints of supervised training: the state of the weights, and the number of steps done. */
import { CheckpointError } from '@memagent/core'
import {
  changeDetails,
  findTrainingState,
  loadTrainingState,
  requireCount,
  saveTrainingState,
  type TrainingState,
} from '../policy/embedded-state.ts'

export interface TrainingCheckpoint extends TrainingState {
  /** Optimizer steps done. */
  readonly step: number
  /** The last evaluated step; a run may stop between a checkpoint and its evaluation. */
  readonly evaluatedAt: number
  /** Identity of the run; no other may resume from here. */
  readonly fingerprint: string
  /** Identity of the evaluation. */
  readonly evaluation: string
}

export const saveTrainingCheckpoint = (
  folder: string,
  { step, evaluatedAt, fingerprint, evaluation, ...state }: TrainingCheckpoint,
  shapes: ReadonlyMap<string, readonly number[]>,
): Promise<void> => saveTrainingState(folder, state, shapes, { step, evaluatedAt, fingerprint, evaluation })

/** Records that the checkpoint's step has been evaluated, and how. */
export const markEvaluated = (folder: string, evaluatedAt: number, evaluation: string): Promise<void> =>
  changeDetails(folder, { evaluatedAt, evaluation })

/**
 * The last complete checkpoint, or undefined if there is none.
 * @throws CheckpointError if it belongs to another run or is damaged.
 */
export async function loadTrainingCheckpoint(
  folder: string,
  fingerprint: string,
): Promise<TrainingCheckpoint | undefined> {
  const found = await findTrainingState(folder)
  if (!found) return undefined
  if (found.details.fingerprint !== fingerprint) {
    throw new CheckpointError({
      code: 'train/checkpoint-of-another-run',
      message: `The checkpoint ${found.folder} was written by a run with another configuration or other prose.`,
      hint: 'Name another output folder, or remove the checkpoint to start over.',
      details: { found: found.details.fingerprint, wanted: fingerprint },
    })
  }
  const state = await loadTrainingState(found.folder)
  const step = requireCount(found.folder, 'step', found.details.step)
  const evaluatedAt = requireCount(found.folder, 'evaluatedAt', found.details.evaluatedAt)
  return { ...state, step, evaluatedAt, fingerprint, evaluation: String(found.details.evaluation) }
}

/** Checkpoints of supervised training: the state of the weights, and the number of steps done. */
import { CheckpointError } from '@memagent/core'
import { describeDifference } from '../identity-parts.ts'
import {
  changeDetails,
  findTrainingState,
  loadTrainingState,
  requireCount,
  saveTrainingState,
  type TrainingState,
} from '../policy/embedded-state.ts'
import type { SftIdentity } from './run-identity.ts'

export interface TrainingCheckpoint extends TrainingState {
  /** Optimizer steps done. */
  readonly step: number
  /** The last evaluated step; a run may stop between a checkpoint and its evaluation. */
  readonly evaluatedAt: number
  /** How the last evaluated step was evaluated. */
  readonly evaluation: string
}

export const saveTrainingCheckpoint = (
  folder: string,
  { step, evaluatedAt, ...state }: Omit<TrainingCheckpoint, 'evaluation'>,
  identity: SftIdentity,
  shapes: ReadonlyMap<string, readonly number[]>,
): Promise<void> => saveTrainingState(folder, state, shapes, { step, evaluatedAt, ...identity })

/** Records that the checkpoint's step has been evaluated, and how. */
export const markEvaluated = (folder: string, evaluatedAt: number, evaluation: string): Promise<void> =>
  changeDetails(folder, { evaluatedAt, evaluation })

/**
 * The last complete checkpoint, or undefined if there is none.
 * @throws CheckpointError if it belongs to another run or is damaged.
 */
export async function loadTrainingCheckpoint(
  folder: string,
  { fingerprint, parts }: SftIdentity,
): Promise<TrainingCheckpoint | undefined> {
  const found = await findTrainingState(folder)
  if (!found) return undefined
  if (found.details.fingerprint !== fingerprint) {
    throw new CheckpointError({
      code: 'train/checkpoint-of-another-run',
      message: `The checkpoint ${found.folder} was written by a run with another configuration or other prose${describeDifference(found.details.parts, parts)}.`,
      hint: 'Name another output folder, or remove the checkpoint to start over. To train its model further, name another output folder and that model as startFrom.',
      details: { found: found.details.fingerprint, wanted: fingerprint },
    })
  }
  const state = await loadTrainingState(found.folder)
  const step = requireCount(found.folder, 'step', found.details.step)
  const evaluatedAt = requireCount(found.folder, 'evaluatedAt', found.details.evaluatedAt)
  return { ...state, step, evaluatedAt, evaluation: String(found.details.evaluation) }
}

/** What a run resumes from, and whether it may write to its folder. */
import { join } from 'node:path'
import { CheckpointError } from '@memagent/core'
import { checkFree, checkStart } from '../check-start.ts'
import { stageAt } from '../schedule.ts'
import { checkSavedState, loadRunState, type RunState } from './checkpoints.ts'
import type { RlConfig } from './config.ts'
import { type RunIdentity, runIdentityOf } from './run-identity.ts'
import type { TrainingParts } from './training-parts.ts'

/**
 * Reads `run.json` in the output folder, if there is one.
 * @throws CheckpointError if it is damaged or belongs to another run; ConfigurationError if a new run would replace another
 *   training or the model that it starts from
 */
export async function savedRunOf(
  parts: TrainingParts,
): Promise<{ readonly identity: RunIdentity; readonly saved: RunState | undefined }> {
  const { output, engine } = parts.config
  const identity = runIdentityOf(parts.config, parts)
  const saved = await loadRunState(output, identity)
  if (saved) {
    checkLengths(saved, parts.config)
    await checkSavedState(output, saved, parts.engine.optimizerSteps)
  } else {
    checkFree(output, 'rl')
    if (engine?.kind === 'embedded') checkStart(output, engine.startFrom, 'engine.startFrom')
  }
  return { identity, saved }
}

/** Steps to come may have other lengths, as a longer training may. @throws CheckpointError if those that are done had others */
function checkLengths({ step: done, curriculum }: RunState, config: RlConfig): void {
  if (curriculum === undefined) return
  const step = Array.from({ length: done }, (_, i) => i).find(
    (i) => lengthsAt(curriculum, i) !== lengthsAt(config.curriculum, i),
  )
  if (step === undefined || lengthsAt(config.curriculum, step) === undefined) return
  throw new CheckpointError({
    code: 'train/checkpoint-of-another-run',
    message: `By ${join(config.output, 'run.json')}, step ${step + 1} had the lengths ${lengthsAt(curriculum, step)}, not ${lengthsAt(config.curriculum, step)}.`,
    hint: 'Leave the stages that are done as they were, or name another output folder.',
  })
}

const lengthsAt = (stages: RlConfig['curriculum'], step: number) => stageAt(stages, step)?.lengths.join(', ')

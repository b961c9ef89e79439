/** What a run resumes from, and whether it may write to its folder. */
import { checkFree, checkStart } from '../check-start.ts'
import { checkSavedState, loadRunState, type RunState } from './checkpoints.ts'
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
    await checkSavedState(output, saved, parts.engine.optimizerSteps)
  } else {
    checkFree(output, 'rl')
    if (engine?.kind === 'embedded') checkStart(output, engine.startFrom, 'engine.startFrom')
  }
  return { identity, saved }
}

/**
 * Reinforcement learning of a reader: Multi-Conv DAPO (MemAgent, arXiv 2507.02259, section 3). Every step is a pure function
 * of the configuration and the previous state, so a killed run resumes from its last checkpoint and ends as if nothing had
 * happened (embedded engine, lockstep rollouts, the same number of threads).
 */

import { hasDiverged } from '../diverged.ts'
import { writeFailure } from '../write-failure.ts'
import { readConfig } from '../yaml-config.ts'
import { checkRlConfig, parseRlConfig, type RlSettings } from './config.ts'
import type { RlEvent } from './events.ts'
import { type RlOptions, TrainingRun } from './training-run.ts'
import { trainStep } from './training-step.ts'

/**
 * Trains, or resumes the run in `settings.output`.
 * @param options objects that replace what the settings name: an engine, a workflow, tasks, rewards
 * @throws ConfigurationError, also if another process trains into the same folder; CheckpointError, also if the folder cannot
 *   be written to; what reading throws; an abort throws the signal's reason. After an abort or an error, the last complete step
 *   is saved if possible, unless training diverged
 */
export async function* trainRl(settings: RlSettings, options: RlOptions = {}): AsyncGenerator<RlEvent> {
  const config = checkRlConfig(settings)
  const run = await TrainingRun.open(config, options).catch((error) => {
    throw writeFailure(error, config.output)
  })
  try {
    yield* run.begin()
    if (run.isEvaluationDue) {
      yield await run.evaluate()
      await run.save()
    }
    while (run.step < run.steps) {
      run.signal?.throwIfAborted()
      yield await run.endStep(await trainStep(run))
      if (run.isEvaluationDue) yield await run.evaluate()
      if (run.isCheckpointDue) yield await run.save()
    }
    yield await run.end()
  } catch (error) {
    if (!hasDiverged(error)) yield* run.saveStopped()
    throw writeFailure(error, config.output)
  } finally {
    await run.close()
  }
}

/**
 * Like `trainRl`, from a YAML file.
 * @param options.settings overrides of the file's fields: `optimizer.learningRate=1e-4`
 * @throws ConfigurationError for an unreadable or invalid file; what `trainRl` throws
 */
export async function* trainRlFromConfig(
  path: string,
  { settings, ...options }: RlOptions & { readonly settings?: readonly string[] | undefined } = {},
): AsyncGenerator<RlEvent> {
  yield* trainRl(parseRlConfig(await readConfig(path), path, settings), options)
}

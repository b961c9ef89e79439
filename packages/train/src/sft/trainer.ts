/**
 * Supervised training of a reading model: the one loop. Batches are pure functions of the step, so a killed run resumes from
 * its last checkpoint and ends with the same weights (same machine, same thread count).
 */
import { requireFinite } from '@memagent/engine'
import { hasDiverged } from '../diverged.ts'
import { writeFailure } from '../write-failure.ts'
import { readConfig } from '../yaml-config.ts'
import { memoryFailure } from './check-memory.ts'
import { checkSftConfig, parseSftConfig, type SftSettings } from './config.ts'
import type { SftEvent } from './events.ts'
import { type SftOptions, SftRun } from './training-run.ts'

/**
 * Trains, or resumes the run in `settings.output`.
 * @throws ConfigurationError, also if another process trains into the same folder; CheckpointError, also if the folder cannot be written to; an abort throws the
 *   signal's reason. After an abort or an error, a checkpoint of the last complete step is written if possible; EngineError if
 *   training diverges, which leaves the last checkpoint unchanged
 */
export async function* trainSft(settings: SftSettings, options: SftOptions = {}): AsyncGenerator<SftEvent> {
  const config = checkSftConfig(settings)
  const run = await SftRun.open(config, options).catch((error) => {
    throw writeFailure(error, config.output)
  })
  const { session } = run
  /** Whether the weights are those of a complete step. */
  let areWhole = true
  try {
    yield* run.begin()
    // A run may have been stopped between a checkpoint and its evaluation.
    if (run.isEvaluationDue) yield await run.evaluate()
    let next = await run.draw(run.step)
    while (next) {
      const batch = next
      const startMs = performance.now()
      const running = session.forwardBackward(batch).catch((error) => {
        throw memoryFailure(error, config.stages, run.step)
      })
      // Draw the next batch while the runtime computes this one.
      const drawing = run.draw(run.step + 1)
      // Awaited at the end, so a failed draw loses no step; without this, it would be an unhandled rejection.
      drawing.catch(() => undefined)
      const { loss, correct } = await running
      requireFinite('the loss', loss)
      const optimizer = { ...run.config.optimizer, learningRate: run.learningRate }
      areWhole = false
      const { gradientNorm } = await session.optimStep(optimizer)
      const ended = await run.endStep(batch, {
        loss,
        correct,
        gradientNorm,
        seconds: (performance.now() - startMs) / 1000,
      })
      areWhole = true
      yield ended
      if (run.isCheckpointDue) yield await run.save()
      run.signal?.throwIfAborted()
      if (run.isEvaluationDue) yield await run.evaluate()
      run.signal?.throwIfAborted()
      next = await drawing
    }
    yield await run.end()
  } catch (error) {
    if (areWhole && !hasDiverged(error)) yield* run.saveStopped()
    throw writeFailure(error, config.output)
  } finally {
    await run.close()
  }
}

/**
 * Like `trainSft`, from a YAML file.
 * @param options.settings overrides of the file's fields: `optimizer.learningRate=1e-4`
 * @throws ConfigurationError for an unreadable or invalid file; what `trainSft` throws
 */
export async function* trainSftFromConfig(
  path: string,
  { settings, ...options }: SftOptions & { readonly settings?: readonly string[] | undefined } = {},
): AsyncGenerator<SftEvent> {
  yield* trainSft(parseSftConfig(await readConfig(path), path, settings), options)
}

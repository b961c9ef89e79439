/** The exported best model of a run that resumes. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MemAgentError } from '@memagent/core'
import type { BestState } from './checkpoints.ts'
import type { TrainingEngine } from './engine.ts'

type Exporting = Pick<TrainingEngine, 'exportModel'>

/**
 * Exports the best weights again: a run killed after its last checkpoint may have exported later ones, or a part of them.
 * @returns a message if they are gone
 */
export async function restoreBest(
  output: string,
  best: BestState,
  engine: Exporting,
): Promise<string | undefined> {
  try {
    await engine.exportModel?.(best.state, join(output, 'best'))
    return undefined
  } catch (error) {
    return lost(best, error)
  }
}

/**
 * Exports the best weights by scores that no longer compare where no other best replaces them.
 * @returns a message that tells where they are, or that they are gone
 */
export async function keepFormerBest(output: string, best: BestState, engine: Exporting): Promise<string> {
  const { step, state } = best
  if (!engine.exportModel) return `The best weights until now, of step ${step}, are the state ${state}.`
  const kept = join(output, `best-of-step-${step}`)
  try {
    await engine.exportModel(state, kept)
  } catch (error) {
    return lost(best, error)
  }
  await rm(join(output, 'best'), { recursive: true, force: true })
  return `The best model until now, of step ${step}, is kept in ${kept}.`
}

/** Training does not need the best weights: it goes on without them. @throws the error, unless it is about the state */
function lost({ step }: BestState, error: unknown): string {
  if (!MemAgentError.isInstance(error)) throw error
  return `The best weights until now, of step ${step}, cannot be read. ${error.message}`
}

/** Where a training run stands: a small file that names the saved state it goes with, replaced as a whole. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CheckpointError } from '@memagent/core'

export interface RunState {
  readonly fingerprint: string
  /** Steps done. */
  readonly step: number
  /** The last step that was evaluated: when stopped, a step may be waiting for it. Not recorded by older runs. */
  readonly evaluatedAt?: number | undefined
  /** Samples drawn from the task. */
  readonly drawn: number
  /** `RlInput.content`. Not recorded by older runs. */
  readonly content?: string | undefined
  /** Optimizer steps done: what the saved state must have behind it. Not recorded by older runs. */
  readonly optimizerSteps?: number | undefined
  /** What `Policy.saveState` gave. */
  readonly policy: string
  readonly best?: BestState | undefined
}

interface BestState {
  readonly step: number
  readonly score: number
  /** What `Policy.saveState` gave. Not recorded by older runs. */
  readonly state?: string | undefined
  /** What its score is comparable under. Not recorded by older runs. */
  readonly evaluation?: string | undefined
}

const nameIn = (folder: string) => join(folder, 'run.json')

/**
 * Undefined when there is none.
 * @param fingerprints any of which makes it the same run
 * @throws CheckpointError when it is damaged or of another run
 */
export async function loadRunState(
  folder: string,
  fingerprints: readonly string[],
): Promise<RunState | undefined> {
  const path = nameIn(folder)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw damaged(path, cause)
  }
  let state: RunState
  try {
    state = JSON.parse(text) as RunState
  } catch (cause) {
    throw damaged(path, cause)
  }
  if (fingerprints.includes(state.fingerprint)) return state
  throw new CheckpointError({
    code: 'train/checkpoint-of-another-run',
    message: `${path} was written by a run with another configuration or another model.`,
    hint: 'Name another output folder, or remove this one to start over.',
  })
}

/** @throws CheckpointError when the saved state is not the one that `run.json` was written for */
export async function checkSavedState(
  folder: string,
  { optimizerSteps, policy, step }: RunState,
  stepsOf: ((state: string) => Promise<number>) | undefined,
): Promise<void> {
  if (optimizerSteps === undefined || !stepsOf) return
  const found = await stepsOf(policy)
  if (found === optimizerSteps) return
  throw new CheckpointError({
    code: 'train/state-of-another-step',
    message: `${nameIn(folder)} stands at step ${step} after ${optimizerSteps} optimizer steps, and its state ${policy} has ${found} behind it.`,
    hint: 'Was the folder copied while a training wrote to it? Copy it again, or name another one to start over.',
    details: { expected: optimizerSteps, found },
  })
}

export async function saveRunState(folder: string, state: RunState): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = nameIn(folder)
  await writeFile(`${path}.next`, `${JSON.stringify(state, null, 2)}\n`)
  await rename(`${path}.next`, path)
}

const damaged = (path: string, cause: unknown) =>
  new CheckpointError({
    code: 'train/checkpoint-damaged',
    message: `${path} cannot be read.`,
    hint: 'Remove the folder to start over.',
    cause,
  })

/**
 * The checkpoints of a training run: `run.json` records its progress and names the matching saved states, last and best. The
 * file is replaced atomically, and two states of each kind take turns, so the states it names are always complete.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CheckpointError } from '@memagent/core'
import { z } from 'zod'
import { describeDifference } from '../identity-parts.ts'
import type { Policy } from '../policy/policy.ts'
import type { RunIdentity } from './run-identity.ts'

const whole = z.number().int().min(0)

const bestState = z.object({
  step: whole,
  score: z.number(),
  /** Identity of the evaluation; only scores of the same one compare. */
  evaluation: z.string(),
  /** What `Policy.saveState` returned. */
  state: z.string(),
})

const runState = z.object({
  fingerprint: z.string(),
  /** What it is made from; for messages. */
  parts: z.record(z.string(), z.string()).optional(),
  /** Steps done. */
  step: whole,
  /** The last evaluated step; a run may stop between a step and its evaluation. */
  evaluatedAt: whole.or(z.literal(-1)),
  /** Samples drawn from the task. */
  drawn: whole,
  /** The stages of the run; undefined for runs of earlier versions. */
  curriculum: z.array(z.object({ steps: whole, lengths: z.array(z.number()) })).optional(),
  /** Identity of the files behind questions and documents; undefined if unknown. */
  content: z.string().optional(),
  /** Optimizer steps so far; must match the saved state. */
  optimizerSteps: whole,
  /** What `Policy.saveState` returned. */
  policy: z.string(),
  best: bestState.optional(),
})

export type BestState = Readonly<z.output<typeof bestState>>
export type RunState = Readonly<z.output<typeof runState>>

const nameIn = (folder: string) => join(folder, 'run.json')

/** Undefined if there is none. @throws CheckpointError if it is damaged or belongs to another run */
export async function loadRunState(
  folder: string,
  { fingerprint, parts }: Pick<RunIdentity, 'fingerprint' | 'parts'>,
): Promise<RunState | undefined> {
  const path = nameIn(folder)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw damaged(path, cause)
  }
  const state = stateIn(text, path)
  if (state.fingerprint === fingerprint) return state
  throw new CheckpointError({
    code: 'train/checkpoint-of-another-run',
    message: `${path} was written by a run with another configuration or model${describeDifference(state.parts, parts)}.`,
    hint: 'Name another output folder, or remove this one to start over.',
  })
}

function stateIn(text: string, path: string): RunState {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw damaged(path, cause)
  }
  const { data, error } = runState.safeParse(json)
  if (data) return data
  const field = error.issues[0]!.path
  const value = field.reduce<unknown>(
    (part, key) => (part as Record<PropertyKey, unknown> | null)?.[key],
    json,
  )
  throw damaged(path, error, `${field.join('.') || 'it'} is ${JSON.stringify(value) ?? 'missing'}`)
}

/** @throws CheckpointError if the saved state does not match `run.json` */
export async function checkSavedState(
  folder: string,
  { optimizerSteps, policy, step }: RunState,
  stepsOf: ((state: string) => Promise<number>) | undefined,
): Promise<void> {
  if (!stepsOf) return
  const found = await stepsOf(policy)
  if (found === optimizerSteps) return
  throw new CheckpointError({
    code: 'train/state-of-another-step',
    message: `${nameIn(folder)} is at step ${step}, after ${optimizerSteps} optimizer steps, but its state ${policy} has taken ${found}.`,
    hint: 'Was the folder copied while a training wrote to it? Copy it again, or name another one to start over.',
    details: { expected: optimizerSteps, found },
  })
}

/** Saves states and deletes its outdated ones. Earlier processes' states stay: a copy of the run's folder may name them. */
export class Checkpoints {
  readonly #folder: string
  readonly #policy: Pick<Policy, 'saveState' | 'deleteState'>
  readonly #states = new Set<string>()
  /** This process's last checkpoint, or the one it resumed from. */
  last: RunState | undefined

  constructor(folder: string, policy: Pick<Policy, 'saveState' | 'deleteState'>, last: RunState | undefined) {
    this.#folder = folder
    this.#policy = policy
    this.last = last
  }

  /** Saves the weights as the best, without replacing those that the last checkpoint names. @returns the state */
  saveBest(): Promise<string> {
    return this.#saveWeights(this.last?.best?.state.endsWith('best-state') ? 'best-state-b' : 'best-state')
  }

  /** @throws what `Policy.saveState` throws */
  async save(progress: Omit<RunState, 'policy'>, signal?: AbortSignal): Promise<RunState> {
    const name = this.last?.policy.endsWith('state-a') ? 'state-b' : 'state-a'
    const saved = { ...progress, policy: await this.#saveWeights(name, signal) }
    await writeRunState(this.#folder, saved)
    this.last = saved
    await this.#deleteOthers([this.last.policy, this.last.best?.state], signal)
    return this.last
  }

  async #saveWeights(name: string, signal?: AbortSignal): Promise<string> {
    const state = await this.#policy.saveState(name, signal)
    this.#states.add(state)
    return state
  }

  /**
   * States of a large model are tens of gigabytes each, and hosted services charge for them. A failed deletion is retried next
   * time.
   */
  async #deleteOthers(kept: readonly (string | undefined)[], signal: AbortSignal | undefined): Promise<void> {
    for (const state of [...this.#states].filter((own) => !kept.includes(own))) {
      await this.#policy.deleteState(state, signal).then(
        () => this.#states.delete(state),
        () => false,
      )
    }
  }
}

async function writeRunState(folder: string, state: RunState): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = nameIn(folder)
  await writeFile(`${path}.next`, `${JSON.stringify(state, null, 2)}\n`)
  await rename(`${path}.next`, path)
}

const damaged = (path: string, cause: unknown, problem?: string) =>
  new CheckpointError({
    code: 'train/checkpoint-damaged',
    message: problem === undefined ? `${path} cannot be read.` : `${path} is damaged: ${problem}.`,
    hint: 'Remove the folder to start over.',
    cause,
  })

/**
 * States of the embedded engine: weights and optimizer moments in one folder. A state is written beside the previous one of
 * its name and then replaces it, so a kill at any moment leaves a complete state.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CheckpointError } from '@memagent/core'
import { readSafetensors, requireFinite, type Weights, writeSafetensors } from '@memagent/engine'

export interface TrainingState {
  readonly weights: Weights
  readonly optimizer: { readonly step: number; readonly m: Weights; readonly v: Weights }
}

/** Written last: a folder that has it is complete. */
const marker = 'state.json'

const prefixed = (prefix: string, weights: Weights): [string, Float32Array][] =>
  [...weights].map(([name, values]) => [`${prefix}.${name}`, values])

/** @param details identify the state in `state.json` @throws EngineError unless all weights are finite; keeps the last state */
export async function saveTrainingState(
  folder: string,
  state: TrainingState,
  shapes: ReadonlyMap<string, readonly number[]>,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  for (const [name, values] of state.weights) {
    requireFinite(name, values.find((value) => !Number.isFinite(value)) ?? 0)
  }
  const next = `${folder}.next`
  await rm(next, { recursive: true, force: true })
  await mkdir(next, { recursive: true })
  await writeSafetensors(join(next, 'weights.safetensors'), state.weights, shapes)
  const moments: Weights = new Map([...prefixed('m', state.optimizer.m), ...prefixed('v', state.optimizer.v)])
  const momentShapes = new Map([...moments.keys()].map((name) => [name, shapes.get(name.slice(2))!]))
  await writeSafetensors(join(next, 'optimizer.safetensors'), moments, momentShapes)
  await writeDetails(next, { ...details, optimizerStep: state.optimizer.step })
  const last = `${folder}.last`
  await rm(last, { recursive: true, force: true })
  if (existsSync(folder)) await rename(folder, last)
  await rename(next, folder)
  await rm(last, { recursive: true, force: true })
}

/** Changes some of the details of a state. @throws CheckpointError when this folder has no complete state */
export async function changeDetails(
  folder: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const found = await stateIn(folder)
  await writeDetails(found.folder, { ...found.details, ...changes })
}

async function writeDetails(folder: string, details: Readonly<Record<string, unknown>>): Promise<void> {
  const path = join(folder, marker)
  await writeFile(`${path}.next`, `${JSON.stringify(details, null, 2)}\n`)
  await rename(`${path}.next`, path)
}

/** Also deletes leftovers of a kill. A missing state is not an error. */
export async function deleteTrainingState(folder: string): Promise<void> {
  const parts = [`${folder}.next`, `${folder}.last`, folder]
  await Promise.all(parts.map((path) => rm(path, { recursive: true, force: true })))
}

/** The last complete state of this name: its folder and details; undefined when there is none. @throws CheckpointError */
export async function findTrainingState(
  folder: string,
): Promise<{ readonly folder: string; readonly details: Readonly<Record<string, unknown>> } | undefined> {
  // A kill between the renames leaves the new state beside its place; the last one may be half deleted then.
  const place = [folder, `${folder}.next`, `${folder}.last`].find((path) => existsSync(join(path, marker)))
  if (!place) return undefined
  try {
    const details = JSON.parse(await readFile(join(place, marker), 'utf8'))
    requireCount(place, 'optimizerStep', details.optimizerStep)
    return { folder: place, details }
  } catch (cause) {
    if (CheckpointError.isInstance(cause)) throw cause
    throw damagedState(place, 'it cannot be read', cause)
  }
}

/** @throws CheckpointError unless the value is a non-negative integer */
export function requireCount(folder: string, field: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw damagedState(folder, `${field} in its ${marker} is ${JSON.stringify(value) ?? 'missing'}`)
}

const damagedState = (folder: string, problem: string, cause?: unknown) =>
  new CheckpointError({
    code: 'train/checkpoint-damaged',
    message: `The checkpoint ${folder} is damaged: ${problem}.`,
    hint: 'Remove the folder to start over.',
    cause,
  })

/** @throws CheckpointError when this folder has no complete state */
export async function loadTrainingState(folder: string): Promise<TrainingState> {
  const found = await stateIn(folder)
  const weights = (await readSafetensors(join(found.folder, 'weights.safetensors'))).weights
  const moments = (await readSafetensors(join(found.folder, 'optimizer.safetensors'))).weights
  const of = (prefix: string): Weights =>
    new Map(
      [...moments]
        .filter(([name]) => name.startsWith(`${prefix}.`))
        .map(([name, values]) => [name.slice(2), values]),
    )
  return { weights, optimizer: { step: Number(found.details.optimizerStep), m: of('m'), v: of('v') } }
}

/** Number of optimizer steps before a state. @throws CheckpointError when this folder has no complete state */
export const optimizerStepsOf = async (folder: string): Promise<number> =>
  Number((await stateIn(folder)).details.optimizerStep)

async function stateIn(folder: string) {
  const found = await findTrainingState(folder)
  if (found) return found
  throw new CheckpointError({
    code: 'train/no-state',
    message: `There is no training state in ${folder}.`,
    hint: 'Copy the whole output folder, or name another one to start over.',
  })
}

/**
 * Checkpoints of supervised training: weights, optimizer moments and the next step in one folder. A checkpoint is
 * written beside the last one and then takes its place, so that a kill at any moment leaves a whole one.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CheckpointError } from '@memagent/core'
import { readSafetensors, type Weights, writeSafetensors } from '@memagent/engine'

export interface TrainingCheckpoint {
  /** Optimizer steps done. */
  readonly step: number
  /** What the run is; another run must not go on from here. */
  readonly fingerprint: string
  readonly weights: Weights
  readonly optimizer: { readonly step: number; readonly m: Weights; readonly v: Weights }
}

const prefixed = (prefix: string, weights: Weights): [string, Float32Array][] =>
  [...weights].map(([name, values]) => [`${prefix}.${name}`, values])

export async function saveTrainingCheckpoint(
  folder: string,
  checkpoint: TrainingCheckpoint,
  shapes: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const next = `${folder}.next`
  await rm(next, { recursive: true, force: true })
  await mkdir(next, { recursive: true })
  await writeSafetensors(join(next, 'weights.safetensors'), checkpoint.weights, shapes)
  const moments: Weights = new Map([
    ...prefixed('m', checkpoint.optimizer.m),
    ...prefixed('v', checkpoint.optimizer.v),
  ])
  const momentShapes = new Map([...moments.keys()].map((name) => [name, shapes.get(name.slice(2))!]))
  await writeSafetensors(join(next, 'optimizer.safetensors'), moments, momentShapes)
  const state = {
    step: checkpoint.step,
    optimizerStep: checkpoint.optimizer.step,
    fingerprint: checkpoint.fingerprint,
  }
  await writeFile(join(next, 'state.json'), `${JSON.stringify(state, null, 2)}\n`)
  const last = `${folder}.last`
  await rm(last, { recursive: true, force: true })
  if (existsSync(folder)) await rename(folder, last)
  await rename(next, folder)
  await rm(last, { recursive: true, force: true })
}

/**
 * The last whole checkpoint, or undefined when there is none.
 * @throws CheckpointError when it belongs to another run or is damaged.
 */
export async function loadTrainingCheckpoint(
  folder: string,
  fingerprint: string,
): Promise<TrainingCheckpoint | undefined> {
  const place = [folder, `${folder}.last`].find((path) => existsSync(join(path, 'state.json')))
  if (!place) return undefined
  let state: { step: number; optimizerStep: number; fingerprint: string }
  try {
    state = JSON.parse(await readFile(join(place, 'state.json'), 'utf8'))
  } catch (cause) {
    throw new CheckpointError({
      code: 'train/checkpoint-damaged',
      message: `The checkpoint ${place} cannot be read.`,
      hint: 'Remove the folder to start over.',
      cause,
    })
  }
  if (state.fingerprint !== fingerprint) {
    throw new CheckpointError({
      code: 'train/checkpoint-of-another-run',
      message: `The checkpoint ${place} was written by a run with another configuration or other prose.`,
      hint: 'Name another output folder, or remove the checkpoint to start over.',
      details: { found: state.fingerprint, wanted: fingerprint },
    })
  }
  const weights = (await readSafetensors(join(place, 'weights.safetensors'))).weights
  const moments = (await readSafetensors(join(place, 'optimizer.safetensors'))).weights
  const of = (prefix: string): Weights =>
    new Map(
      [...moments]
        .filter(([name]) => name.startsWith(`${prefix}.`))
        .map(([name, values]) => [name.slice(2), values]),
    )
  return {
    step: state.step,
    fingerprint,
    weights,
    optimizer: { step: state.optimizerStep, m: of('m'), v: of('v') },
  }
}

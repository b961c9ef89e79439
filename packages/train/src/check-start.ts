/** Keeps a training from overwriting the model that it starts from, or another training. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigurationError } from '@memagent/core'

/**
 * Call it only for a run without a checkpoint.
 * @param setting that names the start, for the message
 * @throws ConfigurationError if training would export its own model there: it could never resume
 */
export function checkStart(output: string, startFrom: string, setting: string): void {
  const name = ['model', 'best'].find((own) => resolve(startFrom) === resolve(join(output, own)))
  if (name === undefined) return
  throw new ConfigurationError({
    code: 'train/start-in-output',
    message: `${setting} is ${startFrom}, where this training writes its own model: it would replace the one that it starts from.`,
    hint: 'Name another output folder.',
    details: { output, startFrom },
  })
}

/** What the checkpoint of each kind of training is known by. */
const checkpoints = {
  sft: { file: join('checkpoint', 'state.json'), name: 'supervised training' },
  rl: { file: 'run.json', name: 'reinforcement learning' },
} as const

/**
 * Call it only for a run without a checkpoint.
 * @param kind of the training that begins
 * @throws ConfigurationError if the folder holds one of the other kind, whose log and model would be replaced
 */
export function checkFree(output: string, kind: keyof typeof checkpoints): void {
  const { file, name } = checkpoints[kind === 'sft' ? 'rl' : 'sft']
  if (!existsSync(join(output, file))) return
  throw new ConfigurationError({
    code: 'train/other-training',
    message: `${output} holds a run of ${name}: this training would replace its log and its model.`,
    hint: 'Name another output folder.',
    details: { output },
  })
}

/** Keeps a training from overwriting the model that it starts from. */
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

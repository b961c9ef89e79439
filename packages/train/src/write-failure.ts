/** Says what keeps a training from writing its checkpoints and logs. */
import { resolve, sep } from 'node:path'
import { CheckpointError, messageOf } from '@memagent/core'

const codesOfDisks = ['ENOSPC', 'EDQUOT', 'EROFS']

const sentence = (error: unknown) => `${messageOf(error).replace(/[.\s]+$/, '')}.`

const isWithin = (path: string, folder: string) =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`)

/** @param error what ended a training @returns the same, unless the system refused to write in the output folder */
export function writeFailure(error: unknown, output: string): unknown {
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException
  // Only what makes the folder writes above it; files of the user lie there, too.
  const isOfOutput =
    typeof path === 'string' && (isWithin(path, output) || (syscall === 'mkdir' && isWithin(output, path)))
  // What is missing was read: writing makes it.
  const isOfSystem =
    error instanceof Error && code !== undefined && code !== 'ENOENT' && syscall !== undefined
  if (!isOfSystem || !(isOfOutput || codesOfDisks.includes(code))) return error
  return new CheckpointError({
    code: 'train/unwritable',
    message: `Cannot write in ${output}: ${sentence(error)}`,
    hint: 'Make room, or change what is in the way, and start the training again: it goes on from its last checkpoint.',
    details: { output },
    cause: error,
  })
}

/** For a run that is stopped, where its last step cannot be saved: another error ends it, but the user must know. */
export const unsavedNotice = (step: number, savedAt: number, error: unknown): string =>
  `Step ${step} could not be saved: ${sentence(error)} The run goes on from step ${savedAt}.`

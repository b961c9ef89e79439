/** Checkpoints in a file; reached through `@memagent/core/node`. */
import { open, readFile, rename } from 'node:fs/promises'
import { CheckpointError } from '../errors.ts'
import type { Checkpoint, CheckpointStore } from './checkpoint.ts'

/** Between two syncs to the disk; a lost power supply costs this much, a killed process nothing. */
const syncIntervalMs = 500

/** Each checkpoint is written beside the file and then takes its place, so the file is whole at every moment. */
export function createFileCheckpointStore(
  path: string,
  options: { readonly now?: () => number } = {},
): CheckpointStore {
  const now = options.now ?? Date.now
  let syncedMs = Number.NEGATIVE_INFINITY
  return {
    async load() {
      let content: string
      try {
        content = await readFile(path, 'utf8')
      } catch (cause) {
        if ((cause as { code?: string }).code === 'ENOENT') return undefined
        throw unusable(path, `it cannot be read (${(cause as Error).message})`, cause)
      }
      try {
        const checkpoint = JSON.parse(content) as Checkpoint
        if (typeof checkpoint.version === 'number' && typeof checkpoint.steps === 'number') return checkpoint
      } catch (cause) {
        throw unusable(path, 'it is not JSON', cause)
      }
      throw unusable(path, 'it is no checkpoint')
    },
    async save(checkpoint) {
      const next = `${path}.next`
      try {
        const file = await open(next, 'w')
        try {
          await file.writeFile(JSON.stringify(checkpoint))
          if (now() - syncedMs >= syncIntervalMs || checkpoint.answer) {
            await file.sync()
            syncedMs = now()
          }
        } finally {
          await file.close()
        }
        await rename(next, path)
      } catch (cause) {
        throw new CheckpointError({
          code: 'checkpoint/unwritable',
          message: `Cannot write the checkpoint ${path}: ${(cause as Error).message}`,
          hint: 'Name a file in a folder that exists and can be written to.',
          cause,
        })
      }
    },
  }
}

function unusable(path: string, reason: string, cause?: unknown): CheckpointError {
  return new CheckpointError({
    code: 'checkpoint/damaged',
    message: `The checkpoint ${path} cannot be used: ${reason}.`,
    hint: 'Name another file, or remove this one to start over.',
    cause,
  })
}

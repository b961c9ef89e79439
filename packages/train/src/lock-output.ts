/** One training at a time in an output folder: two would overwrite each other's checkpoints and mix their metrics. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { lockFile } from '@memagent/core/node'

/**
 * What `train` tells, with a lock beside the folder from before it starts until it ends.
 * @throws ConfigurationError when another process trains there; what `train` throws
 */
export async function* inLockedFolder<Event>(
  folder: string,
  train: () => AsyncIterable<Event>,
): AsyncGenerator<Event> {
  await mkdir(dirname(folder), { recursive: true })
  const lock = await lockFile(folder)
  try {
    yield* train()
  } finally {
    await lock.release()
  }
}

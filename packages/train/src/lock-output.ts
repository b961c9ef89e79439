/** Allows one training at a time per output folder: two would overwrite each other's checkpoints and mix their metrics. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { lockFile } from '@memagent/core/node'

/** Creates a lock beside the folder. @throws ConfigurationError when another process trains there */
export async function lockOutput(folder: string): ReturnType<typeof lockFile> {
  await mkdir(dirname(folder), { recursive: true })
  return lockFile(folder)
}

/** One training at a time in an output folder: two would overwrite each other's checkpoints and mix their metrics. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FileLock, lockFile } from '@memagent/core/node'

/** The lock stands beside the folder. @throws ConfigurationError when another process trains there */
export async function lockOutput(folder: string): Promise<FileLock> {
  const target = folder.replace(/\/+$/, '')
  await mkdir(dirname(target), { recursive: true })
  return lockFile(target)
}

/** Writes files that only their owner may read: they hold what people asked and read. */
import { stat, writeFile } from 'node:fs/promises'
import { MemAgentError } from '@memagent/core'
import { UsageError } from './failures.ts'

/**
 * @param store the open store, a file or an address; never overwritten
 * @throws UsageError `cli/unwritable`, `cli/over-store`; a MemAgentError of the pieces as it is
 */
export async function writeFileForOwner(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  store: string,
): Promise<void> {
  // SQLite keeps its newest runs in files beside the store.
  const files = ['', '-wal', '-shm'].map((end) => isSameFile(path, store + end))
  if ((await Promise.all(files)).includes(true)) {
    throw new UsageError({
      code: 'cli/over-store',
      message: `${path} belongs to the store: writing to it would destroy its runs.`,
      hint: 'Name another file to write to.',
    })
  }
  await writeFile(path, pieces, { mode: 0o600 }).catch((cause: unknown) => {
    if (MemAgentError.isInstance(cause)) throw cause
    const message = `Cannot write ${path}: ${(cause as Error).message}`
    throw new UsageError({ code: 'cli/unwritable', message, cause })
  })
}

async function isSameFile(...paths: readonly [string, string]): Promise<boolean> {
  const [one, other] = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}

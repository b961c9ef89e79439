/** Writes files that only their owner may read: they hold what people asked and read. */
import { writeFile } from 'node:fs/promises'
import { MemAgentError } from '@memagent/core'
import { UsageError } from './failures.ts'

/** @throws UsageError `cli/unwritable`; a MemAgentError of the pieces as it is */
export async function writeFileForOwner(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  await writeFile(path, pieces, { mode: 0o600 }).catch((cause: unknown) => {
    if (MemAgentError.isInstance(cause)) throw cause
    const message = `Cannot write ${path}: ${(cause as Error).message}`
    throw new UsageError({ code: 'cli/unwritable', message, cause })
  })
}

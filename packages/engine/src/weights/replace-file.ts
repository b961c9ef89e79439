/** Writes files so that they are complete at every moment, also where the disk is full. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { EngineError } from '../errors.ts'

/** Writes a temporary file that then replaces the target. @throws EngineError if it cannot; the target is then as before */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const next = `${path}.next`
  try {
    await writeFile(next, content)
    await rename(next, path)
  } catch (cause) {
    // Its part of a full disk is free again.
    await rm(next, { force: true }).catch(() => undefined)
    throw unwritable(path, cause)
  }
}

export const unwritable = (path: string, cause: unknown) =>
  new EngineError({
    code: 'engine/unwritable',
    message: `Cannot write ${path}: ${(cause as Error).message}.`,
    hint: 'Make room, or write to another folder. A training goes on from its last checkpoint when it is started again.',
    details: { path },
    cause,
  })

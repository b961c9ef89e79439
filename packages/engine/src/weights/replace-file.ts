/** Writes files so that they are complete at every moment, also where the disk is full. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { EngineError } from '../errors.ts'

/** Writes a temporary file that then replaces the target. @throws EngineError if it cannot; the target is then as before */
export const replaceFile = (path: string, content: string | Uint8Array): Promise<void> =>
  replaceFiles([[path, content]])

/**
 * For files that belong together: all are written before the first is replaced.
 * @throws EngineError if one cannot be written; all are then as before
 */
export async function replaceFiles(
  files: readonly (readonly [path: string, content: string | Uint8Array])[],
): Promise<void> {
  const paths = files.map(([path]) => path)
  let current = ''
  try {
    for (const [path, content] of files) {
      current = path
      await writeFile(`${path}.next`, content)
    }
    for (const path of paths) {
      current = path
      await rename(`${path}.next`, path)
    }
  } catch (cause) {
    // Their part of a full disk is free again.
    for (const path of paths) await rm(`${path}.next`, { force: true }).catch(() => undefined)
    throw unwritable(current, cause)
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

/** Keeps checkpoints in a file, and their log in `FILE.log`; exported from `@memagent/core/node`. */
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { parseJson } from '../chat/json-fields.ts'
import { CheckpointError } from '../errors.ts'
import type { CheckpointStore, LogEntry } from './checkpoint.ts'
import { damagedCheckpoint, parseCheckpoint } from './parse-checkpoint.ts'

/** A power failure loses what was written since the last sync; a killed process loses nothing. */
const defaultSyncIntervalMs = 500

export interface FileCheckpointOptions {
  /** Milliseconds between two syncs to disk; 0 syncs every checkpoint. @default 500 */
  readonly syncIntervalMs?: number | undefined
  readonly now?: (() => number) | undefined
}

/**
 * Each checkpoint is written to `FILE.next`, which then replaces the file, so the file is complete at every moment.
 * `FILE.log` is append-only; a line that a kill cut short is ignored. It is created only when a workflow needs it, which
 * `overwrite` never does.
 * A store is for one reading at a time: two that write to one file replace each other's checkpoints, and one of them may fail.
 */
export function createFileCheckpointStore(
  path: string,
  options: FileCheckpointOptions = {},
): CheckpointStore {
  const { now = Date.now, syncIntervalMs = defaultSyncIntervalMs } = options
  const [nextPath, logPath] = [`${path}.next`, `${path}.log`]
  let syncedMs = Number.NEGATIVE_INFINITY
  let isLogUnsynced = false

  const writing = async (target: string, flags: string, write: (file: FileHandle) => Promise<void>) => {
    try {
      const file = await open(target, flags)
      try {
        await write(file)
      } finally {
        await file.close()
      }
    } catch (cause) {
      throw unwritable(target, cause)
    }
  }

  return {
    name: path,

    async load() {
      const content = await contentOf(path)
      if (content !== undefined) return parseCheckpoint(content, path)
      await removeLogLeft(logPath)
      return undefined
    },

    async save(checkpoint) {
      const isSynced = checkpoint.answer !== undefined || now() - syncedMs >= syncIntervalMs
      if (isSynced && isLogUnsynced) {
        await writing(logPath, 'a', (file) => file.sync())
        isLogUnsynced = false
      }
      await writing(nextPath, 'w', async (file) => {
        await file.writeFile(JSON.stringify(checkpoint))
        if (isSynced) await file.sync()
      })
      if (isSynced) syncedMs = now()
      await rename(nextPath, path).catch((cause: unknown) => {
        throw unwritable(path, cause)
      })
    },

    async append(entries) {
      // A kill may have cut the last line short, so writing begins on a new line.
      const lines = entries.map((entry) => `\n${JSON.stringify(entry)}`).join('')
      await writing(logPath, 'a', (file) => file.writeFile(lines))
      isLogUnsynced = true
    },

    async readLog() {
      const content = (await contentOf(logPath)) ?? ''
      // Passes over a line cut short; `restoreLog` notices entries that a checkpoint needs.
      return content.split('\n').flatMap((line) => (parseJson(line) as LogEntry | undefined) ?? [])
    },
  }
}

const logBegin = '{"type":"'

/**
 * Removes the log of a run whose checkpoint is gone: the next run would take its conversations for its own.
 * @throws CheckpointError for a file that is not the log of a run
 */
async function removeLogLeft(logPath: string): Promise<void> {
  const content = await contentOf(logPath)
  if (content === undefined) return
  // A log may be cut anywhere, and contain zeros after a power failure.
  if (!logBegin.startsWith(content.replace(/^[\s\0]+/, '').slice(0, logBegin.length)))
    throw otherFile(logPath)
  await rm(logPath, { force: true }).catch((cause: unknown) => {
    throw unwritable(logPath, cause)
  })
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ENOENT') return undefined
    throw damagedCheckpoint(path, `it cannot be read (${(cause as Error).message})`, cause)
  }
}

const otherFile = (path: string) =>
  new CheckpointError({
    code: 'checkpoint/unwritable',
    message: `The log of the checkpoint would be ${path}, which holds something else.`,
    hint: 'Use another path for the checkpoint, or move that file away.',
    details: { path },
  })

function unwritable(path: string, cause: unknown): CheckpointError {
  return new CheckpointError({
    code: 'checkpoint/unwritable',
    message: `Cannot write the checkpoint ${path}: ${(cause as Error).message}`,
    hint: 'Use a path in a folder that exists and is writable.',
    details: { path },
    cause,
  })
}

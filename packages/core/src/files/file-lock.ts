/**
 * A lock beside a file or folder, held by one process at a time; exported from `@memagent/core/node`. Every holder creates its
 * own file, whose name identifies its process, and only then looks for others. If two start at once, the later one to look sees
 * the other, so they never both continue. A lock whose process is gone (killed, or the machine restarted) is stale and is
 * removed.
 */
import { randomUUID } from 'node:crypto'
import { readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ConfigurationError } from '../errors.ts'
import { isGone, type ProcessIdentity, thisProcess } from './process-identity.ts'

export interface FileLock {
  /** Idempotent. */
  release(): Promise<void>
}

/** @throws ConfigurationError when another process holds it, or the folder cannot be written to */
export async function lockFile(path: string): Promise<FileLock> {
  const target = await realpath(path).catch(() => path)
  const [folder, file] = [dirname(target), basename(target)]
  const { host, pid, start } = await thisProcess()
  const own = `${file}.lock-${encodeURIComponent(host)}-${pid}-${start}-${randomUUID().slice(0, 8)}`
  await writeFile(join(folder, own), '', { flag: 'wx' }).catch((cause: unknown) => {
    throw new ConfigurationError({
      code: 'file/unwritable',
      message: `Cannot write in ${folder}: ${(cause as Error).message}`,
      hint: 'Name a file in a folder that exists and can be written to.',
      details: { path },
      cause,
    })
  })
  const release = () => rm(join(folder, own), { force: true })
  try {
    for (const name of await readdir(folder)) {
      const holder = name === own || !name.startsWith(`${file}.lock-`) ? undefined : parseName(name)
      if (!holder) continue
      if (await isGone(holder)) {
        await rm(join(folder, name), { force: true })
        continue
      }
      throw new ConfigurationError({
        code: 'file/locked',
        message: `${path} is in use by another run (process ${holder.pid} on ${holder.host}).`,
        hint:
          holder.host === host
            ? 'Wait for it, stop it, or name another file.'
            : `If that run is gone, delete ${join(folder, name)}.`,
        details: { path, ...holder },
      })
    }
  } catch (error) {
    await release()
    throw error
  }
  return { release }
}

function parseName(name: string): ProcessIdentity | undefined {
  const [, host, pid, start] = /\.lock-(.+)-(\d+)-(\d+)-[0-9a-f]{8}$/.exec(name) ?? []
  return host && pid && start ? { host: decodeURIComponent(host), pid: Number(pid), start } : undefined
}

/** Which process holds something, and whether it still runs; exported from `@memagent/core/node`. */
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'

export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** When it started, in clock ticks since boot; `0` where this cannot be read. */
  readonly start: string
}

export const thisProcess = async (): Promise<ProcessIdentity> => ({
  host: hostname(),
  pid: process.pid,
  start: (await startOf(process.pid)) ?? '0',
})

/** The process does not run any more. Those of other machines cannot be judged, and count as running. */
export async function isGone({ host, pid, start }: ProcessIdentity): Promise<boolean> {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Another user's process exists, too.
    if ((error as { code?: string }).code !== 'EPERM') return true
  }
  // Process numbers are reused: one with another start time is another process.
  const now = await startOf(pid)
  return start !== '0' && now !== undefined && now !== start
}

/** Linux only. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in parentheses, which may contain anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

/** Identifies the process that holds something, and tells whether it still runs; exported from `@memagent/core/node`. */
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** Start time, in clock ticks since boot; `0` if it cannot be read. */
  readonly start: string
  /** This boot of the machine, and its container, to tell hosts of one name apart. Undefined if it cannot be read. */
  readonly machine?: string | undefined
}

export const thisProcess = async (): Promise<ProcessIdentity> => ({
  host: hostname(),
  pid: process.pid,
  start: (await startOf(process.pid)) ?? '0',
  machine: await thisMachine(),
})

/** Whether the process no longer runs. Processes of other machines cannot be judged, and count as running. */
export async function isGone({ host, pid, start, machine }: ProcessIdentity): Promise<boolean> {
  if (host !== hostname()) return false
  if (machine !== undefined && machine !== (await thisMachine())) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    if ((error as { code?: string }).code !== 'EPERM') return true
  }
  // Process ids are reused: another start time means another process.
  const now = await startOf(pid)
  return start !== '0' && now !== undefined && now !== start
}

/** Linux only. */
async function thisMachine(): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

/** Linux only. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in parentheses, which may contain anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

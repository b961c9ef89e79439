/** Which process holds something, and whether it still runs; exported from `@memagent/core/node`. */
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** When it started, in clock ticks since boot; `0` where this cannot be read. */
  readonly start: string
  /** This start of the machine, and its container: hosts of one name are told apart. Undefined where it cannot be read. */
  readonly machine?: string | undefined
}

export const thisProcess = async (): Promise<ProcessIdentity> => ({
  host: hostname(),
  pid: process.pid,
  start: (await startOf(process.pid)) ?? '0',
  machine: await thisMachine(),
})

/** The process does not run any more. Those of other machines cannot be judged, and count as running. */
export async function isGone({ host, pid, start, machine }: ProcessIdentity): Promise<boolean> {
  if (host !== hostname()) return false
  if (machine !== undefined && machine !== (await thisMachine())) return false
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

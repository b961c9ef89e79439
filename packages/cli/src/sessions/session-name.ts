import { stat } from 'node:fs/promises'
import { sessionName, sessionNameRule } from '@memagent/store'
import { UsageError } from '../failures.ts'

/** @throws UsageError */
export function requireSessionName(given: string): string {
  const name = sessionName(given)
  if (name !== undefined) return name
  throw new UsageError({
    code: 'session/name',
    message: sessionNameRule,
    hint: 'For example: memagent session read diary notes/',
  })
}

/** Without a name, the first file would be taken for it, and not be read. @throws UsageError */
export async function checkNewName(name: string): Promise<void> {
  const status = await stat(name).catch(() => undefined)
  if (!status?.isFile()) return
  throw new UsageError({
    code: 'session/name',
    message: `There is no session ${name}, but a file of this name: the first word names the session.`,
    hint: 'For example: memagent session read diary notes/',
  })
}

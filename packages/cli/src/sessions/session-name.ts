import { stat } from 'node:fs/promises'
import { UsageError } from '../failures.ts'

/** Names are typed, and stand in messages; the same letters are the same name. @throws UsageError */
export function sessionName(given: string): string {
  const name = given.normalize('NFC')
  if (/^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._-]{0,99}$/u.test(name) && name.trim() === name) return name
  throw new UsageError({
    code: 'session/name',
    message:
      'A session is named with up to 100 letters, digits, spaces, and the signs . _ -; it begins with a letter or digit.',
    hint: 'For example: memagent session read diary notes/',
  })
}

/** Whoever forgets the name gives the first file in its place, which would then not be read. @throws UsageError */
export async function checkNewName(name: string): Promise<void> {
  const status = await stat(name).catch(() => undefined)
  if (!status?.isFile()) return
  throw new UsageError({
    code: 'session/name',
    message: `There is no session ${name}, but a file of this name: the first word names the session.`,
    hint: 'For example: memagent session read diary notes/',
  })
}

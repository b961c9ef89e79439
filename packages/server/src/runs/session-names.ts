/** Sessions of a key have its name before theirs, which no session of a command can have: each key has names of its own. */
import { sessionName, sessionNameRule } from '@memagent/store'
import { badRequest } from '../request-error.ts'
import type { Owner } from '../safety/keys.ts'

/** @throws RequestError 400 */
export function requireSessionName(given: string): string {
  const name = sessionName(given)
  if (name === undefined) throw badRequest('name', sessionNameRule)
  return name
}

/** In the store. Undefined: nobody can have such a session. */
export function storedName(owner: Owner, given: string): string | undefined {
  const name = given.normalize()
  if (owner === undefined) return name
  return name.includes('/') ? undefined : `${owner}/${name}`
}

/** As its owner knows it. Undefined: it is another's. */
export function shownName(owner: Owner, stored: string): string | undefined {
  if (owner === undefined) return stored
  const [prefix, name] = [`${owner}/`, stored.slice(owner.length + 1)]
  return stored.startsWith(prefix) && !name.includes('/') ? name : undefined
}

/** In the store, sessions of a key are prefixed with its name, so each key has its own names, which no command can use. */
import { sessionName, sessionNameRule } from '@memagent/store'
import { badRequest } from '../request-error.ts'
import type { Owner } from '../safety/keys.ts'

/** @throws RequestError 400 */
export function requireSessionName(given: string): string {
  const name = sessionName(given)
  if (name === undefined) throw badRequest('name', sessionNameRule)
  return name
}

/** The name in the store; undefined if nobody can have such a session. */
export function storedName(owner: Owner, given: string): string | undefined {
  const name = given.normalize()
  if (owner === undefined) return name
  return name.includes('/') ? undefined : `${owner}/${name}`
}

/** The name that its owner knows; undefined if it is another owner's. */
export function shownName(owner: Owner, stored: string): string | undefined {
  if (owner === undefined) return stored
  const [prefix, name] = [`${owner}/`, stored.slice(owner.length + 1)]
  return stored.startsWith(prefix) && !name.includes('/') ? name : undefined
}

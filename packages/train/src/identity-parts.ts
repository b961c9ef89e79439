/** Tells in which parts of their configurations two runs differ. */
import { createHash } from 'node:crypto'

/** A short hash of each part, by its name. */
export type IdentityParts = Readonly<Record<string, string>>

export function hashParts(parts: Readonly<Record<string, unknown>>): IdentityParts {
  const hashed = Object.entries(parts).map(([name, value]) => {
    const text = JSON.stringify(value) ?? ''
    return [name, createHash('sha256').update(text).digest('hex').slice(0, 16)]
  })
  return Object.fromEntries(hashed)
}

/** @param found of a checkpoint; earlier ones have none @returns the names, such as ` (what differs: stages and seed)`; or nothing */
export function describeDifference(found: unknown, wanted: IdentityParts): string {
  if (typeof found !== 'object' || found === null) return ''
  const names = Object.keys(wanted).filter((name) => (found as IdentityParts)[name] !== wanted[name])
  if (names.length === 0) return ''
  const all = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return ` (what differs: ${all})`
}

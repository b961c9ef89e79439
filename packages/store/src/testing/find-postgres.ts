/** Finds the programs of Postgres and a user to run them as: Postgres refuses to run as root. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface FoundPostgres {
  /** The folder of its programs. */
  readonly programs: string
  /** Undefined for the current user. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

/** @returns what was found, or why no Postgres can be started */
export function findPostgres(): FoundPostgres | { readonly missing: string } {
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(packaged, version, 'bin')),
  ]
  const programs = folders.find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  )
  if (programs === undefined)
    return { missing: 'no Postgres is installed (initdb is neither in PATH nor in /usr/lib/postgresql)' }
  if (process.getuid?.() !== 0) return { programs }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? []
  if (uid === undefined)
    return { missing: 'Postgres refuses to run as root, and there is no user postgres or nobody' }
  return { programs, user: { uid: Number(uid), gid: Number(gid) } }
}

/** Maps SQLite's errors to StoreErrors. */
import { messageOf } from '@memagent/core'
import { StoreError } from '../errors.ts'

/** Primary result codes, https://www.sqlite.org/rescode.html. */
const resultCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  inOut: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const

/** Not even the file that processes share finds room (SQLITE_IOERR_SHMSIZE), as when a store is opened on a full disk. */
const noRoomToShare = 4874

function primary(error: unknown): number {
  const { errcode = 0 } = error as { errcode?: number }
  return errcode === noRoomToShare ? resultCodes.full : errcode & 0xff
}

export const isBusy = (error: unknown): boolean =>
  primary(error) === resultCodes.busy || primary(error) === resultCodes.locked

/** Whether SQLite, or Node's part of it, threw this. */
export const isOfDatabase = (error: unknown): boolean =>
  error instanceof Error &&
  ('errcode' in error || Object.hasOwn(misuses, (error as NodeJS.ErrnoException).code ?? ''))

/** What Node says of a call that SQLite never saw. */
const misuses: Readonly<Record<string, readonly [name: string, says: string, hint: string]>> = {
  ERR_INVALID_STATE: ['closed', 'was closed, and is still used', 'Await what uses it before `close`.'],
  ERR_INVALID_ARG_TYPE: [
    'bad-value',
    'was given a value that is neither a text nor a number',
    'Check the arguments.',
  ],
}

export const elsewhere =
  'Name another store with --store PATH; ask, notes and serve also work without one (--no-store).'

/** @param path of the store */
export function sqliteError(path: string, cause: unknown): StoreError {
  if (StoreError.isInstance(cause)) return cause
  const error = (name: string, message: string, hint: string) =>
    new StoreError({ code: `store/${name}`, message, hint, details: { path }, cause })
  const reason = messageOf(cause)
  const misuse = misuses[(cause as NodeJS.ErrnoException).code ?? '']
  if (misuse) return error(misuse[0], `The store ${path} ${misuse[1]}.`, misuse[2])
  switch (primary(cause)) {
    case resultCodes.busy:
    case resultCodes.locked:
      return error('busy', `The store ${path} is locked by another process.`, 'Try again when it is done.')
    case resultCodes.full:
      return error(
        'full',
        `The store ${path} cannot be written: the disk is full.`,
        'What was written before is kept: free some space, then resume the run.',
      )
    case resultCodes.corrupt:
    case resultCodes.notADatabase:
      return error(
        'damaged',
        `${path} is damaged, or no store of memagent (${reason}).`,
        `It has not been changed. ${elsewhere}`,
      )
    case resultCodes.readOnly:
    case resultCodes.inOut:
    case resultCodes.cannotOpen:
      return error('unwritable', `The store ${path} cannot be written (${reason}).`, elsewhere)
    default:
      return error('failed', `The store ${path} cannot be used (${reason}).`, elsewhere)
  }
}

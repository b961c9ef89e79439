/** Translates errors of the store for clients: what they can do over HTTP, without paths or processes of this machine. */
import { StoreError } from '@memagent/store'
import { RequestError } from './request-error.ts'
import {
  anotherRun,
  damagedRun,
  laterReadings,
  noQuestion,
  noRun,
  noSession,
  nothingReadYet,
  readElsewhere,
  sessionMoved,
  sessionRead,
  sessionUnfinished,
  takenOver,
} from './runs/run-errors.ts'

interface Details {
  readonly id?: string
  readonly number?: number
  readonly name?: string
  readonly session?: string
  readonly run?: string
}

const refusals: Readonly<Record<string, (details: Details) => RequestError | undefined>> = {
  'store/no-run': ({ id = '' }) => noRun(id),
  'store/ambiguous-run': ({ id = '' }) => noRun(id),
  'store/run-in-use': ({ id = '' }) => readElsewhere({ id }),
  'store/lease-lost': ({ id = '' }) => takenOver(id),
  'store/another-run': ({ id = '' }) => anotherRun(id),
  'store/run-of-session': ({ id = '', session = '' }) => laterReadings(id, session),
  'store/no-question': ({ id = '', number = 0 }) => noQuestion(id, number),
  'store/no-session': ({ name = '' }) => noSession(name),
  'store/session-in-use': ({ name = '' }) => sessionRead(name),
  'store/session-unfinished': ({ name = '', run = '' }) => sessionUnfinished(name, run),
  'store/session-moved': ({ name = '' }) => sessionMoved(name),
  // Without the id of a run, the store itself is damaged.
  'store/damaged': ({ id }) => (id === undefined ? undefined : damagedRun(id)),
  'store/nothing-read': ({ name = '' }) => nothingReadYet(name),
}

/** It may be usable again in a moment. */
const passing: ReadonlySet<string> = new Set(['store/busy', 'store/lost', 'store/unreachable', 'store/full'])

/** Returns errors of other origin as they are. */
export function refusalOf(error: unknown): unknown {
  if (!StoreError.isInstance(error)) return error
  return refusals[error.code]?.(error.details) ?? storeFailed(error)
}

const storeFailed = (cause: StoreError) =>
  new RequestError({
    status: 503,
    code: 'server/store-failed',
    message: 'The store of this server cannot be used now.',
    hint: 'The log of the server says why.',
    retryAfterSeconds: passing.has(cause.code) ? 5 : undefined,
    cause,
  })

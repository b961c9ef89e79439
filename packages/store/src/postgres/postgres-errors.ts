/** Maps errors of Postgres, `pg` and the network to StoreErrors. */
import { messageOf } from '@memagent/core'
import { StoreError } from '../errors.ts'
import { elsewhere } from '../sqlite/sqlite-errors.ts'

interface Kind {
  readonly name: string
  /** Five characters are a Postgres code, https://www.postgresql.org/docs/current/errcodes-appendix.html; two are a class. */
  readonly codes: readonly string[]
  /** For errors without a code. */
  readonly message?: RegExp
  readonly says: (store: string, reason: string) => string
  readonly hint: string
}

const resume = 'What was written before is kept: when the server is back, resume the run.'

const kinds: readonly Kind[] = [
  {
    name: 'authentication',
    codes: ['28'],
    message: /client password must be a|SASL|SCRAM/,
    says: (store, reason) => `The store ${store} does not let you in: ${reason}.`,
    hint: 'Give the password in the environment variable PGPASSWORD, or in the address: postgres://USER:PASSWORD@HOST/DATABASE',
  },
  {
    name: 'no-database',
    codes: ['3D000'],
    says: (store, reason) => `The store ${store} cannot be opened: ${reason}.`,
    hint: 'Create the database first, for instance with: createdb NAME',
  },
  {
    name: 'unwritable',
    codes: ['42501', '25006', '3F000'],
    says: (store, reason) => `The store ${store} cannot be written: ${reason}.`,
    hint: `The user needs a database that can be written, and the right to create the schema memagent there or, if it exists, to use it. ${elsewhere}`,
  },
  {
    name: 'full',
    codes: ['53100'],
    says: (store, reason) => `The store ${store} cannot be written: ${reason}.`,
    hint: 'What was written before is kept: free some space on the server, then resume the run.',
  },
  {
    name: 'busy',
    codes: ['53300', '53200', '55P03', '40001', '40P01'],
    says: (store, reason) => `The store ${store} is busy: ${reason}.`,
    hint: 'Try again when other processes are done.',
  },
  {
    name: 'damaged',
    codes: ['XX001', 'XX002'],
    says: (store, reason) => `The store ${store} is damaged: ${reason}.`,
    hint: `It has not been changed. ${elsewhere}`,
  },
  {
    name: 'lost',
    codes: ['57P', '08', '25P03', '25P04', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED'],
    message:
      /^Connection terminated|^Query read timeout|^Client has encountered a connection error|not queryable/,
    says: (store, reason) => `The connection to the store ${store} was lost: ${reason}.`,
    hint: resume,
  },
  {
    name: 'unreachable',
    codes: [
      'ECONNREFUSED',
      'ENOENT',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ETIMEDOUT',
      'EACCES',
    ],
    message: /^timeout exceeded when trying to connect/,
    says: (store, reason) => `The store ${store} cannot be reached: ${reason}.`,
    hint: `Start the server, or correct the address. ${elsewhere}`,
  },
  {
    name: 'tls',
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    message: /SSL|certificate/i,
    says: (store, reason) => `No secure connection to the store ${store}: ${reason}.`,
    hint: 'Name the authority with ?sslmode=verify-full&sslrootcert=FILE in the address; ?sslmode=disable connects without TLS.',
  },
]

const kindOf = (error: unknown): Kind | undefined => {
  const { code = '', message = '' } = deepest(error) as { code?: string; message?: string }
  return kinds.find(
    ({ codes, message: pattern }) =>
      (code !== '' && codes.some((known) => (known.length < 5 ? code.startsWith(known) : code === known))) ||
      (!/^[0-9A-Z]{5}$/.test(code) && pattern?.test(message)),
  )
}

/** If connecting failed for every address of a host, the last error. */
const deepest = (error: unknown): unknown =>
  error instanceof AggregateError && error.errors.length > 0 ? error.errors.at(-1) : error

/** The connection broke, or the server is shutting down or starting up: another connection may work. */
export const isLost = (error: unknown): boolean => kindOf(error)?.name === 'lost'

/** Like `isLost`, for a server that was reached before: being unreachable or full of connections is temporary, too. */
export const isAway = (error: unknown): boolean =>
  ['lost', 'unreachable'].includes(kindOf(error)?.name ?? '') || (error as { code?: string }).code === '53300'

/** Two transactions wanted the same rows, and this one was rolled back. */
export const isCollision = (error: unknown): boolean =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')

/** @param store its address without the password @param secret the password, masked in case the message repeats it */
export function postgresError(store: string, secret: string, cause: unknown): StoreError {
  if (StoreError.isInstance(cause)) return cause
  const inner = deepest(cause)
  const message = messageOf(inner)
  const reason = (secret === '' ? message : message.replaceAll(secret, '***')).trim().replace(/\.$/, '')
  const { name, says, hint } = kindOf(cause) ?? {
    name: 'failed',
    says: () => `The store ${store} cannot be used: ${reason}.`,
    hint: elsewhere,
  }
  return new StoreError({
    code: `store/${name}`,
    message: says(store, reason),
    hint,
    details: { store },
    cause: inner,
  })
}

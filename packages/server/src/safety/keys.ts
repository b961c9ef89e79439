/** Keys of clients. Only hashes are kept; keys are long and random, so a plain hash cannot be reversed by search. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyLimits } from '@memagent/store'
import type { Context, MiddlewareHandler } from 'hono'
import { RequestError } from '../request-error.ts'

export interface ClientKey {
  /** For people and for fairness: `team-a`. */
  readonly name: string
  /** Result of `hashOfKey`. */
  readonly hash: string
  /** @default none of its own */
  readonly limits?: KeyLimits | undefined
}

/** A new key, shown once. */
export const createKey = (): string => `memagent-${randomBytes(24).toString('base64url')}`

/** SHA-256, in hexadecimal digits. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** The client, if no keys are needed. */
export const everyone = 'everyone'

/** The client that asks. */
export const clientOf = (c: Context): string => ownerOf(c) ?? everyone

/** Whose runs and files a request may see: those of its key, or all if undefined, because no keys are needed. */
export type Owner = string | undefined

export const ownerOf = (c: Context): Owner => c.get('client') as string | undefined

/**
 * Requires a key on every route after this one.
 * @param find returns the key with this hash, or undefined
 * @param onRequest called for every request with a key; may refuse it by throwing
 */
export function requireKey(
  find: (hash: string) => Promise<ClientKey | undefined>,
  onRequest: (key: ClientKey) => void,
): MiddlewareHandler {
  return async (c, next) => {
    const hash = hashOfKey(givenKey(c))
    const key = await find(hash)
    if (!key || !isEqual(key.hash, hash)) {
      throw new RequestError({
        status: 401,
        code: 'server/key-refused',
        message: 'A valid key is needed: Authorization: Bearer KEY, or x-api-key: KEY.',
      })
    }
    c.set('client', key.name)
    onRequest(key)
    await next()
  }
}

const givenKey = (c: Context): string =>
  /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? c.req.header('x-api-key') ?? ''

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

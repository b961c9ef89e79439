/** The limits of keys: how often each may ask, and how many readings it may have at a time. */
import type { KeyLimits } from '@memagent/store'
import { RequestError } from '../request-error.ts'
import type { ClientKey } from './keys.ts'

/** Requests that may come at once; they are refilled evenly within a minute. */
interface Bucket {
  requests: number
  atMs: number
}

const minuteMs = 60_000

export class Allowances {
  readonly #limits = new Map<string, KeyLimits>()
  readonly #buckets = new Map<string, Bucket>()
  readonly #now: () => number

  /** @param now milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Applies the limits of this key from now on. */
  learn({ name, limits = {} }: ClientKey): void {
    this.#limits.set(name, limits)
  }

  /** Readings that this key may have at a time. */
  readingsOf(name: string): number {
    return this.#limits.get(name)?.readings ?? Number.POSITIVE_INFINITY
  }

  /** @throws RequestError 429 if the key has asked too often */
  countRequest(key: ClientKey): void {
    this.learn(key)
    const most = key.limits?.requestsPerMinute
    if (most === undefined) return
    const now = this.#now()
    const before = this.#buckets.get(key.name) ?? { requests: most, atMs: now }
    const requests = Math.min(most, before.requests + ((now - before.atMs) * most) / minuteMs)
    if (requests < 1) throw tooMany(most, ((1 - requests) * minuteMs) / most)
    this.#buckets.set(key.name, { requests: requests - 1, atMs: now })
  }
}

const tooMany = (most: number, waitMs: number) =>
  new RequestError({
    status: 429,
    code: 'server/too-many-requests',
    message: `This key may make ${most} ${most === 1 ? 'request' : 'requests'} a minute.`,
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })

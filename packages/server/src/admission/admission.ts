/**
 * Who reads when: so many readings at once for a model, the others wait in line, one line for each client, which take
 * turns; so one client with many requests does not keep the others waiting. A full line refuses.
 */
import { RequestError } from '../errors.ts'

export interface AdmissionOptions {
  /** Readings at a time. */
  readonly places: number
  /** Most that wait, of all clients. @default 64 */
  readonly mostWaiting?: number | undefined
  /** Most that wait, of one client. @default half of them */
  readonly mostWaitingOfClient?: number | undefined
  /** Milliseconds. @default performance.now */
  readonly now?: (() => number) | undefined
}

export interface Admitted {
  /** Settles when it is this one's turn. @throws the signal's reason, and then there is nothing to leave */
  readonly turn: Promise<void>
  /** Must be called when the work is done. Idempotent. */
  leave(): void
}

interface Waiting {
  readonly start: () => void
}

export class Admission {
  readonly #places: number
  readonly #mostWaiting: number
  readonly #mostWaitingOfClient: number
  readonly #now: () => number
  /** Lines of clients; the next turn is the first's, which then goes to the end. */
  readonly #lines = new Map<string, Set<Waiting>>()
  #running = 0
  #waiting = 0
  /** Of readings that were done, smoothed. */
  #meanMs = 5000

  constructor({
    places,
    mostWaiting = 64,
    mostWaitingOfClient,
    now = () => performance.now(),
  }: AdmissionOptions) {
    this.#places = places
    this.#mostWaiting = mostWaiting
    this.#mostWaitingOfClient = mostWaitingOfClient ?? Math.ceil(mostWaiting / 2)
    this.#now = now
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /** @throws RequestError 429 where too many wait already */
  enter(client: string, signal: AbortSignal): Admitted {
    signal.throwIfAborted()
    if (this.#running < this.#places) return { turn: Promise.resolve(), leave: this.#begin() }
    const line = this.#lines.get(client) ?? new Set()
    if (this.#waiting >= this.#mostWaiting) {
      throw this.#full('server/busy', `${this.#waiting} requests are waiting already.`)
    }
    if (line.size >= this.#mostWaitingOfClient) {
      throw this.#full('server/client-busy', `${line.size} of your requests are waiting already.`)
    }
    let leave: (() => void) | undefined
    let [resolve, reject]: [() => void, (reason: unknown) => void] = [() => undefined, () => undefined]
    const turn = new Promise<void>((onTurn, onAbort) => {
      resolve = onTurn
      reject = onAbort
    })
    const waiting: Waiting = {
      start: () => {
        signal.removeEventListener('abort', abort)
        leave = this.#begin()
        resolve()
      },
    }
    const abort = () => {
      this.#remove(client, waiting)
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    line.add(waiting)
    this.#lines.set(client, line)
    this.#waiting += 1
    return { turn, leave: () => leave?.() }
  }

  #begin(): () => void {
    this.#running += 1
    const startedMs = this.#now()
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      this.#running -= 1
      this.#meanMs = 0.8 * this.#meanMs + 0.2 * (this.#now() - startedMs)
      this.#next()
    }
  }

  #next(): void {
    const [first] = this.#lines
    if (!first) return
    const [client, line] = first
    const [waiting] = line
    this.#remove(client, waiting!)
    if (line.size > 0) {
      this.#lines.delete(client)
      this.#lines.set(client, line)
    }
    waiting!.start()
  }

  #remove(client: string, waiting: Waiting): void {
    const line = this.#lines.get(client)
    if (!line?.delete(waiting)) return
    this.#waiting -= 1
    if (line.size === 0) this.#lines.delete(client)
  }

  #full(code: string, message: string): RequestError {
    const waitMs = (this.#meanMs * (this.#waiting + 1)) / this.#places
    return new RequestError({
      status: 429,
      code,
      message,
      retryAfterSeconds: Math.min(600, Math.max(1, Math.ceil(waitMs / 1000))),
    })
  }
}

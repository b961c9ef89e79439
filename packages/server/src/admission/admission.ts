/**
 * Decides who reads when: a limited number of readings at once; others wait in lines, one per client, which take turns, so that
 * a client with many requests does not delay the others. A full line refuses.
 */
import { RequestError } from '../request-error.ts'

export interface AdmissionOptions {
  /** Readings at a time. */
  readonly places: number
  /** Most waiting requests of all clients. @default 64 */
  readonly mostWaiting?: number | undefined
  /** Most waiting requests of one client. @default half of them */
  readonly mostWaitingOfClient?: number | undefined
  /** Readings of one client at a time. @default as many as there are places */
  readonly placesOf?: ((client: string) => number) | undefined
  /** Milliseconds. @default performance.now */
  readonly now?: (() => number) | undefined
}

export interface Admitted {
  /** Settles when it may read. @throws the signal's reason, and then there is nothing to leave */
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
  readonly #placesOf: (client: string) => number
  readonly #now: () => number
  /** Lines of clients; the next turn goes to the first line, which then moves to the end. */
  readonly #lines = new Map<string, Set<Waiting>>()
  readonly #runningOf = new Map<string, number>()
  #running = 0
  #waiting = 0
  /** Mean duration of finished readings, smoothed. */
  #meanMs = 5000

  constructor({
    places,
    mostWaiting = 64,
    mostWaitingOfClient,
    placesOf = () => Number.POSITIVE_INFINITY,
    now = () => performance.now(),
  }: AdmissionOptions) {
    this.#places = places
    this.#mostWaiting = mostWaiting
    this.#mostWaitingOfClient = mostWaitingOfClient ?? Math.ceil(mostWaiting / 2)
    this.#placesOf = placesOf
    this.#now = now
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * @param isPromised the work was accepted earlier, so no line is too full for it
   * @throws RequestError 429 if too many are waiting
   */
  enter(client: string, signal: AbortSignal, isPromised = false): Admitted {
    signal.throwIfAborted()
    if (this.#hasPlace(client)) return { turn: Promise.resolve(), leave: this.#begin(client) }
    if (!isPromised) this.requireRoom(client)
    const line = this.#lines.get(client) ?? new Set()
    let leave: (() => void) | undefined
    let [resolve, reject]: [() => void, (reason: unknown) => void] = [() => undefined, () => undefined]
    const turn = new Promise<void>((onTurn, onAbort) => {
      resolve = onTurn
      reject = onAbort
    })
    const waiting: Waiting = {
      start: () => {
        signal.removeEventListener('abort', abort)
        leave = this.#begin(client)
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

  /** @throws RequestError 429 if too many are waiting */
  requireRoom(client: string): void {
    if (this.#hasPlace(client)) return
    const { size = 0 } = this.#lines.get(client) ?? {}
    if (this.#waiting >= this.#mostWaiting) {
      throw this.#full('server/busy', `${this.#waiting} requests are waiting already.`)
    }
    if (size >= this.#mostWaitingOfClient) {
      throw this.#full('server/client-busy', `${size} of your requests are waiting already.`)
    }
  }

  #hasPlace(client: string): boolean {
    return this.#running < this.#places && this.#countOf(client) < this.#placesOf(client)
  }

  #countOf(client: string): number {
    return this.#runningOf.get(client) ?? 0
  }

  #begin(client: string): () => void {
    this.#running += 1
    this.#runningOf.set(client, this.#countOf(client) + 1)
    const startedMs = this.#now()
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      this.#running -= 1
      const left = this.#countOf(client) - 1
      if (left > 0) this.#runningOf.set(client, left)
      else this.#runningOf.delete(client)
      this.#meanMs = 0.8 * this.#meanMs + 0.2 * (this.#now() - startedMs)
      this.#next()
    }
  }

  #next(): void {
    const next = [...this.#lines].find(([client]) => this.#hasPlace(client))
    if (!next) return
    const [client, line] = next
    const [waiting] = line
    this.#remove(client, waiting!)
    if (line.size > 0) {
      this.#lines.delete(client)
      this.#lines.set(client, line)
    }
    waiting!.start()
    // Several places may be free if lines waited for their own limit.
    this.#next()
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

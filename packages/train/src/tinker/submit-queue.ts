/**
 * Orders the requests to one model. They carry numbers 1, 2, 3...; some servers execute by number, others by arrival, so the
 * next is not sent until the last was accepted. Results are awaited elsewhere, at the same time.
 */
import { untilAborted } from '@memagent/core'
import { TinkerError, TinkerHttpError } from './errors.ts'

export class SubmitQueue {
  #next = 1
  #tail: Promise<unknown> = Promise.resolve()
  #broken: unknown
  /** Whether the last request was refused: its number may or may not be used up. */
  #isNumberDoubtful = false

  /**
   * Calls `submit` with its number when its turn comes. The number of a refused request is reused; once the fate of a request
   * is unknown, nothing more can be submitted.
   * @param signal applies until its turn; a request in flight is completed
   * @throws what `submit` throws; TinkerError once the order is lost
   */
  submit<T>(submit: (seqId: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.#tail.then(async () => {
      signal?.throwIfAborted()
      if (this.#broken !== undefined) throw orderLost(this.#broken)
      return this.#send(submit)
    })
    this.#tail = turn.catch(() => undefined)
    return signal ? untilAborted(turn, signal) : turn
  }

  async #send<T>(submit: (seqId: number) => Promise<T>): Promise<T> {
    try {
      const result = await submit(this.#next)
      this.#next++
      this.#isNumberDoubtful = false
      return result
    } catch (error) {
      if (isNumberTaken(error)) {
        this.#next++
        // Some servers count a request that they refused.
        if (!this.#isNumberDoubtful) throw error
        this.#isNumberDoubtful = false
        return this.#send(submit)
      }
      const status = error instanceof TinkerHttpError ? error.details.status : undefined
      const wasRefused = typeof status === 'number' && status >= 400 && status < 500 && status !== 408
      if (wasRefused) this.#isNumberDoubtful = true
      else this.#broken = error
      throw error
    }
  }
}

/** A conflict about the request's number, not about a name. */
export const isNumberTaken = (error: unknown): boolean =>
  error instanceof TinkerHttpError &&
  error.details.status === 409 &&
  /sequence|seq_id/i.test(String(error.details.detail))

const orderLost = (cause: unknown): TinkerError =>
  new TinkerError({
    code: 'tinker/order-lost',
    message: `An earlier training request may or may not have reached the server: ${(cause as Error).message}`,
    hint: 'Continue from the last saved state with a new policy.',
    cause,
  })

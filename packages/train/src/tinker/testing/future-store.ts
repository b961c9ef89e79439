/** Jobs of the test server: executed one by one in the order of arrival; clients poll for their results. */
import { EngineError } from '@memagent/engine'
import type { ServerBehaviour } from './server-behaviour.ts'
import { JobFailure } from './server-engine.ts'

/** The HTTP response; a string is sent as plain text. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

interface Future {
  readonly done: Promise<Answer>
  isRead: boolean
}

export class FutureStore {
  readonly #behaviour: ServerBehaviour
  readonly #futures = new Map<string, Future>()
  /** By model and number: the request, and its reply. */
  readonly #numbered = new Map<string, { readonly body: string; readonly answer: Answer }>()
  #tail: Promise<unknown> = Promise.resolve()
  #next = 1
  #open = 0
  peakOpen = 0

  constructor(behaviour: ServerBehaviour) {
    this.#behaviour = behaviour
  }

  /** @param counts whether the job counts as a sample, for `peakOpen` */
  start(job: () => Promise<unknown>, counts = false): string {
    const id = String(this.#next++)
    if (counts) this.peakOpen = Math.max(this.peakOpen, ++this.#open)
    const done = this.#tail.then(async (): Promise<Answer> => {
      if (this.#behaviour.jobMs > 0)
        await new Promise((resolve) => setTimeout(resolve, this.#behaviour.jobMs))
      try {
        return { status: 200, body: await job() }
      } catch (error) {
        if (!(error instanceof JobFailure || error instanceof EngineError)) throw error
        return { status: 400, body: { detail: error.message } }
      } finally {
        if (counts) this.#open--
      }
    })
    this.#tail = done.catch(() => undefined)
    this.#futures.set(id, { done, isRead: false })
    return id
  }

  /** The same number with the same body is the same request; with another body it is a conflict. */
  numbered(key: string, body: string, start: () => Answer): Answer {
    const known = this.#numbered.get(key)
    if (known) {
      return known.body === body
        ? known.answer
        : { status: 409, body: { detail: 'Training request sequence number was reused' } }
    }
    const answer = start()
    if (answer.status === 200) this.#numbered.set(key, { body, answer })
    return answer
  }

  async poll({ request_id }: Readonly<Record<string, unknown>>): Promise<Answer> {
    const id = String(request_id)
    if (!/^\d+$/.test(id)) return { status: 500, body: 'Internal Server Error' }
    const future = this.#futures.get(id)
    if (!future) return { status: 404, body: { detail: 'Future not found' } }
    const { longPollMs, pendingAnswer, futureRead } = this.#behaviour
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), longPollMs)
    })
    const answer = await Promise.race([future.done, patience])
    clearTimeout(timer)
    if (answer && futureRead === 'once') {
      if (future.isRead) {
        return { status: 200, body: { error: 'future id result already retrieved', category: 'user' } }
      }
      future.isRead = true
    }
    if (answer) return answer
    return pendingAnswer === 408
      ? { status: 408, body: { detail: 'Timeout waiting for result' } }
      : { status: 200, body: { type: 'try_again', request_id: id, queue_state: 'active' } }
  }

  forget(): void {
    this.#futures.clear()
    this.#numbered.clear()
  }

  idle = (): Promise<unknown> => this.#tail
}

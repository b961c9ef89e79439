/**
 * Calls of clients of the revisions of 2025, over HTTP: such a client says in a request of its own that it does not wait for another
 * any more. Sessions have an id for that alone; nothing is kept for them.
 */
export class CancelledCalls {
  readonly #underWay = new Map<string, AbortController>()

  /** @returns aborts when the client says so, and what is to be called at the end */
  begin(session: string, id: unknown): { readonly signal: AbortSignal; end(): void } {
    const key = keyOf(session, id)
    const controller = new AbortController()
    this.#underWay.set(key, controller)
    const end = () => {
      if (this.#underWay.get(key) === controller) this.#underWay.delete(key)
    }
    return { signal: controller.signal, end }
  }

  cancel(session: string, id: unknown): void {
    this.#underWay.get(keyOf(session, id))?.abort(new Error('The client does not wait any more.'))
  }
}

/** 1 and "1" are two ids. */
const keyOf = (session: string, id: unknown): string => JSON.stringify([session, id])

/**
 * Calls over HTTP by clients on the 2025 revisions, which cancel a call with another request. Sessions have an id only for
 * this; nothing else is kept for them.
 */
export class CancelledCalls {
  readonly #underWay = new Map<string, AbortController>()

  /** @returns a signal that aborts when the client cancels the call, and a function to call at the end */
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

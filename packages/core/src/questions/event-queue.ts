/** Merges the events of several readings into one stream. A reading waits until its event is taken. */
interface Put<Event> {
  readonly event: Event
  readonly taken: () => void
}

export class EventQueue<Event> {
  #puts: Put<Event>[] = []
  #isClosed = false
  #wake: () => void = () => undefined

  /** Resolves when the event is taken, or nobody listens any more. */
  put(event: Event): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((taken) => {
      this.#puts.push({ event, taken })
      this.#wake()
    })
  }

  /** Yields events until `work` is done and all are taken. @throws what the work throws */
  async *during(work: Promise<void>): AsyncGenerator<Event> {
    let isDone = false
    const end = () => {
      isDone = true
      this.#wake()
    }
    work.then(end, end)
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        for (let put = this.#puts.shift(); put; put = this.#puts.shift()) {
          try {
            yield put.event
          } finally {
            put.taken()
          }
        }
        if (isDone && this.#puts.length === 0) break
        if (this.#puts.length === 0) await woken
      }
      await work
    } finally {
      this.#isClosed = true
      for (const { taken } of this.#puts.splice(0)) taken()
    }
  }
}

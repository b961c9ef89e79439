/** How fast a reading goes. Steps that were answered from a cache say nothing about it. */

interface Part {
  readonly tokens: number
  readonly bytes: number
  readonly ms: number
}

export class ReadingPace {
  #steps = 0
  #total: Part = { tokens: 0, bytes: 0, ms: 0 }

  /** Adds a step in which the model was asked. */
  add({ tokens, bytes, ms }: Part): void {
    this.#steps++
    const total = this.#total
    this.#total = { tokens: total.tokens + tokens, bytes: total.bytes + bytes, ms: total.ms + ms }
  }

  /** 0 while unknown. */
  get tokensPerSecond(): number {
    const { tokens, ms } = this.#total
    return ms > 0 ? (1000 * tokens) / ms : 0
  }

  /** Undefined while unknown. */
  get msPerByte(): number | undefined {
    const { bytes, ms } = this.#total
    return bytes > 0 ? ms / bytes : undefined
  }

  get msPerStep(): number {
    return this.#steps > 0 ? this.#total.ms / this.#steps : 0
  }
}

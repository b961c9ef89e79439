/**
 * Follows a response through a draft (a text that it will probably repeat, such as the previous memory) and proposes the tokens
 * that come next: a model verifies many tokens about as fast as it generates a few. Once the response leaves the draft, nothing
 * is proposed until its last two tokens occur further on in the draft.
 */

/** Each proposed token needs memory for the logits of the whole vocabulary. */
const mostProposed = 64
/** At the start of the draft, and when the response has just come back to it. */
const firstProposed = 16
/** Added for every accepted token. */
const moreProposed = 4
/** How many last tokens must match to find the place in the draft again. */
const needed = 2

export class DraftFollower {
  readonly #draft: readonly number[]
  #last: number[] = []
  /** How many tokens of the draft the response has passed. */
  #passed = 0
  #isFollowed = true
  #length = firstProposed

  constructor(draft: readonly number[]) {
    this.#draft = draft
  }

  proposal(): number[] {
    return this.#isFollowed ? this.#draft.slice(this.#passed, this.#passed + this.#length) : []
  }

  /** Call with every token of the response. */
  push(token: number): void {
    this.#last = [...this.#last, token].slice(-needed)
    if (this.#isFollowed && this.#draft[this.#passed] === token) {
      this.#passed++
      this.#length = Math.min(mostProposed, this.#length + moreProposed)
    } else {
      this.#isFollowed = false
      this.#findAgain()
    }
  }

  #findAgain(): void {
    if (this.#last.length < needed) return
    for (let end = this.#passed + needed; end < this.#draft.length; end++) {
      if (!this.#last.every((token, i) => this.#draft[end - needed + i] === token)) continue
      this.#isFollowed = true
      this.#passed = end
      this.#length = firstProposed
      return
    }
  }
}

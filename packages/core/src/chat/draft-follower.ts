/**
 * Where in a draft (a text that a response will probably repeat, such as the previous memory) the response is: proposes the
 * tokens that come next, of which a model verifies many in the time of a few. Where the response leaves the draft, nothing
 * is proposed until two of its tokens stand further on in it.
 */

/** Each proposed token takes memory for the logits of a whole vocabulary. */
const mostProposed = 64
/** At the draft's beginning, and where the response has just come back to it. */
const firstProposed = 16
/** For every token that held. */
const moreProposed = 4
/** So many last tokens tell where in the draft the response is. */
const needed = 2

export class DraftFollower {
  readonly #draft: readonly number[]
  #last: number[] = []
  /** How much of the draft the response has passed. */
  #passed = 0
  #isFollowed = true
  #length = firstProposed

  constructor(draft: readonly number[]) {
    this.#draft = draft
  }

  proposal(): number[] {
    return this.#isFollowed ? this.#draft.slice(this.#passed, this.#passed + this.#length) : []
  }

  /** Told of every token of the response. */
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

/** One response as it grows: draws its tokens from its own random stream and knows when it ends. */
import type { GenerationRequest, GenerationResult } from './request.ts'
import { lowestTemperature, sampleToken, uniformGenerator } from './sampling.ts'

/** Next-token distributions of N rows, from `DecoderParts.head`, without the fields that are not needed. */
export interface Distributions {
  readonly best: BigInt64Array
  readonly logprobs: Float32Array | undefined
  readonly probabilities: Float32Array | undefined
  readonly vocabularySize: number
}

export class Sequence {
  readonly promptTokens: ArrayLike<number>
  /** The part of the draft that matters: up to its first stop token, and within `maxTokens`. */
  readonly draft: readonly number[]
  /** How many draft tokens are read with the prompt; nothing follows a stop token. */
  readonly draftTokensRead: number
  /** Factor of the logits before the softmax for sampling. */
  readonly sharpness: number
  readonly isGreedy: boolean
  /** Whether log-probabilities need separate rows. `sampled` takes them from the sampled distribution; so does temperature 1. */
  readonly readsLogprobs: boolean
  readonly tokens: number[] = []
  isDone = false
  #acceptedDraftTokens = 0
  #hasStopped = false
  readonly #logprobs: number[] = []
  readonly #needsLogprobs: boolean
  readonly #maxTokens: number
  readonly #stopTokens: ReadonlySet<number>
  readonly #topP: number
  readonly #uniform: () => number

  constructor(request: GenerationRequest) {
    const temperature = request.temperature ?? 0
    this.promptTokens = request.promptTokens
    this.isGreedy = temperature < lowestTemperature
    this.sharpness = this.isGreedy ? 1 : 1 / temperature
    this.#needsLogprobs = Boolean(request.logprobs)
    this.readsLogprobs = request.logprobs === true && (this.isGreedy || this.sharpness !== 1)
    this.#maxTokens = request.maxTokens
    this.#stopTokens = new Set(request.stopTokens)
    this.#topP = request.topP ?? 1
    this.#uniform = uniformGenerator(request.seed ?? 0)
    const draft = Array.from(request.draftTokens ?? []).slice(0, request.maxTokens)
    const stop = draft.findIndex((token) => this.#stopTokens.has(token))
    this.draft = stop < 0 ? draft : draft.slice(0, stop + 1)
    this.draftTokensRead = Math.min(stop < 0 ? draft.length : stop, request.maxTokens - 1)
  }

  /** Whether greedy tokens alone can show that the response is its draft, which must end as a response does. */
  get mayBeConfirmed(): boolean {
    const isWhole = this.#stopTokens.has(this.draft.at(-1)!) || this.draft.length === this.#maxTokens
    return this.isGreedy && !this.#needsLogprobs && this.draft.length > 0 && isWhole
  }

  /** Samples the next token from row `row`. */
  take(distributions: Distributions, row: number): void {
    const { best, logprobs, probabilities, vocabularySize } = distributions
    const from = row * vocabularySize
    const token = this.isGreedy
      ? Number(best[row])
      : sampleToken(probabilities!.subarray(from, from + vocabularySize), this.#topP, this.#uniform())
    this.tokens.push(token)
    if (this.#needsLogprobs) {
      const at = from + token
      this.#logprobs.push(this.readsLogprobs ? logprobs![at]! : Math.log(probabilities![at]!))
    }
    this.#hasStopped = this.#stopTokens.has(token)
    this.isDone = this.#hasStopped || this.tokens.length >= this.#maxTokens
  }

  /**
   * Samples one row per draft token until the response leaves the draft or ends: exactly what sampling token by token
   * gives, since row i is conditioned on the draft's first i tokens, which are the sampled ones as long as they agree.
   *
   * @param firstRow the row right after the prompt
   */
  takeDraft(distributions: Distributions, firstRow: number): void {
    for (let i = 0; ; i++) {
      this.take(distributions, firstRow + i)
      const isConfirmed = this.tokens[i] === this.draft[i]
      if (isConfirmed) this.#acceptedDraftTokens++
      if (this.isDone || !isConfirmed || i === this.draftTokensRead) return
    }
  }

  result(): GenerationResult {
    return {
      tokens: this.tokens,
      logprobs: this.#needsLogprobs ? this.#logprobs : undefined,
      finishReason: this.#hasStopped ? 'stop' : 'length',
      acceptedDraftTokens: this.#acceptedDraftTokens,
    }
  }
}

/**
 * A policy: a language model that can be sampled and trained, as a handful of verbs. The trainer cannot tell whether this
 * machine or a cluster answers. Everything is in tokens: the caller renders and tokenizes templates.
 *
 * The caller computes losses, as the gradient of the loss with respect to each token's log-probability; the policy owns
 * scaling, splitting into micro-batches, and whatever else its engine needs. Types only.
 */
import type { TokenSequence } from '@memagent/core'
import type { AdamWOptions } from '@memagent/engine'

export type { TokenSequence }

export interface SampleRequest {
  readonly promptTokens: readonly number[]
  readonly maxTokens: number
  /** Must be the policy's own for responses to learn from. 0 is greedy. */
  readonly temperature: number
  /** Must be 1 for responses to learn from. */
  readonly topP: number
  readonly seed: number
  /** A response ends with the first of these, inclusive. */
  readonly stopTokens: readonly number[]
  /** Tokens that the response will probably begin with; never change what is sampled. */
  readonly draftTokens?: readonly number[] | undefined
  /** Less than the policy's `lanes`: requests in one lane are computed together, apart from other lanes. */
  readonly lane?: number | undefined
}

export interface SampledResponse {
  /** Includes the token that ended the response; never empty. */
  readonly tokens: readonly number[]
  /**
   * [tokens.length] log-probability of each, as `forward` gives it, in the distribution that was sampled. Undefined if that
   * was not the policy's own (another temperature, top-p below 1): such a response cannot be learned from.
   */
  readonly logprobs: Float32Array | undefined
  readonly stopReason: 'stop' | 'length'
}

/** Frozen weights: a snapshot that rollouts are sampled from, or the reference. */
export interface FrozenPolicy {
  /** How many parts of the machine sample at the same time. @default 1 */
  readonly lanes?: number | undefined
  /** Concurrent calls share batches. An abort throws the signal's reason. */
  sample(request: SampleRequest, signal?: AbortSignal): Promise<SampledResponse>
  /**
   * Log-probabilities [responseTokens.length] of every sequence's response tokens, in the order given. Prompts and responses
   * are never empty.
   */
  logprobs(sequences: readonly TokenSequence[], signal?: AbortSignal): Promise<Float32Array[]>
  /** Releases its resources. Idempotent. */
  close(): Promise<void>
}

export type OptimizerStep = AdamWOptions

export interface OptimizerResult {
  /** Before clipping; undefined if the engine does not report it. */
  readonly gradientNorm: number | undefined
}

export interface Policy {
  /** Display name: `embedded:nano`, `tinker:Qwen/Qwen2.5-7B-Instruct`. */
  readonly name: string
  /**
   * All log-probabilities and gradients are those of softmax(logits / temperature), the distribution that a rollout at this
   * temperature samples from.
   */
  readonly temperature: number
  /** Current log-probabilities of the response tokens, as `FrozenPolicy.logprobs`. */
  forward(sequences: readonly TokenSequence[], signal?: AbortSignal): Promise<Float32Array[]>
  /**
   * Adds the gradient of a loss to the accumulated one: the sum over all tokens of
   * `gradients[i][t]` * d logprob[i][t] / d weights, however the batch is split. Call it once per optimizer batch: some
   * engines average over what they receive, which is corrected for.
   * @param gradients d loss / d logprob, the shape of `forward`'s result
   * @param onDone called with the number of sequences that just finished, by engines that know it
   * @returns the log-probabilities before the update
   */
  forwardBackward(
    sequences: readonly TokenSequence[],
    gradients: readonly Float32Array[],
    signal?: AbortSignal,
    onDone?: (sequences: number) => void,
  ): Promise<Float32Array[]>
  /** One AdamW step with the accumulated gradient, which is then zeroed. */
  optimStep(options: OptimizerStep): Promise<OptimizerResult>
  /** Freezes the current weights for sampling; later steps do not change the snapshot. */
  snapshot(): Promise<FrozenPolicy>
  /** The weights that training started from, frozen even across a resume. */
  readonly reference: FrozenPolicy
  /**
   * Saves weights and optimizer state. Restoring makes a new policy (see the engine's `create`).
   * @param name letters, digits, `-` and `_`; replaces an existing state of this name
   * @param signal gives up waiting
   * @returns what `create` takes to restore it
   */
  saveState(name: string, signal?: AbortSignal): Promise<string>
  /**
   * Deletes a saved state that will not be restored again; a missing one is not an error.
   * @param state what `saveState` returned
   * @param signal gives up waiting
   */
  deleteState(state: string, signal?: AbortSignal): Promise<void>
  /** Also closes the reference and open snapshots. Idempotent. */
  close(): Promise<void>
}

/** Requests to a generator, and its results. */
import type { Sampling } from '@memagent/core'
import { EngineError } from '../errors.ts'
import type { LlamaConfig } from '../models/llama-config.ts'
import { lowestTemperature } from './sampling.ts'

/**
 * Equal requests with equal seeds give equal responses, whatever else runs at the same time. Sampling defaults: greedy,
 * from all tokens, with seed 0.
 */
export interface GenerationRequest extends Sampling {
  readonly promptTokens: ArrayLike<number>
  /**
   * Tokens that the response will probably begin with, including a stop token at the end. A draft never changes the result,
   * unless integers verify it (`GeneratorOptions.precision`).
   */
  readonly draftTokens?: ArrayLike<number> | undefined
  readonly maxTokens: number
  /** A response ends with the first of these, which is included in `tokens`. */
  readonly stopTokens: readonly number[]
  /**
   * True: log-probabilities at temperature 1 without top-p, whatever the sampling. `sampled`: those of the distribution that
   * is sampled from, not defined for greedy and top-p sampling. @default false
   */
  readonly logprobs?: boolean | 'sampled' | undefined
}

export interface GenerationResult {
  readonly tokens: number[]
  /** One per token, as the training graph computes them. Undefined unless requested. */
  readonly logprobs: number[] | undefined
  readonly finishReason: 'stop' | 'length'
  readonly acceptedDraftTokens: number
}

/** @throws EngineError (`engine/request`) naming the problem */
export function checkRequest(request: GenerationRequest, config: LlamaConfig): void {
  const { promptTokens, draftTokens, maxTokens, temperature = 0, topP = 1, seed = 0 } = request
  const { maxPositions, vocabularySize } = config
  const fail = (message: string) => {
    throw new EngineError({ code: 'engine/request', message })
  }
  if (promptTokens.length === 0) fail('The prompt is empty.')
  if (!(Number.isInteger(maxTokens) && maxTokens >= 1))
    fail(`maxTokens is ${maxTokens}; it must be 1 or more.`)
  if (promptTokens.length + maxTokens > maxPositions) {
    fail(
      `${promptTokens.length} prompt tokens and ${maxTokens} new ones exceed the model's ${maxPositions} positions.`,
    )
  }
  if (!(temperature >= 0 && temperature < Number.POSITIVE_INFINITY))
    fail(`The temperature cannot be ${temperature}.`)
  if (!(topP > 0 && topP <= 1)) fail(`topP is ${topP}; it must be above 0 and at most 1.`)
  if (request.logprobs === 'sampled' && (temperature < lowestTemperature || topP < 1))
    fail(
      'Greedy and top-p sampling have no log-probabilities of what was sampled; ask for those of the model.',
    )
  if (!Number.isSafeInteger(seed)) fail(`The seed ${seed} is not an integer up to 2^53.`)
  for (const [name, tokens] of [
    ['prompt', promptTokens],
    ['draft', draftTokens ?? []],
  ] as const) {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!
      if (!(Number.isInteger(token) && token >= 0 && token < vocabularySize)) {
        fail(`Token ${i} of the ${name} is ${token}, outside 0..${vocabularySize - 1}.`)
      }
    }
  }
}

/** A small model with random weights, and requests for it. */

import { finalNormName, initialWeights, type LlamaConfig, type Weights } from '../../models/llama-config.ts'
import { tinyLlama } from '../../testing/tiny-llama.ts'
import type { GenerationRequest } from '../request.ts'
import { uniformGenerator } from '../sampling.ts'

export const config: LlamaConfig = {
  ...tinyLlama,
  ...{ vocabularySize: 101, hiddenSize: 32, intermediateSize: 48 },
  ...{ headDimension: 12, maxPositions: 256 },
}
export const stop = 7

/** Fresh weights have nearly uniform outputs; a larger last norm makes some tokens likely and others not. */
export function decidedWeights(): Weights {
  const weights = initialWeights(config, 3)
  weights.get(finalNormName)!.fill(12)
  return weights
}

export const randomTokens = (seed: number, length: number): number[] => {
  const uniform = uniformGenerator(seed)
  return Array.from({ length }, () => Math.floor(uniform() * config.vocabularySize))
}

/** Asks for up to 20 tokens after a random prompt, greedily. */
export const request = (
  seed: number,
  length: number,
  rest: Partial<GenerationRequest> = {},
): GenerationRequest => ({
  promptTokens: randomTokens(seed, length),
  maxTokens: 20,
  stopTokens: [stop],
  seed,
  ...rest,
})

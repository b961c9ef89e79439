/** What goes into and comes out of the inference graphs. */

import type { LlamaConfig } from '../models/llama-config.ts'
import type { InferenceSession } from '../onnx/runtime.ts'
import type { Distributions, Sequence } from './sequence.ts'

/** Added to scores that must not count: large enough to vanish in a softmax, small enough to stay finite. */
export const masked = -1e9

/** The outputs needed to sample these sequences; others are not copied. */
export function distributionNames(sequences: readonly Sequence[]): string[] {
  const names = ['best']
  if (sequences.some(({ readsLogprobs }) => readsLogprobs)) names.push('logprobs')
  if (sequences.some(({ isGreedy }) => !isGreedy)) names.push('probabilities')
  return names
}

export function toDistributions(outputs: InferenceSession.ReturnType, config: LlamaConfig): Distributions {
  return {
    best: outputs.best!.data as BigInt64Array,
    logprobs: outputs.logprobs?.data as Float32Array | undefined,
    probabilities: outputs.probabilities?.data as Float32Array | undefined,
    vocabularySize: config.vocabularySize,
  }
}

/** Numbers in and out of the inference graphs. */
import { type InferenceSession, Tensor } from 'onnxruntime-node'
import type { LlamaConfig } from '../models/llama-config.ts'
import type { FloatPool } from './float-pool.ts'
import type { Distributions, Sequence } from './sequence.ts'

/** Added to scores that must not count: large enough to vanish in a softmax, small enough to stay finite. */
export const masked = -1e9

/** What a pass is asked for: outputs that it writes into memory of the pool, or into its own (null). */
export type Outputs = Record<string, Tensor | null>

/** An output in memory of the pool. */
export function pooledOutput(pool: FloatPool, shape: readonly number[]): Tensor {
  return new Tensor('float32', pool.take(shape.reduce((size, length) => size * length, 1)), shape)
}

/** The distributions of `rows` rows that sampling these sequences needs; others are not even copied. */
export function distributionOutputs(
  sequences: readonly Sequence[],
  rows: number,
  config: LlamaConfig,
  pool: FloatPool,
): Outputs {
  const wanted = [
    ...(sequences.some(({ readsLogprobs }) => readsLogprobs) ? ['logprobs'] : []),
    ...(sequences.some(({ isGreedy }) => !isGreedy) ? ['probabilities'] : []),
  ]
  const shape = [rows, config.vocabularySize]
  return { best: null, ...Object.fromEntries(wanted.map((name) => [name, pooledOutput(pool, shape)])) }
}

/** Lets `read` see the distributions of a pass; afterwards their memory is the pool's again. */
export function withDistributions<T>(
  outputs: Outputs,
  results: InferenceSession.ReturnType,
  config: LlamaConfig,
  pool: FloatPool,
  read: (distributions: Distributions) => T,
): T {
  const [logprobs, probabilities] = ['logprobs', 'probabilities'].map(
    (name) => outputs[name]?.data as Float32Array | undefined,
  )
  try {
    return read({
      best: results.best!.data as BigInt64Array,
      logprobs,
      probabilities,
      vocabularySize: config.vocabularySize,
    })
  } finally {
    pool.give([logprobs, probabilities].filter((values) => values !== undefined))
  }
}

/**
 * Cached keys and values of several sequences: those of the prompts, padded to one length, and those of the tokens
 * since then, of which all sequences have equally many. B sequences, K heads, P prompt positions, E width, n recent.
 */
import { Tensor } from 'onnxruntime-node'
import type { LlamaConfig } from '../models/llama-config.ts'
import type { FloatPool } from './float-pool.ts'

export interface KeyValueStore {
  readonly promptLength: number
  readonly recentLength: number
  /** The prompt's part has one row that all sequences share. @default false */
  readonly isPromptShared?: boolean | undefined
  /** One tensor a layer: [B, K, E, P], turned so that the product with the queries reads along it. */
  readonly promptKeys: readonly Tensor[]
  /** [B, K, P, E] */
  readonly promptValues: readonly Tensor[]
  /** [B, K, n, E] */
  readonly recentKeys: readonly Tensor[]
  readonly recentValues: readonly Tensor[]
  /** Memory of the prompt's part that goes back to the pool when the store is no longer needed. */
  readonly pooled?: readonly Float32Array[] | undefined
}

/** One sequence of a store; only the first `promptLength` prompt positions are its own, what follows is padding. */
export interface StoredSequence {
  readonly store: KeyValueStore
  readonly row: number
  readonly promptLength: number
  /** How many recent tokens are its own. @default all of the store's */
  readonly recentLength?: number | undefined
}

/** Cached tokens of a sequence. */
export const cachedLength = ({ store, promptLength, recentLength = store.recentLength }: StoredSequence) =>
  promptLength + recentLength

export function emptyRecent(config: LlamaConfig, sequences: number): Tensor[] {
  const shape = [sequences, config.keyValueHeads, 0, config.headDimension]
  return Array.from({ length: config.layers }, () => new Tensor('float32', new Float32Array(0), shape))
}

/**
 * A new store of these sequences, in this order, in which recent tokens have joined their prompts. What is padding keeps
 * the numbers that were in the pool's memory: finite ones, which the mask of the reader hides.
 */
export function gatherSequences(
  config: LlamaConfig,
  sources: readonly StoredSequence[],
  pool: FloatPool,
): KeyValueStore {
  const { keyValueHeads: K, headDimension: E, layers } = config
  const P = Math.max(...sources.map(cachedLength))
  const promptKeys: Tensor[] = []
  const promptValues: Tensor[] = []
  const pooled: Float32Array[] = []
  for (let layer = 0; layer < layers; layer++) {
    const keys = pool.take(sources.length * K * E * P)
    const values = pool.take(sources.length * K * P * E)
    pooled.push(keys, values)
    sources.forEach((sequence, to) => {
      const { store, row, promptLength } = sequence
      const stride = store.recentLength
      const recent = sequence.recentLength ?? stride
      const promptRow = store.isPromptShared ? 0 : row
      const [oldKeys, oldValues] = [dataOf(store.promptKeys[layer]!), dataOf(store.promptValues[layer]!)]
      const [newKeys, newValues] = [dataOf(store.recentKeys[layer]!), dataOf(store.recentValues[layer]!)]
      for (let head = 0; head < K; head++) {
        const target = to * K + head
        const oldStart = (promptRow * K + head) * store.promptLength * E
        const newStart = (row * K + head) * stride * E
        const start = target * P * E
        values.set(oldValues.subarray(oldStart, oldStart + promptLength * E), start)
        values.set(newValues.subarray(newStart, newStart + recent * E), start + promptLength * E)
        for (let e = 0; e < E; e++) {
          const from = oldStart + e * store.promptLength
          keys.set(oldKeys.subarray(from, from + promptLength), start + e * P)
          for (let t = 0; t < recent; t++) {
            keys[start + e * P + promptLength + t] = newKeys[newStart + t * E + e]!
          }
        }
      }
    })
    promptKeys.push(new Tensor('float32', keys, [sources.length, K, E, P]))
    promptValues.push(new Tensor('float32', values, [sources.length, K, P, E]))
  }
  const recent = emptyRecent(config, sources.length)
  return {
    promptLength: P,
    recentLength: 0,
    promptKeys,
    promptValues,
    recentKeys: recent,
    recentValues: recent,
    pooled,
  }
}

const dataOf = (tensor: Tensor) => tensor.data as Float32Array

/**
 * Cached keys and values of several sequences: of the trunk that all begin with, of the rest of their prompts (padded to one
 * length), and of the tokens since (the same number for all). B sequences, K heads, Q trunk positions, P prompt positions,
 * E width, n recent.
 */

import type { LlamaConfig } from '../models/llama-config.ts'
import { Tensor } from '../onnx/runtime.ts'
import type { FloatPool } from './float-pool.ts'

/** One tensor per layer. */
export interface Trunk {
  readonly length: number
  /** [1, K, E, Q], transposed so that the product with the queries reads along it. */
  readonly keys: readonly Tensor[]
  /** [1, K, Q, E] */
  readonly values: readonly Tensor[]
}

export interface KeyValueStore {
  readonly trunk?: Trunk | undefined
  /** Without the trunk. */
  readonly promptLength: number
  readonly recentLength: number
  /** One tensor per layer: [B, K, E, P], transposed like the trunk's. */
  readonly promptKeys: readonly Tensor[]
  /** [B, K, P, E] */
  readonly promptValues: readonly Tensor[]
  /** [B, K, n, E] */
  readonly recentKeys: readonly Tensor[]
  readonly recentValues: readonly Tensor[]
  /** Memory of the prompt's part, to return to the pool when the store is no longer needed. */
  readonly pooled?: readonly Float32Array[] | undefined
}

/** One sequence of a store; only the first `promptLength` prompt positions are its own, the rest is padding. */
export interface StoredSequence {
  readonly store: KeyValueStore
  readonly row: number
  readonly promptLength: number
  /** Its own recent tokens. @default all of the store's */
  readonly recentLength?: number | undefined
}

/** A sequence that grows, with its caches. */
export type Growing<T> = StoredSequence & { readonly sequence: T }

/** Cached tokens of a sequence after its trunk. */
export const ownLength = ({ store, promptLength, recentLength = store.recentLength }: StoredSequence) =>
  promptLength + recentLength

/** Caches without a token, [B, K, 0, E] per layer. */
export function emptyCaches(config: LlamaConfig, sequences: number): Tensor[] {
  const shape = [sequences, config.keyValueHeads, 0, config.headDimension]
  return Array.from({ length: config.layers }, () => new Tensor('float32', new Float32Array(0), shape))
}

/**
 * A new store of these sequences, in this order; recent tokens join the prompts. Padding keeps whatever the pool's memory
 * held: finite numbers, which the reader's mask hides.
 *
 * @param trunk the trunk of all sequences, kept separate; without it, trunks join the prompts
 */
export function gatherSequences(
  config: LlamaConfig,
  sources: readonly StoredSequence[],
  trunk: Trunk | undefined,
  pool: FloatPool,
): KeyValueStore {
  const { keyValueHeads: K, headDimension: E, layers } = config
  const joined = sources.map((source) => ({
    ...source,
    head: trunk ? undefined : source.store.trunk,
    recent: source.recentLength ?? source.store.recentLength,
  }))
  const P = Math.max(...joined.map((source) => (source.head?.length ?? 0) + ownLength(source)))
  const promptKeys: Tensor[] = []
  const promptValues: Tensor[] = []
  const pooled: Float32Array[] = []
  for (let layer = 0; layer < layers; layer++) {
    const keys = pool.take(sources.length * K * E * P)
    const values = pool.take(sources.length * K * P * E)
    pooled.push(keys, values)
    joined.forEach(({ store, row, promptLength, head, recent }, to) => {
      for (let k = 0; k < K; k++) {
        const start = (to * K + k) * P * E
        let at = 0
        /** Copies a part whose keys are transposed. */
        const copyPart = (part: Turned, source: number, stride: number, length: number) => {
          const from = (source * K + k) * stride * E
          values.set(dataOf(part.values[layer]!).subarray(from, from + length * E), start + at * E)
          const old = dataOf(part.keys[layer]!)
          for (let e = 0; e < E; e++) {
            const line = from + e * stride
            keys.set(old.subarray(line, line + length), start + e * P + at)
          }
          at += length
        }
        if (head) copyPart(head, 0, head.length, head.length)
        copyPart(
          { keys: store.promptKeys, values: store.promptValues },
          row,
          store.promptLength,
          promptLength,
        )
        const [newKeys, newValues] = [dataOf(store.recentKeys[layer]!), dataOf(store.recentValues[layer]!)]
        const from = (row * K + k) * store.recentLength * E
        values.set(newValues.subarray(from, from + recent * E), start + at * E)
        for (let e = 0; e < E; e++) {
          const line = start + e * P + at
          for (let t = 0; t < recent; t++) keys[line + t] = newKeys[from + t * E + e]!
        }
      }
    })
    promptKeys.push(new Tensor('float32', keys, [sources.length, K, E, P]))
    promptValues.push(new Tensor('float32', values, [sources.length, K, P, E]))
  }
  const recent = emptyCaches(config, sources.length)
  const parts = { promptKeys, promptValues, recentKeys: recent, recentValues: recent }
  return { trunk, promptLength: P, recentLength: 0, ...parts, pooled }
}

interface Turned {
  readonly keys: readonly Tensor[]
  readonly values: readonly Tensor[]
}

const dataOf = (tensor: Tensor) => tensor.data as Float32Array

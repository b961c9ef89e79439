/** A batch of sequences that grow together, token by token. */

import type { LlamaConfig } from '../models/llama-config.ts'
import { type InferenceSession, Tensor } from '../onnx/runtime.ts'
import { tensorOfIntegers } from '../onnx/tensor-of-integers.ts'
import { cacheName } from './decoder-parts.ts'
import type { FloatPool } from './float-pool.ts'
import {
  type Growing,
  gatherSequences,
  type KeyValueStore,
  ownLength,
  type Trunk,
} from './key-value-store.ts'
import type { Sequence } from './sequence.ts'
import { distributionNames, masked, toDistributions } from './tensors.ts'

/** New tokens join the prompt's part of the cache after this many: the runtime copies them at every step. */
const recentTokens = 64

/** One graph for sequences with a trunk, one for those without. */
export interface DecodeSessions {
  alone(): Promise<InferenceSession>
  withTrunk(): Promise<InferenceSession>
}

export class DecodeBatch<T extends Sequence> {
  readonly sequences: readonly T[]
  readonly trunk: Trunk | undefined
  readonly #config: LlamaConfig
  readonly #pool: FloatPool
  /** Number of each sequence's own prompt positions. */
  readonly #promptLengths: readonly number[]
  readonly #mask: Tensor
  #store: KeyValueStore

  /** @param trunk the trunk of all sources, read in place; without it, trunks are copied */
  constructor(
    config: LlamaConfig,
    sources: readonly Growing<T>[],
    trunk: Trunk | undefined,
    pool: FloatPool,
  ) {
    this.#config = config
    this.#pool = pool
    this.trunk = trunk
    this.sequences = sources.map(({ sequence }) => sequence)
    const store = sources[0]!.store
    const isWhole =
      store.trunk === trunk &&
      store.recentLength === 0 &&
      store.pooled === undefined &&
      store.promptKeys[0]!.dims[0] === sources.length &&
      sources.every((source, row) => source.store === store && source.row === row)
    this.#store = isWhole ? store : gatherSequences(config, sources, trunk, pool)
    this.#promptLengths = sources.map(
      (source) => (trunk ? 0 : (source.store.trunk?.length ?? 0)) + ownLength(source),
    )
    const P = this.#store.promptLength
    const mask = new Float32Array(sources.length * P)
    this.#promptLengths.forEach((length, row) => {
      mask.fill(masked, row * P + length, (row + 1) * P)
    })
    this.#mask = new Tensor('float32', mask, [sources.length, 1, 1, P])
  }

  /** Sequences that are still growing, for the next batch. */
  remaining(): Growing<T>[] {
    return this.sequences.flatMap((sequence, row) =>
      sequence.isDone ? [] : [{ sequence, store: this.#store, row, promptLength: this.#promptLengths[row]! }],
    )
  }

  get growing(): number {
    return this.sequences.filter(({ isDone }) => !isDone).length
  }

  /** Whether a new batch of the remaining sequences is cheaper than continuing with this one. */
  get shouldRebuild(): boolean {
    return this.growing <= this.sequences.length / 2 || this.#store.recentLength >= recentTokens
  }

  /** Neither the batch nor its remaining sequences may be used afterwards. */
  release(): void {
    this.#pool.give(this.#store.pooled ?? [])
  }

  /** One more token for every unfinished sequence; finished ones stay in the batch until it is rebuilt. */
  async step(sessions: DecodeSessions): Promise<void> {
    const { layers, maxPositions } = this.#config
    const { promptLength, recentLength } = this.#store
    const { trunk } = this
    const start = recentLength + (trunk?.length ?? 0)
    const lengths = [...(trunk ? [trunk.length] : []), promptLength, recentLength + 1]
    const B = this.sequences.length
    const feeds: Record<string, Tensor> = {
      tokens: tensorOfIntegers(
        this.sequences.map(({ tokens }) => tokens.at(-1)!),
        [B, 1],
      ),
      positions: tensorOfIntegers(
        // Finished sequences may be past the last position; their results are not used.
        this.#promptLengths.map((length) => Math.min(length + start, maxPositions - 1)),
        [B, 1],
      ),
      mask: this.#mask,
      lengths: tensorOfIntegers(lengths, [lengths.length]),
      sharpness: new Tensor(
        'float32',
        Float32Array.from(this.sequences, ({ sharpness }) => sharpness),
        [B, 1],
      ),
    }
    const names = distributionNames(this.sequences.filter(({ isDone }) => !isDone))
    for (let layer = 0; layer < layers; layer++) {
      if (trunk) {
        feeds[cacheName(layer, 'key', 'trunk')] = trunk.keys[layer]!
        feeds[cacheName(layer, 'value', 'trunk')] = trunk.values[layer]!
      }
      feeds[cacheName(layer, 'key', 'prompt')] = this.#store.promptKeys[layer]!
      feeds[cacheName(layer, 'value', 'prompt')] = this.#store.promptValues[layer]!
      feeds[cacheName(layer, 'key', 'recent')] = this.#store.recentKeys[layer]!
      feeds[cacheName(layer, 'value', 'recent')] = this.#store.recentValues[layer]!
      names.push(cacheName(layer, 'key', 'next'), cacheName(layer, 'value', 'next'))
    }
    const session = await (trunk ? sessions.withTrunk() : sessions.alone())
    const outputs = await session.run(feeds, names)
    const nextOf = (part: 'key' | 'value') =>
      Array.from({ length: layers }, (_, layer) => outputs[cacheName(layer, part, 'next')]!)
    this.#store = {
      ...this.#store,
      recentLength: recentLength + 1,
      recentKeys: nextOf('key'),
      recentValues: nextOf('value'),
    }
    const distributions = toDistributions(outputs, this.#config)
    this.sequences.forEach((sequence, row) => {
      if (!sequence.isDone) sequence.take(distributions, row)
    })
  }
}

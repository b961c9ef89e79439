/**
 * The parts that the inference graphs share: the weights as constants, projections, rotation, feed-forward, and the head.
 * Shapes: B sequences, T tokens per sequence, N rows, D width, F inner width, H heads, K key-value heads, E head dimension,
 * P cached positions, V vocabulary.
 */
import { add, multiply } from '../graph/elementwise.ts'
import type { Graph, Shape, Value } from '../graph/graph.ts'
import {
  embeddingName,
  finalNormName,
  type LlamaConfig,
  layerPrefix,
  parameterShapes,
  type Weights,
} from '../models/llama-config.ts'
import { rotaryTables } from '../training/training-batch.ts'
import { quantizeColumns } from './quantized-weights.ts'

/** The common prefix of all sequences, the rest of each prompt, the tokens since, and those plus the newest. */
export type CachePart = 'trunk' | 'prompt' | 'recent' | 'next'

export const cacheName = (layer: number, part: 'key' | 'value', when: CachePart) => `${when}.${layer}.${part}`

/** How the layers' matrix products are computed; everything else is float32. */
export type Precision = 'float32' | 'int8'

/** Activations as unsigned bytes, with scale and zero point. */
type QuantizedValue = readonly [integers: Value, scale: Value, zero: Value]

/** Prompts are padded to a multiple of this: their queries attend in this many blocks. */
export const blockCount = 4

export class DecoderParts {
  readonly graph: Graph
  readonly config: LlamaConfig
  readonly #weights: Weights
  readonly #precision: Precision
  readonly #quantized = new Map<Value, QuantizedValue>()
  readonly #cosines: Value
  readonly #sines: Value

  constructor(graph: Graph, config: LlamaConfig, weights: Weights, precision: Precision = 'float32') {
    this.graph = graph
    this.config = config
    this.#weights = weights
    this.#precision = precision
    // The padding of the longest prompt needs positions too.
    const rows = Math.ceil(config.maxPositions / blockCount) * blockCount
    const positions = Int32Array.from({ length: rows }, (_, i) => i)
    const tables = rotaryTables(positions, config.headDimension, config.ropeTheta)
    const shape = [rows, config.headDimension / 2]
    this.#cosines = graph.tensor('cosines', shape, tables.cosines)
    this.#sines = graph.tensor('sines', shape, tables.sines)
  }

  /** tokens [B, T] to [B, T, D]. */
  embed(tokens: Value): Value {
    const { hiddenSize, vocabularySize } = this.config
    const table = this.graph.tensor(
      embeddingName,
      [vocabularySize, hiddenSize],
      this.#weights.get(embeddingName)!,
    )
    return this.graph.node('Gather', [table, tokens], { shape: [...tokens.shape, hiddenSize] })
  }

  /** Root-mean-square norm over the last axis, with the weight of that name. */
  norm(x: Value, name: string): Value {
    const weight = this.graph.tensor(name, [this.config.hiddenSize], this.#weights.get(name)!)
    return this.graph.node('SimplifiedLayerNormalization', [x, weight], {
      shape: x.shape,
      attributes: { axis: -1, epsilon: { float: this.config.rmsNormEpsilon } },
    })
  }

  /** x [..., in] times the layer's weight [out, in] transposed, times `scale`. */
  project(x: Value, layer: number, name: string, scale = 1): Value {
    const full = `${layerPrefix(layer)}${name}.weight`
    const [to, from] = parameterShapes(this.config).get(full) as [number, number]
    const matrix = transposed(this.#weights.get(full)!, to, from, scale)
    const shape = [...x.shape.slice(0, -1), to]
    if (this.#precision === 'float32') {
      return this.graph.node('MatMul', [x, this.graph.tensor(full, [from, to], matrix)], { shape })
    }
    const { integers, scales } = quantizeColumns(matrix, to)
    const [activations, activationScale, zero] = this.#quantize(x)
    const inputs = [
      activations,
      this.graph.bytes(full, [from, to], integers),
      activationScale,
      this.graph.tensor(`${full}.scales`, [to], scales),
      zero,
    ]
    return this.graph.node('MatMulIntegerToFloat', inputs, { shape, domain: 'com.microsoft' })
  }

  /** One scale for the whole tensor, from its extremes: a sequence is independent of others only if it is alone. */
  #quantize(x: Value): QuantizedValue {
    const known = this.#quantized.get(x)
    if (known) return known
    const outputs = this.graph.nodeWithTypedOutputs(
      'DynamicQuantizeLinear',
      [x],
      [
        { shape: x.shape, type: 'uint8' },
        { shape: [], type: 'float32' },
        { shape: [], type: 'uint8' },
      ],
    ) as unknown as QuantizedValue
    this.#quantized.set(x, outputs)
    return outputs
  }

  /** Queries [B, H, T, E], rotated and already divided by the root of E. */
  queries(x: Value, layer: number, positions: Value): Value {
    const { heads, headDimension } = this.config
    const scaled = this.project(x, layer, 'self_attn.q_proj', 1 / Math.sqrt(headDimension))
    return this.#rotate(this.#byHead(scaled, heads), positions)
  }

  /** Rotated keys and values, [B, K, T, E] each. */
  keysAndValues(x: Value, layer: number, positions: Value): [Value, Value] {
    const { keyValueHeads } = this.config
    return [
      this.#rotate(this.#byHead(this.project(x, layer, 'self_attn.k_proj'), keyValueHeads), positions),
      this.#byHead(this.project(x, layer, 'self_attn.v_proj'), keyValueHeads),
    ]
  }

  /** Adds the projected attention result [B, H, T, E], then the feed-forward part, to hidden [B, T, D]. */
  finishLayer(hidden: Value, mixed: Value, layer: number): Value {
    const { graph } = this
    const [B, H, T, E] = mixed.shape as [number, number, number, number]
    const byToken = graph.node('Transpose', [mixed], {
      shape: [B, T, H, E],
      attributes: { perm: [0, 2, 1, 3] },
    })
    const joined = this.reshape(byToken, [0, 0, H * E], [B, T, H * E])
    const attended = add(graph, hidden, this.project(joined, layer, 'self_attn.o_proj'))
    const normal = this.norm(attended, `${layerPrefix(layer)}post_attention_layernorm.weight`)
    const gate = this.project(normal, layer, 'mlp.gate_proj')
    const activated = multiply(graph, gate, graph.node('Sigmoid', [gate], { shape: gate.shape }))
    const inner = multiply(graph, activated, this.project(normal, layer, 'mlp.up_proj'))
    return add(graph, attended, this.project(inner, layer, 'mlp.down_proj'))
  }

  /**
   * From hidden [N, D], three outputs: `best` [N] (the token with the largest logit, the first of equal ones),
   * `logprobs` [N, V] at temperature 1, `probabilities` [N, V] of logits times the input `sharpness` [N, 1].
   */
  head(hidden: Value): void {
    const { graph } = this
    const { vocabularySize: V, hiddenSize: D } = this.config
    const table = graph.tensor(embeddingName, [V, D], this.#weights.get(embeddingName)!)
    const logits = graph.node('Gemm', [this.norm(hidden, finalNormName), table], {
      shape: [-1, V],
      attributes: { transB: 1 },
    })
    const sharpness = graph.input('sharpness', [-1, 1])
    const scaled = graph.node('Mul', [logits, sharpness], { shape: [-1, V] })
    const best = graph.node('ArgMax', [logits], {
      shape: [-1],
      type: 'int64',
      attributes: { axis: -1, keepdims: 0 },
    })
    graph.output('best', best)
    graph.output('logprobs', graph.node('LogSoftmax', [logits], { shape: [-1, V], attributes: { axis: -1 } }))
    graph.output(
      'probabilities',
      graph.node('Softmax', [scaled], { shape: [-1, V], attributes: { axis: -1 } }),
    )
  }

  /** In `to`, 0 keeps an axis and -1 takes the rest; `shape` is the result's, as far as known. */
  reshape(x: Value, to: readonly number[], shape: Shape): Value {
    return this.graph.node('Reshape', [x, this.graph.integers(to)], { shape, type: x.type })
  }

  matmul(a: Value, b: Value): Value {
    return this.graph.node('MatMul', [a, b], { shape: [...a.shape.slice(0, -1), b.shape.at(-1)!] })
  }

  softmax(x: Value): Value {
    return this.graph.node('Softmax', [x], { shape: x.shape, attributes: { axis: -1 } })
  }

  /** Concatenates parts along an axis, whose length is unknown (-1) in the result. */
  concatenate(parts: readonly Value[], axis: number): Value {
    if (parts.length === 1) return parts[0]!
    return this.graph.node('Concat', parts, {
      shape: parts[0]!.shape.map((dimension, i) => (i === axis ? -1 : dimension)),
      attributes: { axis },
    })
  }

  /** [B, T, heads * E] to [B, heads, T, E]. */
  #byHead(x: Value, heads: number): Value {
    const [B, T] = x.shape as [number, number]
    const E = this.config.headDimension
    return this.graph.node('Transpose', [this.reshape(x, [0, 0, heads, E], [B, T, heads, E])], {
      shape: [B, heads, T, E],
      attributes: { perm: [0, 2, 1, 3] },
    })
  }

  /** positions: [1], the position of every sequence's first token, or [B, T]. */
  #rotate(x: Value, positions: Value): Value {
    return this.graph.node('RotaryEmbedding', [x, positions, this.#cosines, this.#sines], {
      shape: x.shape,
      domain: 'com.microsoft',
      attributes: { interleaved: 0 },
    })
  }
}

function transposed(values: Float32Array, rows: number, columns: number, scale = 1): Float32Array {
  const result = new Float32Array(values.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      result[column * rows + row] = values[row * columns + column]! * scale
    }
  }
  return result
}

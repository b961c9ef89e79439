/**
 * The Llama decoder as a graph: RMSNorm, rotary positions, grouped-query attention, SwiGLU, tied embeddings.
 * B rows, T tokens per row, D width, H heads, K key-value heads, E head dimension.
 */
import { attend } from '../graph/attention.ts'
import { add, multiply, silu } from '../graph/elementwise.ts'
import { gatherRows } from '../graph/gather.ts'
import type { Graph, Value } from '../graph/graph.ts'
import { linear } from '../graph/matmul.ts'
import { rmsNorm } from '../graph/normalization.ts'
import { rotate } from '../graph/rotary.ts'
import { concatenate, reshape, slice, transpose } from '../graph/shape.ts'
import {
  embeddingName,
  finalNormName,
  type LlamaConfig,
  layerPrefix,
  parameterShapes,
} from './llama-config.ts'

/** Parameters as graph inputs, by name. */
export function parameterInputs(graph: Graph, config: LlamaConfig): Map<string, Value> {
  return new Map([...parameterShapes(config)].map(([name, shape]) => [name, graph.input(name, shape)]))
}

export interface DecoderInputs {
  readonly rows: number
  readonly rowLength: number
  /** [B*T] */
  readonly tokens: Value
  /** [B, T, 1, E/2] */
  readonly cosines: Value
  readonly sines: Value
  /** [B, 1, T, T]: 0 where a token (row) may attend another (column), a large negative number elsewhere. */
  readonly mask: Value
}

/** Hidden states before the final norm, [B*T, D]. */
export function decoder(
  graph: Graph,
  config: LlamaConfig,
  parameters: ReadonlyMap<string, Value>,
  inputs: DecoderInputs,
): Value {
  let hidden = gatherRows(graph, parameters.get(embeddingName)!, inputs.tokens)
  for (let layer = 0; layer < config.layers; layer++) {
    const weight = (name: string) => parameters.get(`${layerPrefix(layer)}${name}.weight`)!
    const normal = rmsNorm(graph, hidden, weight('input_layernorm'), config.rmsNormEpsilon)
    hidden = add(graph, hidden, attention(graph, config, weight, normal, inputs))
    const second = rmsNorm(graph, hidden, weight('post_attention_layernorm'), config.rmsNormEpsilon)
    const gate = silu(graph, linear(graph, second, weight('mlp.gate_proj')))
    const inner = multiply(graph, gate, linear(graph, second, weight('mlp.up_proj')))
    hidden = add(graph, hidden, linear(graph, inner, weight('mlp.down_proj')))
  }
  return hidden
}

/** Logits [N, V] of some rows of the hidden states; the output matrix is the embedding. */
export function logitsOf(
  graph: Graph,
  config: LlamaConfig,
  parameters: ReadonlyMap<string, Value>,
  hidden: Value,
  rows: Value,
): Value {
  const picked = gatherRows(graph, hidden, rows)
  const normal = rmsNorm(graph, picked, parameters.get(finalNormName)!, config.rmsNormEpsilon)
  return linear(graph, normal, parameters.get(embeddingName)!)
}

function attention(
  graph: Graph,
  config: LlamaConfig,
  weight: (name: string) => Value,
  x: Value,
  inputs: DecoderInputs,
): Value {
  const { rows: B, rowLength: T, cosines, sines, mask } = inputs
  const { heads: H, keyValueHeads: K, headDimension: E } = config
  const heads = (name: string, count: number) =>
    reshape(graph, linear(graph, x, weight(name)), [B, T, count, E])
  const byHead = (value: Value) => transpose(graph, value, [0, 2, 1, 3])
  const queries = byHead(rotate(graph, heads('self_attn.q_proj', H), cosines, sines))
  const keys = byHead(rotate(graph, heads('self_attn.k_proj', K), cosines, sines))
  const values = byHead(heads('self_attn.v_proj', K))
  // Blocks of queries see keys only up to their own end: blocks above the diagonal are not computed.
  const blocks = queryBlocks(T).map(([from, to]) => {
    const part = slice(graph, queries, 2, from, to)
    // The query heads of one key-value head are stacked, so that one product serves them all.
    const shared = reshape(graph, part, [B, K, (H / K) * (to - from), E])
    const blockMask = slice(graph, slice(graph, mask, 2, from, to), 3, 0, to)
    const mixed = attend(
      graph,
      shared,
      slice(graph, keys, 2, 0, to),
      slice(graph, values, 2, 0, to),
      blockMask,
    )
    return reshape(graph, mixed, [B, H, to - from, E])
  })
  const mixed = blocks.length === 1 ? blocks[0]! : concatenate(graph, blocks, 2)
  const joined = reshape(graph, transpose(graph, mixed, [0, 2, 1, 3]), [B * T, H * E])
  return linear(graph, joined, weight('self_attn.o_proj'))
}

/** Shorter blocks save more but need more calls; this is the measured optimum. */
const blockLength = 128

function queryBlocks(length: number): [from: number, to: number][] {
  const count = Math.max(1, Math.round(length / blockLength))
  return Array.from({ length: count }, (_, i) => [
    Math.floor((i * length) / count),
    Math.floor(((i + 1) * length) / count),
  ])
}

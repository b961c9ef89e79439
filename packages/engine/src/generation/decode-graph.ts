/**
 * Adds one token to every sequence. The runtime copies the tensors that it extends, so the prompt's keys and values are
 * read-only inputs, and later tokens have a short buffer of their own: two products, one softmax.
 */
import { Graph, type Value } from '../graph/graph.ts'
import { type LlamaConfig, layerPrefix, type Weights } from '../models/llama-config.ts'
import { serializeModel } from '../onnx/serialize.ts'
import { type CachePart, cacheName, DecoderParts } from './decoder-parts.ts'

/**
 * Inputs: `tokens` [B, 1], `positions` [B, 1], `mask` [B, 1, 1, P] added to the scores of the prompt, `lengths` [2] = [P, n + 1],
 * `prompt.L.key` [B, K, E, P], `prompt.L.value` [B, K, P, E], `recent.L.key|value` [B, K, n, E], `sharpness` [B, 1].
 * With a trunk, the common prefix of all sequences, also `trunk.L.key` [1, K, E, Q], `trunk.L.value` [1, K, Q, E], and `lengths`
 * [3] = [Q, P, n + 1].
 * Outputs: `next.L.key|value` [B, K, n + 1, E], and the outputs of `DecoderParts.head`.
 */
export function createDecodeModel(config: LlamaConfig, weights: Weights, hasTrunk = false): Uint8Array {
  const graph = new Graph()
  const parts = new DecoderParts(graph, config, weights)
  const { hiddenSize: D, heads: H, keyValueHeads: K, headDimension: E } = config
  const perHead = H / K
  const tokens = graph.input('tokens', [-1, 1], 'int64')
  const positions = graph.input('positions', [-1, 1], 'int64')
  const mask = graph.input('mask', [-1, 1, 1, -1])
  const lengths = graph.input('lengths', [hasTrunk ? 3 : 2], 'int64')
  /** [B, K, ...] to [K, B, ...] and back. */
  const swap = (x: Value) =>
    graph.node('Transpose', [x], { shape: x.shape, attributes: { perm: [1, 0, 2, 3] } })
  /** x [B, K, H / K, a] times shared [1, K, a, b]: one product per head for all sequences together. */
  const timesShared = (x: Value, shared: Value) => {
    const together = parts.reshape(swap(x), [1, K, -1, 0], [1, K, -1, x.shape.at(-1)!])
    const product = parts.matmul(together, shared)
    return swap(parts.reshape(product, [K, -1, perHead, 0], [K, -1, perHead, shared.shape.at(-1)!]))
  }
  let hidden = parts.embed(tokens)
  for (let layer = 0; layer < config.layers; layer++) {
    const name = (when: CachePart, part: 'key' | 'value') => cacheName(layer, part, when)
    const normal = parts.norm(hidden, `${layerPrefix(layer)}input_layernorm.weight`)
    const queries = parts.reshape(
      parts.queries(normal, layer, positions),
      [0, K, perHead, E],
      [-1, K, perHead, E],
    )
    const [key, value] = parts.keysAndValues(normal, layer, positions)
    const recentKeys = graph.input(name('recent', 'key'), [-1, K, -1, E])
    const recentValues = graph.input(name('recent', 'value'), [-1, K, -1, E])
    const keys = parts.concatenate([recentKeys, key], 2)
    const values = parts.concatenate([recentValues, value], 2)
    graph.output(name('next', 'key'), keys)
    graph.output(name('next', 'value'), values)

    const promptKeys = graph.input(name('prompt', 'key'), [-1, K, E, -1])
    const promptValues = graph.input(name('prompt', 'value'), [-1, K, -1, E])
    const promptScores = graph.node('Add', [parts.matmul(queries, promptKeys), mask], {
      shape: [-1, K, perHead, -1],
    })
    const recentScores = graph.node('FusedMatMul', [queries, keys], {
      shape: [-1, K, perHead, -1],
      domain: 'com.microsoft',
      attributes: { transA: 0, transB: 1, alpha: { float: 1 } },
    })
    const trunk = hasTrunk
      ? [graph.input(name('trunk', 'key'), [1, K, E, -1]), graph.input(name('trunk', 'value'), [1, K, -1, E])]
      : undefined
    const scores = [...(trunk ? [timesShared(queries, trunk[0]!)] : []), promptScores, recentScores]
    const attention = parts.softmax(parts.concatenate(scores, 3))
    const shares = graph.nodeWithOutputs(
      'Split',
      [attention, lengths],
      scores.map(() => attention.shape),
      { attributes: { axis: 3 } },
    )
    const [toPrompt, toRecent] = shares.slice(-2) as [Value, Value]
    const sum = (a: Value, b: Value) => graph.node('Add', [a, b], { shape: [-1, K, perHead, E] })
    const own = sum(parts.matmul(toPrompt, promptValues), parts.matmul(toRecent, values))
    const mixed = trunk ? sum(own, timesShared(shares[0]!, trunk[1]!)) : own
    hidden = parts.finishLayer(hidden, parts.reshape(mixed, [0, H, 1, E], [-1, H, 1, E]), layer)
  }
  parts.head(parts.reshape(hidden, [-1, D], [-1, D]))
  return serializeModel(graph)
}

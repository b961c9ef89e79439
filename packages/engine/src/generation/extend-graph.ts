/**
 * Several short continuations of one trunk, whose keys and values are cached once: rollouts of one group share question and
 * section and differ in their memories. The trunk's scores take one product per head for all continuations.
 */
import { Graph, type Value } from '../graph/graph.ts'
import { type LlamaConfig, layerPrefix, type Weights } from '../models/llama-config.ts'
import { serializeModel } from '../onnx/serialize.ts'
import { cacheName, DecoderParts } from './decoder-parts.ts'

/**
 * B continuations of T tokens after a trunk of P; M = T * H / K query rows per key-value head.
 * Inputs: `tokens` [B, T]; `start` [1] = P; `mask` [M, T] added to the scores among a continuation's own tokens;
 * `lengths` [2] = [P, T]; `scoreShape` [4] = [K, B, M, P] and `mixedShape` [4] = [K, B, M, E]; `headRows` [N] flat indices
 * into B*T; `sharpness` [N, 1]; `prompt.L.key` [1, K, E, P], `prompt.L.value` [1, K, P, E].
 * Outputs: `next.L.key|value` [B, K, T, E], and the outputs of `DecoderParts.head`.
 */
export function createExtendModel(config: LlamaConfig, weights: Weights): Uint8Array {
  const graph = new Graph()
  const parts = new DecoderParts(graph, config, weights)
  const { hiddenSize: D, heads: H, keyValueHeads: K, headDimension: E } = config
  const tokens = graph.input('tokens', [-1, -1], 'int64')
  const start = graph.input('start', [1], 'int64')
  const mask = graph.input('mask', [-1, -1])
  const lengths = graph.input('lengths', [2], 'int64')
  const scoreShape = graph.input('scoreShape', [4], 'int64')
  const mixedShape = graph.input('mixedShape', [4], 'int64')
  /** Swaps continuations and key-value heads: [B, K, ...] and [K, B, ...]. */
  const swap = (x: Value) =>
    graph.node('Transpose', [x], { shape: x.shape, attributes: { perm: [1, 0, 2, 3] } })
  const reshapeAs = (x: Value, shape: Value, last: number) =>
    graph.node('Reshape', [x, shape], { shape: [K, -1, -1, last] })
  let hidden = parts.embed(tokens)
  for (let layer = 0; layer < config.layers; layer++) {
    const trunkKeys = graph.input(cacheName(layer, 'key', 'prompt'), [1, K, E, -1])
    const trunkValues = graph.input(cacheName(layer, 'value', 'prompt'), [1, K, -1, E])
    const normal = parts.norm(hidden, `${layerPrefix(layer)}input_layernorm.weight`)
    const [keys, values] = parts.keysAndValues(normal, layer, start)
    graph.output(cacheName(layer, 'key', 'next'), keys)
    graph.output(cacheName(layer, 'value', 'next'), values)
    const queries = swap(parts.reshape(parts.queries(normal, layer, start), [0, K, -1, E], [-1, K, -1, E]))
    const together = parts.reshape(queries, [1, K, -1, E], [1, K, -1, E])
    const trunkScores = reshapeAs(parts.matmul(together, trunkKeys), scoreShape, -1)
    const ownScores = graph.node('FusedMatMul', [queries, swap(keys)], {
      shape: [K, -1, -1, -1],
      domain: 'com.microsoft',
      attributes: { transA: 0, transB: 1, alpha: { float: 1 } },
    })
    const masked = graph.node('Add', [ownScores, mask], { shape: [K, -1, -1, -1] })
    const attention = parts.softmax(parts.concatenate([trunkScores, masked], 3))
    const [toTrunk, toOwn] = graph.nodeWithOutputs(
      'Split',
      [attention, lengths],
      [attention.shape, attention.shape],
      { attributes: { axis: 3 } },
    ) as [Value, Value]
    const fromTrunk = parts.matmul(parts.reshape(toTrunk, [1, K, -1, 0], [1, K, -1, -1]), trunkValues)
    const mixed = graph.node(
      'Add',
      [reshapeAs(fromTrunk, mixedShape, E), parts.matmul(toOwn, swap(values))],
      { shape: [K, -1, -1, E] },
    )
    hidden = parts.finishLayer(hidden, parts.reshape(swap(mixed), [0, H, -1, E], [-1, H, -1, E]), layer)
  }
  const flat = parts.reshape(hidden, [-1, D], [-1, D])
  parts.head(graph.node('Gather', [flat, graph.input('headRows', [-1], 'int64')], { shape: [-1, D] }))
  return serializeModel(graph)
}

/**
 * One more token for every sequence. The runtime copies what it is given to extend, so the prompt's keys and values are
 * inputs that are only read, and the tokens since then are in a short buffer of their own: two products, one softmax.
 */
import { Graph, type Value } from '../graph/graph.ts'
import { type LlamaConfig, layerPrefix, type Weights } from '../models/llama-config.ts'
import { serializeModel } from '../onnx/serialize.ts'
import { cacheName, DecoderParts } from './decoder-parts.ts'

/**
 * Inputs: `tokens` [B, 1], `positions` [B, 1], `mask` [B, 1, 1, P] added to the scores of the prompt, `lengths` [2] = [P, n + 1],
 * `prompt.L.key` [B, K, E, P], `prompt.L.value` [B, K, P, E], `recent.L.key|value` [B, K, n, E], `sharpness` [B, 1].
 * Outputs: `next.L.key|value` [B, K, n + 1, E], and those of `DecoderParts.head`.
 */
export function buildDecodeModel(config: LlamaConfig, weights: Weights): Uint8Array {
  const graph = new Graph()
  const parts = new DecoderParts(graph, config, weights)
  const { hiddenSize: D, heads: H, keyValueHeads: K, headDimension: E } = config
  const tokens = graph.input('tokens', [-1, 1], 'int64')
  const positions = graph.input('positions', [-1, 1], 'int64')
  const mask = graph.input('mask', [-1, 1, 1, -1])
  const lengths = graph.input('lengths', [2], 'int64')
  let hidden = parts.embed(tokens)
  for (let layer = 0; layer < config.layers; layer++) {
    const input = (when: 'prompt' | 'recent', part: 'key' | 'value', isTurned = false) =>
      graph.input(cacheName(layer, part, when), isTurned ? [-1, K, E, -1] : [-1, K, -1, E])
    const normal = parts.norm(hidden, `${layerPrefix(layer)}input_layernorm.weight`)
    const queries = parts.reshape(
      parts.queries(normal, layer, positions),
      [0, K, H / K, E],
      [-1, K, H / K, E],
    )
    const [key, value] = parts.keysAndValues(normal, layer, positions)
    const keys = parts.concatenate([input('recent', 'key'), key], 2)
    const values = parts.concatenate([input('recent', 'value'), value], 2)
    graph.output(cacheName(layer, 'key', 'next'), keys)
    graph.output(cacheName(layer, 'value', 'next'), values)

    const promptScores = graph.node('Add', [parts.matmul(queries, input('prompt', 'key', true)), mask], {
      shape: [-1, K, H / K, -1],
    })
    const recentScores = graph.node('FusedMatMul', [queries, keys], {
      shape: [-1, K, H / K, -1],
      domain: 'com.microsoft',
      attributes: { transA: 0, transB: 1, alpha: { float: 1 } },
    })
    const attention = parts.softmax(parts.concatenate([promptScores, recentScores], 3))
    const [toPrompt, toRecent] = graph.nodeWithOutputs(
      'Split',
      [attention, lengths],
      [attention.shape, attention.shape],
      { attributes: { axis: 3 } },
    ) as [Value, Value]
    const mixed = graph.node(
      'Add',
      [parts.matmul(toPrompt, input('prompt', 'value')), parts.matmul(toRecent, values)],
      { shape: [-1, K, H / K, E] },
    )
    hidden = parts.finishLayer(hidden, parts.reshape(mixed, [0, H, 1, E], [-1, H, 1, E]), layer)
  }
  parts.head(parts.reshape(hidden, [-1, D], [-1, D]))
  return serializeModel(graph)
}

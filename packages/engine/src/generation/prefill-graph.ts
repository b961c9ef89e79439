/**
 * Reads whole prompts of similar length: caches every token's keys and values and gives next-token distributions for
 * chosen rows. Queries attend in blocks, each only to the keys up to its end, so that most of the half that causality
 * forbids is not computed; the last layer runs for the chosen rows alone.
 */
import { Graph, type Value } from '../graph/graph.ts'
import { type LlamaConfig, layerPrefix, type Weights } from '../models/llama-config.ts'
import { serializeModel } from '../onnx/serialize.ts'
import { cacheName, DecoderParts, type Precision } from './decoder-parts.ts'

/** Prompts are padded to a multiple of this. */
export const blockCount = 4

export const maskName = (block: number) => `mask.${block}`

/**
 * Inputs: `tokens` [B, T]; `mask.i` [T/4, (i+1) * T/4] added to the scores of block i; `rows` [B, R] flat indices into
 * B*T of the rows that the last layer computes, `rowPositions` [B, R] their positions, `rowMask` [B, 1, R, T];
 * `headRows` [N] flat indices into B*R of the rows that need a distribution; `sharpness` [N, 1].
 * Outputs: `prompt.L.key` [B, K, E, T], `prompt.L.value` [B, K, T, E], and those of `DecoderParts.head`.
 */
export function buildPrefillModel(
  config: LlamaConfig,
  weights: Weights,
  precision: Precision = 'float32',
  blocks = blockCount,
): Uint8Array {
  const graph = new Graph()
  const parts = new DecoderParts(graph, config, weights, precision)
  const { hiddenSize: D, keyValueHeads: K, headDimension: E } = config
  const masks = Array.from({ length: blocks }, (_, i) => graph.input(maskName(i), [-1, -1]))
  const fromZero = graph.integers([0])
  let hidden = parts.embed(graph.input('tokens', [-1, -1], 'int64'))
  for (let layer = 0; layer < config.layers; layer++) {
    const normal = parts.norm(hidden, `${layerPrefix(layer)}input_layernorm.weight`)
    const [keys, values] = parts.keysAndValues(normal, layer, fromZero)
    const turned = graph.node('Transpose', [keys], {
      shape: [-1, K, E, -1],
      attributes: { perm: [0, 1, 3, 2] },
    })
    graph.output(cacheName(layer, 'key', 'prompt'), turned)
    graph.output(cacheName(layer, 'value', 'prompt'), values)
    if (layer < config.layers - 1) {
      const queries = parts.queries(normal, layer, fromZero)
      hidden = parts.finishLayer(hidden, attendInBlocks(parts, queries, turned, values, masks), layer)
    } else {
      const rows = graph.input('rows', [-1, -1], 'int64')
      const pick = (x: Value) =>
        graph.node('Gather', [parts.reshape(x, [-1, D], [-1, D]), rows], { shape: [-1, -1, D] })
      const queries = parts.queries(pick(normal), layer, graph.input('rowPositions', [-1, -1], 'int64'))
      const mixed = attend(parts, queries, turned, values, graph.input('rowMask', [-1, 1, -1, -1]))
      hidden = parts.finishLayer(pick(hidden), mixed, layer)
    }
  }
  const flat = parts.reshape(hidden, [-1, D], [-1, D])
  parts.head(graph.node('Gather', [flat, graph.input('headRows', [-1], 'int64')], { shape: [-1, D] }))
  return serializeModel(graph)
}

/** queries [B, H, T', E], keys [B, K, E, T], values [B, K, T, E]; the mask is added to the scores [B, H, T', T]. */
function attend(parts: DecoderParts, queries: Value, keys: Value, values: Value, mask: Value): Value {
  const { heads: H, keyValueHeads: K, headDimension: E } = parts.config
  // The query heads of one key-value head are laid under each other, so that one product serves them all.
  const shared = parts.reshape(queries, [0, K, -1, E], [-1, K, -1, E])
  const scores = parts.reshape(parts.matmul(shared, keys), [0, H, -1, 0], [-1, H, -1, -1])
  const weights = parts.softmax(parts.graph.node('Add', [scores, mask], { shape: [-1, H, -1, -1] }))
  const mixed = parts.matmul(parts.reshape(weights, [0, K, -1, 0], [-1, K, -1, -1]), values)
  return parts.reshape(mixed, [0, H, -1, E], [-1, H, -1, E])
}

function attendInBlocks(
  parts: DecoderParts,
  queries: Value,
  keys: Value,
  values: Value,
  masks: readonly Value[],
): Value {
  if (masks.length === 1) return attend(parts, queries, keys, values, masks[0]!)
  const split = (x: Value, axis: number) =>
    parts.graph.nodeWithOutputs(
      'Split',
      [x],
      masks.map(() => x.shape),
      { attributes: { axis } },
    )
  const [queryBlocks, keyBlocks, valueBlocks] = [split(queries, 2), split(keys, 3), split(values, 2)]
  const mixed = masks.map((mask, i) => {
    const seenKeys = parts.concatenate(keyBlocks.slice(0, i + 1), 3)
    const seenValues = parts.concatenate(valueBlocks.slice(0, i + 1), 2)
    return attend(parts, queryBlocks[i]!, seenKeys, seenValues, mask)
  })
  return parts.concatenate(mixed, 2)
}

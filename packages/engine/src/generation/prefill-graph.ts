/**
 * Reads whole prompts of similar length: caches every token's keys and values and gives next-token distributions for
 * chosen rows. Queries attend in blocks, each only to the keys up to its end, which skips most of the half that causality
 * forbids; the last layer runs only for the chosen rows.
 */
import { Graph, type Value } from '../graph/graph.ts'
import { type LlamaConfig, layerPrefix, type Weights } from '../models/llama-config.ts'
import { serializeModel } from '../onnx/serialize.ts'
import { blockCount, cacheName, DecoderParts, type Precision } from './decoder-parts.ts'

export const limitName = (block: number) => `limit.${block}`
export const endName = (block: number) => `end.${block}`

export interface PrefillOptions {
  readonly precision?: Precision | undefined
  /**
   * Whether keys and values are outputs. Copying them out costs a sixth of a pass, wasted when a draft holds.
   * @default true
   */
  readonly caches?: boolean | undefined
}

/**
 * Inputs: `tokens` [B, T]; `limit.i` [T/4, (i+1) * T/4], the most that a score of block i may be above that of a position
 * with itself; `end.i` [1], where block i ends (of all but the last); `ones` [B, K, 1, T]; `rows` [B, R] flat indices into
 * B*T of the rows that the last layer computes, `rowPositions` [B, R] their positions, `rowMask` [B, 1, R, T] added to
 * their scores; `headRows` [N] flat indices into B*R of the rows that need a distribution; `sharpness` [N, 1].
 * Outputs: `prompt.L.key` [B, K, E, T] and `prompt.L.value` [B, K, T, E] with `caches`, and the outputs of `DecoderParts.head`.
 */
export function createPrefillModel(
  config: LlamaConfig,
  weights: Weights,
  { precision = 'float32', caches = true }: PrefillOptions = {},
): Uint8Array {
  const graph = new Graph()
  const parts = new DecoderParts(graph, config, weights, precision)
  const { hiddenSize: D, keyValueHeads: K, headDimension: E } = config
  const limits = Array.from({ length: blockCount }, (_, i) => graph.input(limitName(i), [-1, -1]))
  const ends = limits.slice(1).map((_, i) => graph.input(endName(i), [1], 'int64'))
  const ones = graph.input('ones', [-1, K, 1, -1])
  const fromZero = graph.integers([0])
  let hidden = parts.embed(graph.input('tokens', [-1, -1], 'int64'))
  for (let layer = 0; layer < config.layers; layer++) {
    const normal = parts.norm(hidden, `${layerPrefix(layer)}input_layernorm.weight`)
    const [keys, values] = parts.keysAndValues(normal, layer, fromZero)
    const turned = graph.node('Transpose', [keys], {
      shape: [-1, K, E, -1],
      attributes: { perm: [0, 1, 3, 2] },
    })
    if (caches) {
      graph.output(cacheName(layer, 'key', 'prompt'), turned)
      graph.output(cacheName(layer, 'value', 'prompt'), values)
    }
    if (layer < config.layers - 1) {
      const queries = aboveSelf(parts, parts.queries(normal, layer, fromZero), keys)
      const mixed = attendInBlocks(parts, queries, parts.concatenate([turned, ones], 2), values, limits, ends)
      hidden = parts.finishLayer(hidden, mixed, layer)
    } else {
      const rows = graph.input('rows', [-1, -1], 'int64')
      const pick = (x: Value) =>
        graph.node('Gather', [parts.reshape(x, [-1, D], [-1, D]), rows], { shape: [-1, -1, D] })
      const queries = parts.queries(pick(normal), layer, graph.input('rowPositions', [-1, -1], 'int64'))
      const rowMask = graph.input('rowMask', [-1, 1, -1, -1])
      const mixed = attend(parts, queries, turned, values, 'Add', rowMask)
      hidden = parts.finishLayer(pick(hidden), mixed, layer)
    }
  }
  const flat = parts.reshape(hidden, [-1, D], [-1, D])
  parts.head(graph.node('Gather', [flat, graph.input('headRows', [-1], 'int64')], { shape: [-1, D] }))
  return serializeModel(graph)
}

/**
 * Appends one number to each query [B, H, T, E], giving [B, H, T, E+1], so that products with keys that end in a one are
 * scores relative to the position's score with itself. The softmax is the same, and scores that a limit puts far below zero
 * vanish from every sum without denormal numbers; a mask that produces those costs a quarter of the pass.
 */
function aboveSelf(parts: DecoderParts, queries: Value, keys: Value): Value {
  const { graph } = parts
  const { heads: H, keyValueHeads: K, headDimension: E } = parts.config
  const grouped = parts.reshape(queries, [0, K, H / K, -1, E], [-1, K, H / K, -1, E])
  const own = parts.reshape(keys, [0, K, 1, -1, E], [-1, K, 1, -1, E])
  const products = graph.node('Mul', [grouped, own], { shape: [-1, K, H / K, -1, E] })
  const self = graph.node('ReduceSum', [products, graph.integers([4])], {
    shape: [-1, K, H / K, -1, 1],
    attributes: { keepdims: 1 },
  })
  const negative = graph.node('Neg', [self], { shape: [-1, K, H / K, -1, 1] })
  return graph.node('Concat', [queries, parts.reshape(negative, [0, H, -1, 1], [-1, H, -1, 1])], {
    shape: [-1, H, -1, E + 1],
    attributes: { axis: 3 },
  })
}

/** queries [B, H, T', X], keys [B, K, X, T], values [B, K, T, E]; `Add` or `Min` joins scores [B, H, T', T] and mask. */
function attend(
  parts: DecoderParts,
  queries: Value,
  keys: Value,
  values: Value,
  join: 'Add' | 'Min',
  mask: Value,
): Value {
  const { heads: H, keyValueHeads: K, headDimension: E } = parts.config
  const X = queries.shape.at(-1)!
  // The query heads of one key-value head are stacked, so that one product serves them all.
  const shared = parts.reshape(queries, [0, K, -1, X], [-1, K, -1, X])
  const scores = parts.reshape(parts.matmul(shared, keys), [0, H, -1, 0], [-1, H, -1, -1])
  const weights = parts.softmax(parts.graph.node(join, [scores, mask], { shape: [-1, H, -1, -1] }))
  const mixed = parts.matmul(parts.reshape(weights, [0, K, -1, 0], [-1, K, -1, -1]), values)
  return parts.reshape(mixed, [0, H, -1, E], [-1, H, -1, E])
}

function attendInBlocks(
  parts: DecoderParts,
  queries: Value,
  keys: Value,
  values: Value,
  limits: readonly Value[],
  ends: readonly Value[],
): Value {
  const { graph } = parts
  const blocks = graph.nodeWithOutputs(
    'Split',
    [queries],
    limits.map(() => queries.shape),
    { attributes: { axis: 2 } },
  )
  const mixed = limits.map((limit, i) => {
    const upTo = (x: Value, axis: number) =>
      i === limits.length - 1
        ? x
        : graph.node('Slice', [x, graph.integers([0]), ends[i]!, graph.integers([axis])], { shape: x.shape })
    return attend(parts, blocks[i]!, upTo(keys, 3), upTo(values, 2), 'Min', limit)
  })
  return parts.concatenate(mixed, 2)
}

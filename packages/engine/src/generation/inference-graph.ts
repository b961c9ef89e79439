/**
 * The decoder for generation: weights inside, any number of tokens behind any number of cached ones, logits for chosen
 * rows only. Uses the runtime's GroupQueryAttention, which rotates, caches and attends causally.
 */
import { add, multiply } from '../graph/elementwise.ts'
import { Graph, type Value } from '../graph/graph.ts'
import {
  embeddingName,
  finalNormName,
  type LlamaConfig,
  layerPrefix,
  parameterShapes,
  type Weights,
} from '../models/llama-config.ts'
import { serializeModel } from '../onnx/serialize.ts'
import { rotaryTables } from '../training/training-batch.ts'

export const pastName = (layer: number, part: 'key' | 'value') => `past.${layer}.${part}`
export const presentName = (layer: number, part: 'key' | 'value') => `present.${layer}.${part}`

/**
 * Inputs: `tokens` [1, S], `rows` [N] (which of the S tokens get logits), `lastIndex` [1] and `totalLength` [] (past + S - 1
 * and past + S), `past.L.key|value` [1, K, P, E]. Outputs: `logits` [N, V], `present.L.key|value` [1, K, P + S, E].
 */
export function buildInferenceModel(config: LlamaConfig, weights: Weights): Uint8Array {
  const graph = new Graph()
  const { hiddenSize: D, intermediateSize: F, heads: H, keyValueHeads: K, headDimension: E } = config
  const parameters = new Map(
    [...parameterShapes(config)].map(([name, shape]) => [
      name,
      graph.tensor(name, shape, weights.get(name)!),
    ]),
  )
  const tables = rotaryTables(
    Int32Array.from({ length: config.maxPositions }, (_, i) => i),
    E,
    config.ropeTheta,
  )
  const cosines = graph.tensor('cosines', [config.maxPositions, E / 2], tables.cosines)
  const sines = graph.tensor('sines', [config.maxPositions, E / 2], tables.sines)
  const tokens = graph.input('tokens', [-1], 'int64')
  const rows = graph.input('rows', [-1], 'int64')
  const lastIndex = graph.input('lastIndex', [1], 'int32')
  const totalLength = graph.input('totalLength', [], 'int32')

  const linear = (x: Value, w: Value, width: number) =>
    graph.node('Gemm', [x, w], { shape: [-1, width], attributes: { transB: 1 } })
  const norm = (x: Value, w: Value) =>
    graph.node('SimplifiedLayerNormalization', [x, w], {
      shape: [-1, D],
      attributes: { axis: -1, epsilon: { float: config.rmsNormEpsilon } },
    })
  const batched = (x: Value, width: number) =>
    graph.node('Reshape', [x, graph.integers([1, -1, width])], { shape: [1, -1, width] })

  let hidden = graph.node('Gather', [parameters.get(embeddingName)!, tokens], { shape: [-1, D] })
  for (let layer = 0; layer < config.layers; layer++) {
    const weight = (name: string) => parameters.get(`${layerPrefix(layer)}${name}.weight`)!
    const past = (['key', 'value'] as const).map((part) => graph.input(pastName(layer, part), [1, K, -1, E]))
    const first = norm(hidden, weight('input_layernorm'))
    const project = (name: string, width: number) => batched(linear(first, weight(name), width), width)
    const queries = project('self_attn.q_proj', H * E)
    const keys = project('self_attn.k_proj', K * E)
    const values = project('self_attn.v_proj', K * E)
    const [mixed, presentKey, presentValue] = graph.nodeWithOutputs(
      'GroupQueryAttention',
      [queries, keys, values, past[0]!, past[1]!, lastIndex, totalLength, cosines, sines],
      [
        [1, -1, H * E],
        [1, K, -1, E],
        [1, K, -1, E],
      ],
      {
        domain: 'com.microsoft',
        attributes: {
          num_heads: H,
          kv_num_heads: K,
          do_rotary: 1,
          rotary_interleaved: 0,
          scale: { float: 1 / Math.sqrt(E) },
        },
      },
    ) as [Value, Value, Value]
    graph.output(presentName(layer, 'key'), presentKey)
    graph.output(presentName(layer, 'value'), presentValue)
    const joined = graph.node('Reshape', [mixed, graph.integers([-1, H * E])], { shape: [-1, H * E] })
    hidden = add(graph, hidden, linear(joined, weight('self_attn.o_proj'), D))
    const second = norm(hidden, weight('post_attention_layernorm'))
    const gate = linear(second, weight('mlp.gate_proj'), F)
    const activated = multiply(graph, gate, graph.node('Sigmoid', [gate], { shape: [-1, F] }))
    const inner = multiply(graph, activated, linear(second, weight('mlp.up_proj'), F))
    hidden = add(graph, hidden, linear(inner, weight('mlp.down_proj'), D))
  }
  const picked = graph.node('Gather', [hidden, rows], { shape: [-1, D] })
  const logits = linear(
    norm(picked, parameters.get(finalNormName)!),
    parameters.get(embeddingName)!,
    config.vocabularySize,
  )
  graph.output('logits', logits)
  return serializeModel(graph)
}

/** The decoder's dimensions, its parameters by their Hugging Face names, and `config.json` of `LlamaForCausalLM`. */
import { EngineError } from '../errors.ts'
import { uniformGenerator } from '../generation/sampling.ts'

/** Input and output embeddings are always tied. */
export interface LlamaConfig {
  readonly vocabularySize: number
  readonly hiddenSize: number
  readonly intermediateSize: number
  readonly layers: number
  readonly heads: number
  /** Divides `heads`; each key-value head serves `heads / keyValueHeads` query heads. */
  readonly keyValueHeads: number
  readonly headDimension: number
  readonly ropeTheta: number
  readonly rmsNormEpsilon: number
  readonly maxPositions: number
}

/** Parameters by name; row-major, shapes by `parameterShapes`. */
export type Weights = Map<string, Float32Array>

export const embeddingName = 'model.embed_tokens.weight'
export const finalNormName = 'model.norm.weight'
export const layerPrefix = (layer: number) => `model.layers.${layer}.`

/** Names and shapes of all parameters; linear layers are [out, in], as in transformers. */
export function parameterShapes(config: LlamaConfig): Map<string, readonly number[]> {
  checkConfig(config)
  const { hiddenSize, intermediateSize, headDimension } = config
  const queries = config.heads * headDimension
  const keys = config.keyValueHeads * headDimension
  const shapes = new Map<string, readonly number[]>([[embeddingName, [config.vocabularySize, hiddenSize]]])
  for (let layer = 0; layer < config.layers; layer++) {
    const prefix = layerPrefix(layer)
    shapes.set(`${prefix}input_layernorm.weight`, [hiddenSize])
    shapes.set(`${prefix}self_attn.q_proj.weight`, [queries, hiddenSize])
    shapes.set(`${prefix}self_attn.k_proj.weight`, [keys, hiddenSize])
    shapes.set(`${prefix}self_attn.v_proj.weight`, [keys, hiddenSize])
    shapes.set(`${prefix}self_attn.o_proj.weight`, [hiddenSize, queries])
    shapes.set(`${prefix}post_attention_layernorm.weight`, [hiddenSize])
    shapes.set(`${prefix}mlp.gate_proj.weight`, [intermediateSize, hiddenSize])
    shapes.set(`${prefix}mlp.up_proj.weight`, [intermediateSize, hiddenSize])
    shapes.set(`${prefix}mlp.down_proj.weight`, [hiddenSize, intermediateSize])
  }
  return shapes.set(finalNormName, [hiddenSize])
}

/** Bounds on what a file or a configuration may claim: tables of these sizes are allocated before any weight is read. */
const limits = { layers: 1000, maxPositions: 2 ** 20 } as const

/** @throws EngineError naming the invalid dimension */
export function checkConfig(config: LlamaConfig): void {
  for (const [name, value] of Object.entries(config)) {
    if (!(value > 0) || (name !== 'ropeTheta' && name !== 'rmsNormEpsilon' && !Number.isInteger(value))) {
      throw new EngineError({ code: 'engine/config', message: `The model's ${name} cannot be ${value}.` })
    }
  }
  for (const [name, limit] of Object.entries(limits)) {
    const value = config[name as keyof typeof limits]
    if (value > limit) {
      throw new EngineError({
        code: 'engine/config',
        message: `The model's ${value} ${name} are more than the embedded engine takes, ${limit}.`,
      })
    }
  }
  if (config.heads % config.keyValueHeads !== 0) {
    throw new EngineError({
      code: 'engine/config',
      message: `${config.heads} heads cannot share ${config.keyValueHeads} key-value heads evenly.`,
    })
  }
  if (config.headDimension % 2 !== 0) {
    throw new EngineError({
      code: 'engine/config',
      message: `The head dimension ${config.headDimension} is odd.`,
    })
  }
}

/** @throws EngineError when a parameter is missing, unknown or of the wrong size */
export function checkWeights(config: LlamaConfig, weights: Weights): void {
  const shapes = parameterShapes(config)
  for (const [name, shape] of shapes) {
    const size = shape.reduce((product, dimension) => product * dimension, 1)
    const length = weights.get(name)?.length
    if (length !== size) {
      throw new EngineError({
        code: 'engine/weights',
        message: `The parameter ${name} should have ${size} numbers and has ${length ?? 'none: it is missing'}.`,
      })
    }
  }
  for (const name of weights.keys()) {
    if (!shapes.has(name)) {
      throw new EngineError({ code: 'engine/weights', message: `The model has no parameter ${name}.` })
    }
  }
}

/**
 * Random weights: normal with deviation 0.6 / sqrt(fan-in) for linear layers (less for those that write to the
 * residual stream, by the square root of their number), 0.03 for embeddings, ones for norms.
 */
export function initialWeights(config: LlamaConfig, seed: number): Weights {
  const normal = normalGenerator(seed)
  const weights: Weights = new Map()
  for (const [name, shape] of parameterShapes(config)) {
    const values = new Float32Array(shape.reduce((product, dimension) => product * dimension, 1))
    if (shape.length === 1) values.fill(1)
    else {
      const deviation = initialDeviation(name, shape[1]!, config.layers)
      for (let i = 0; i < values.length; i++) values[i] = deviation * normal()
    }
    weights.set(name, values)
  }
  return weights
}

function initialDeviation(name: string, fanIn: number, layers: number): number {
  if (name === embeddingName) return 0.03
  const isResidual = name.includes('o_proj') || name.includes('down_proj')
  return isResidual ? 0.03 / Math.sqrt(2 * layers) : 0.6 / Math.sqrt(fanIn)
}

/** Box-Muller; of the seed, the lower 32 bits count. */
function normalGenerator(seed: number): () => number {
  const uniform = uniformGenerator(seed >>> 0)
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** `config.json` of transformers' `LlamaForCausalLM`. */
export function toHuggingFaceConfig(
  config: LlamaConfig,
  tokens: { readonly bos?: number; readonly eos?: number; readonly pad?: number } = {},
) {
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    vocab_size: config.vocabularySize,
    hidden_size: config.hiddenSize,
    intermediate_size: config.intermediateSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.keyValueHeads,
    head_dim: config.headDimension,
    hidden_act: 'silu',
    max_position_embeddings: config.maxPositions,
    initializer_range: 0.02,
    rms_norm_eps: config.rmsNormEpsilon,
    rope_theta: config.ropeTheta,
    rope_scaling: null,
    tie_word_embeddings: true,
    attention_bias: false,
    attention_dropout: 0,
    mlp_bias: false,
    use_cache: true,
    torch_dtype: 'float32',
    bos_token_id: tokens.bos ?? null,
    eos_token_id: tokens.eos ?? null,
    pad_token_id: tokens.pad ?? null,
  }
}

/** @throws EngineError for another architecture or an unsupported setting */
export function fromHuggingFaceConfig(json: Readonly<Record<string, unknown>>): LlamaConfig {
  // transformers 5 and later keep the rotary settings in an object of their own.
  const rope = (json.rope_parameters ?? {}) as Readonly<Record<string, unknown>>
  const unsupported = [
    json.model_type !== 'llama' && `model_type ${String(json.model_type)}`,
    json.tie_word_embeddings !== true && 'untied embeddings',
    json.rope_scaling != null && 'rope_scaling',
    (rope.rope_type ?? 'default') !== 'default' && `rope_type ${String(rope.rope_type)}`,
    json.attention_bias === true && 'attention_bias',
    json.mlp_bias === true && 'mlp_bias',
    json.hidden_act !== 'silu' && `hidden_act ${String(json.hidden_act)}`,
  ].filter((problem) => problem !== false)
  if (unsupported.length > 0) {
    throw new EngineError({
      code: 'engine/unsupported-model',
      message: `The embedded engine cannot run this model: ${unsupported.join(', ')}.`,
      hint: 'It runs Llama decoders with tied embeddings. Serve others with an OpenAI-compatible server or as GGUF.',
    })
  }
  const fields: Readonly<Record<string, unknown>> = {
    ...json,
    rope_theta: json.rope_theta ?? rope.rope_theta,
  }
  const number = (name: string, fallback?: number) => {
    const value = fields[name] ?? fallback
    if (typeof value !== 'number') {
      throw new EngineError({ code: 'engine/config', message: `config.json has no number "${name}".` })
    }
    return value
  }
  const heads = number('num_attention_heads')
  const config: LlamaConfig = {
    vocabularySize: number('vocab_size'),
    hiddenSize: number('hidden_size'),
    intermediateSize: number('intermediate_size'),
    layers: number('num_hidden_layers'),
    heads,
    keyValueHeads: number('num_key_value_heads', heads),
    headDimension: number('head_dim', number('hidden_size') / heads),
    ropeTheta: number('rope_theta', 10_000),
    rmsNormEpsilon: number('rms_norm_eps', 1e-6),
    maxPositions: number('max_position_embeddings'),
  }
  checkConfig(config)
  return config
}

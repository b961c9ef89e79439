/** Writes a model folder as one GGUF file for llama.cpp and everything built on it. */
import { lstat, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { profileFileBeside } from '@memagent/core'
import { EngineError } from '../errors.ts'
import { embeddingName, finalNormName, type LlamaConfig, parameterShapes } from '../models/llama-config.ts'
import { type GgufNumberType, type GgufTensor, type GgufValue, serializeGguf } from './gguf.ts'
import { ggufTokenizer } from './gguf-tokenizer.ts'
import { loadModelFolder, type ModelFolder } from './model-folder.ts'

export interface GgufOptions {
  /** How matrices are stored; norms are always F32. @default 'F32' */
  readonly type?: GgufNumberType
  /** Shown by llama.cpp. @default the profile's name, or else the folder's */
  readonly name?: string
}

/**
 * Writes a temporary file that then replaces the target; the model's profile, if any, goes beside it (`profileFileBeside`).
 * @throws EngineError when the folder is incomplete, llama.cpp has no equivalent of its tokenizer, or the target cannot be
 * written, is one of the folder's own files, or exists and is not a regular file
 */
export async function exportGguf(folder: string, file: string, options: GgufOptions = {}): Promise<void> {
  await checkTarget(folder, file)
  const model = await loadModelFolder(folder)
  const profileName = model.profile?.name
  const name = options.name ?? (typeof profileName === 'string' ? profileName : basename(resolve(folder)))
  const bytes = toGguf(model, { ...options, name })
  try {
    await writeFile(`${file}.next`, bytes)
    await rename(`${file}.next`, file)
    if (model.profile) await writeFile(profileFileBeside(file), `${JSON.stringify(model.profile, null, 2)}\n`)
  } catch (cause) {
    await rm(`${file}.next`, { force: true })
    throw unusableTarget(`Cannot write ${file}: ${(cause as Error).message}`, file, cause)
  }
}

/** Runs first, before anything can be lost. */
async function checkTarget(folder: string, file: string): Promise<void> {
  const status = await lstat(file).catch(() => undefined)
  if (status?.isDirectory()) throw unusableTarget(`${file} is a folder, not a file to write.`, file)
  // The file replaces whatever has its name: a device, a pipe, or a link to elsewhere would be gone.
  if (status && !status.isFile()) throw unusableTarget(`${file} is there, and is no plain file.`, file)
  const isBeside =
    (await realpath(dirname(file)).catch(() => '')) === (await realpath(folder).catch(() => folder))
  if (status && isBeside && !file.endsWith('.gguf')) {
    throw unusableTarget(`${file} belongs to the model that is to be written.`, file)
  }
}

const unusableTarget = (message: string, file: string, cause?: unknown) =>
  new EngineError({
    code: 'engine/gguf-target',
    message,
    hint: 'Choose a new file in a writable folder, such as model.gguf.',
    details: { path: file },
    cause,
  })

/** @throws EngineError when llama.cpp has no equivalent of the tokenizer */
export function toGguf(model: ModelFolder, options: GgufOptions = {}): Uint8Array {
  const { config, weights, tokenizerJson, tokenizerConfig } = model
  const type = options.type ?? 'F32'
  const metadata = new Map<string, GgufValue>([
    ['general.architecture', { string: 'llama' }],
    ['general.name', { string: options.name ?? 'model' }],
    ['general.file_type', { uint32: type === 'F32' ? 0 : 1 }],
    ['llama.vocab_size', { uint32: config.vocabularySize }],
    ['llama.context_length', { uint32: config.maxPositions }],
    ['llama.embedding_length', { uint32: config.hiddenSize }],
    ['llama.block_count', { uint32: config.layers }],
    ['llama.feed_forward_length', { uint32: config.intermediateSize }],
    ['llama.attention.head_count', { uint32: config.heads }],
    ['llama.attention.head_count_kv', { uint32: config.keyValueHeads }],
    ['llama.attention.key_length', { uint32: config.headDimension }],
    ['llama.attention.value_length', { uint32: config.headDimension }],
    ['llama.attention.layer_norm_rms_epsilon', { float32: config.rmsNormEpsilon }],
    ['llama.rope.dimension_count', { uint32: config.headDimension }],
    ['llama.rope.freq_base', { float32: config.ropeTheta }],
    ...ggufTokenizer(tokenizerJson, tokenizerConfig, config.vocabularySize),
  ])
  // Without output.weight llama.cpp uses the embedding, as tied models do.
  const tensors = [...parameterShapes(config)].map(([name, shape]): GgufTensor => {
    const values = weights.get(name)!
    const heads = rotaryHeads(name, config)
    return {
      name: ggufName(name),
      shape,
      type: shape.length === 1 ? 'F32' : type,
      values: heads === undefined ? values : interleaveHalves(values, heads, shape[1]!),
    }
  })
  return serializeGguf(metadata, tensors)
}

const partNames: Readonly<Record<string, string>> = {
  input_layernorm: 'attn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  post_attention_layernorm: 'ffn_norm',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
}

function ggufName(name: string): string {
  if (name === embeddingName) return 'token_embd.weight'
  if (name === finalNormName) return 'output_norm.weight'
  const [, layer, part] = /^model\.layers\.(\d+)\.(.+)\.weight$/.exec(name)!
  return `blk.${layer}.${partNames[part!]}.weight`
}

/** Number of heads whose rows the rotation acts on; undefined for other parameters. */
function rotaryHeads(name: string, config: LlamaConfig): number | undefined {
  if (name.includes('.q_proj.')) return config.heads
  return name.includes('.k_proj.') ? config.keyValueHeads : undefined
}

/**
 * transformers rotates row i of a head together with row i + E/2, llama.cpp's llama architecture row 2i with row 2i + 1,
 * so the rows are permuted. Scores do not change, since queries and keys move alike. values [heads * E, width].
 */
export function interleaveHalves(values: Float32Array, heads: number, width: number): Float32Array {
  const result = new Float32Array(values.length)
  const E = values.length / width / heads
  for (let head = 0; head < heads; head++) {
    for (let i = 0; i < E; i++) {
      const from = head * E + i
      const to = head * E + (i < E / 2 ? 2 * i : 2 * (i - E / 2) + 1)
      result.set(values.subarray(from * width, (from + 1) * width), to * width)
    }
  }
  return result
}

/** A model folder in transformers' layout, with our profile beside it. */
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../errors.ts'
import {
  checkWeights,
  fromHuggingFaceConfig,
  type LlamaConfig,
  parameterShapes,
  toHuggingFaceConfig,
  type Weights,
} from '../models/llama-config.ts'
import type { StorageType } from './number-formats.ts'
import { replaceFiles, unwritable } from './replace-file.ts'
import { readSafetensors, serializeSafetensors } from './safetensors.ts'

type JsonObject = Record<string, unknown>

/** The files beside the weights: enough to tokenize conversations. */
export interface TokenizerFiles {
  /** Content of `tokenizer.json`. */
  readonly tokenizerJson: JsonObject
  /** Content of `tokenizer_config.json`, including the chat template. */
  readonly tokenizerConfig: JsonObject
  /** Content of `profile.json`: window budget, prompts and sampling; undefined if there is none. */
  readonly profile: JsonObject | undefined
}

export interface ModelFolder extends TokenizerFiles {
  readonly config: LlamaConfig
  readonly weights: Weights
}

/** @throws EngineError naming the file that is missing or wrong */
export async function loadModelFolder(folder: string): Promise<ModelFolder> {
  const config = fromHuggingFaceConfig(await readJson(folder, 'config.json'))
  const [{ weights, shapes }, files] = await Promise.all([
    readSafetensors(join(folder, 'model.safetensors')),
    loadTokenizerFiles(folder),
  ])
  checkWeights(config, weights)
  requireShapes(folder, config, shapes)
  for (const [name, values] of weights) requireNumbers(folder, name, values)
  return { config, weights, ...files }
}

/** A transposed matrix has as many numbers as the right one, and makes every reply of the model meaningless. */
function requireShapes(
  folder: string,
  config: LlamaConfig,
  shapes: ReadonlyMap<string, readonly number[]>,
): void {
  for (const [name, shape] of parameterShapes(config)) {
    const found = shapes.get(name)!
    if (found.join() === shape.join()) continue
    throw new EngineError({
      code: 'engine/weights',
      message: `The weights in ${folder} do not fit config.json: ${name} has the shape [${found.join(', ')}], not [${shape.join(', ')}].`,
      hint: 'Linear layers are stored as [out, in], as in transformers.',
      details: { folder, name },
    })
  }
}

/** A single NaN or infinity makes every reply of the model meaningless. */
function requireNumbers(folder: string, name: string, values: Float32Array): void {
  let sum = 0
  // NaN once a value is not finite; much faster than asking of each.
  for (let i = 0; i < values.length; i++) sum += values[i]! * 0
  if (sum === 0) return
  const at = values.findIndex((value) => !Number.isFinite(value))
  throw new EngineError({
    code: 'engine/weights',
    message: `The weights in ${folder} are damaged: number ${at + 1} of ${name} is ${values[at]}.`,
    hint: 'Copy or convert the model again; a training that diverged leaves such weights, too.',
    details: { folder, name },
  })
}

/** `sha256:` and the digest of the weights file, which identifies a model in records. @throws what reading it throws */
export async function weightsDigest(folder: string): Promise<string> {
  const weights = await readFile(join(folder, 'model.safetensors'))
  return `sha256:${createHash('sha256').update(weights).digest('hex')}`
}

/** For a folder that may lack weights because a server has them. @throws EngineError naming the missing or wrong file */
export async function loadTokenizerFiles(folder: string): Promise<TokenizerFiles> {
  const [tokenizerJson, tokenizerConfig, profile] = await Promise.all([
    readJson(folder, 'tokenizer.json'),
    readJson(folder, 'tokenizer_config.json'),
    readOptional(folder, 'profile.json', (text) => JSON.parse(text) as JsonObject),
  ])
  // Newer transformers keep the template in a separate file.
  const template = await readOptional(folder, 'chat_template.jinja', (text) => text)
  const withTemplate =
    template === undefined || tokenizerConfig.chat_template !== undefined
      ? tokenizerConfig
      : { ...tokenizerConfig, chat_template: template }
  return { tokenizerJson, tokenizerConfig: withTemplate, profile }
}

/** The text of a token given as a string or as an object that holds it; undefined if there is none. */
export function tokenText(token: unknown): string | undefined {
  const text = typeof token === 'string' ? token : (token as { content?: unknown } | null)?.content
  return typeof text === 'string' ? text : undefined
}

/**
 * Replaces the files once all are written: none is of another model if the disk is full.
 * @param dtype how the weights are stored. @default 'F32'
 * @throws EngineError if the folder cannot be written to
 */
export async function saveModelFolder(
  folder: string,
  model: ModelFolder,
  options: { readonly dtype?: StorageType } = {},
): Promise<void> {
  const { config, weights, tokenizerJson, tokenizerConfig, profile } = model
  const dtype = options.dtype ?? 'F32'
  await mkdir(folder, { recursive: true }).catch((cause) => {
    throw unwritable(folder, cause)
  })
  const idOf = (name: string) => {
    const { added_tokens: added, model } = tokenizerJson as {
      added_tokens?: { id: number; content: string }[]
      model?: { vocab?: Readonly<Record<string, number>> }
    }
    const text = tokenText(tokenizerConfig[name])
    if (text === undefined) return undefined
    return added?.find(({ content }) => content === text)?.id ?? model?.vocab?.[text]
  }
  const [bos, eos, pad] = [idOf('bos_token'), idOf('eos_token'), idOf('pad_token')]
  const tokens = {
    ...(bos === undefined ? {} : { bos }),
    ...(eos === undefined ? {} : { eos }),
    ...(pad === undefined ? {} : { pad }),
  }
  const torchType = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' }[dtype]
  const template = tokenizerConfig.chat_template
  const files: (readonly [string, string | Uint8Array])[] = [
    ['model.safetensors', serializeSafetensors(weights, parameterShapes(config), dtype)],
    ['config.json', jsonOf({ ...toHuggingFaceConfig(config, tokens), torch_dtype: torchType })],
    [
      'generation_config.json',
      jsonOf({ do_sample: false, eos_token_id: eos ?? null, pad_token_id: pad ?? null }),
    ],
    ['tokenizer.json', `${JSON.stringify(tokenizerJson)}\n`],
    ['tokenizer_config.json', jsonOf(tokenizerConfig)],
    ...(typeof template === 'string' ? [['chat_template.jinja', template] as const] : []),
    ...(profile ? [['profile.json', jsonOf(profile)] as const] : []),
  ]
  await replaceFiles(files.map(([name, content]) => [join(folder, name), content]))
}

async function readJson(folder: string, name: string): Promise<JsonObject> {
  const content = await readOptional(folder, name, (text) => {
    const value = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error('It is no object.')
    return value as JsonObject
  })
  return content ?? brokenFolder(folder, name)
}

/** Undefined when there is no such file; a malformed file is an error. */
async function readOptional<T>(
  folder: string,
  name: string,
  parse: (text: string) => T,
): Promise<T | undefined> {
  try {
    return parse(await readFile(join(folder, name), 'utf8'))
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : brokenFolder(folder, name, cause)
  }
}

function brokenFolder(folder: string, name: string, cause?: unknown): never {
  throw new EngineError({
    code: 'engine/model-folder',
    message: `${folder} is not a complete model folder: ${name} ${cause === undefined ? 'is missing' : 'cannot be read'}.`,
    hint: 'A model folder contains config.json, model.safetensors, tokenizer.json and tokenizer_config.json.',
    cause,
  })
}

const jsonOf = (content: unknown) => `${JSON.stringify(content, null, 2)}\n`

/** The dimensions of a decoder, from a `config.json` with the fields of Llama and Qwen2. */
import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { z } from 'zod'

export interface DecoderArchitecture {
  readonly vocabularySize: number
  readonly hiddenSize: number
  /** Width of the feed-forward layer, which has three matrices (SwiGLU). */
  readonly intermediateSize: number
  readonly layers: number
  readonly heads: number
  readonly keyValueHeads: number
  readonly headDimension: number
}

const positive = z.number().int().positive()

const huggingFaceConfig = z.object({
  vocab_size: positive,
  hidden_size: positive,
  intermediate_size: positive,
  num_hidden_layers: positive,
  num_attention_heads: positive,
  /** @default every head has its own */
  num_key_value_heads: positive.nullish(),
  /** @default hidden_size / num_attention_heads */
  head_dim: positive.nullish(),
})

/** Field names for the number of experts in mixture-of-experts models. */
const expertFields = ['num_experts', 'num_local_experts', 'n_routed_experts']

/** @throws ConfigurationError when the file cannot be read, and for invalid fields, naming each */
export async function readArchitecture(path: string): Promise<DecoderArchitecture> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new ConfigurationError({
      code: 'flops/config',
      message: `The configuration of a model ${path} cannot be read: ${(cause as Error).message}`,
      hint: "Use the config.json from the model's repository.",
      cause,
    })
  }
  return architectureFromConfig(json, path)
}

/**
 * @param name of the configuration, for messages
 * @throws ConfigurationError naming every wrong field; also for mixtures of experts, which use only part of their parameters
 */
export function architectureFromConfig(json: unknown, name: string): DecoderArchitecture {
  const result = huggingFaceConfig.safeParse(json)
  if (!result.success) {
    const problems = result.error.issues.map(
      ({ path, message }) => `${path.join('.') || '(root)'}: ${message}`,
    )
    throw new ConfigurationError({
      code: 'flops/config',
      message: `${name} is no configuration of a decoder of the Llama kind:\n  ${problems.join('\n  ')}`,
      hint: 'Use the config.json of a Llama or Qwen2 model.',
      details: { problems },
    })
  }
  const experts = expertFields.find((field) => ((json as Record<string, unknown>)[field] ?? 0) !== 0)
  if (experts !== undefined) {
    throw new ConfigurationError({
      code: 'flops/experts',
      message: `${name} describes a mixture of experts (${experts}); only dense decoders can be counted.`,
    })
  }
  const { data } = result
  return {
    vocabularySize: data.vocab_size,
    hiddenSize: data.hidden_size,
    intermediateSize: data.intermediate_size,
    layers: data.num_hidden_layers,
    heads: data.num_attention_heads,
    keyValueHeads: data.num_key_value_heads ?? data.num_attention_heads,
    headDimension: data.head_dim ?? Math.floor(data.hidden_size / data.num_attention_heads),
  }
}

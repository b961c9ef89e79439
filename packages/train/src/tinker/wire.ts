/**
 * The Tinker protocol's messages in JSON. Answers are checked by schemas that allow unknown fields, since the protocol grows.
 * Names are the protocol's own.
 */
import { z } from 'zod'

export interface ModelInput {
  readonly chunks: readonly { readonly type: 'encoded_text'; readonly tokens: readonly number[] }[]
}

export interface TensorData {
  /** Flat, row-major. */
  readonly data: readonly number[]
  readonly dtype: 'int64' | 'float32'
  readonly shape: readonly number[]
}

/** One training sequence: N input tokens, each with the token to predict next. */
export interface Datum {
  readonly model_input: ModelInput
  readonly loss_fn_inputs: Readonly<Record<string, TensorData>>
}

export interface LossInput {
  readonly data: readonly Datum[]
  readonly loss_fn: 'importance_sampling' | 'ppo' | 'cross_entropy'
  readonly loss_fn_config?: Readonly<Record<string, number>> | undefined
}

export interface AdamParameters {
  readonly learning_rate: number
  readonly beta1?: number
  readonly beta2?: number
  readonly eps?: number
  readonly weight_decay?: number
  /** 0 does not clip. */
  readonly grad_clip_norm?: number
}

export interface SamplingParameters {
  readonly max_tokens: number
  readonly temperature: number
  readonly top_p: number
  readonly top_k: number
  readonly seed: number
  readonly stop?: readonly number[]
}

const text = z.string()
const optionalText = text.nullish()

export const clientConfigSchema = z.looseObject({ pjwt_auth_enabled: z.boolean().nullish() })
export const tokenSchema = z.looseObject({ jwt: text })
export const capabilitiesSchema = z.looseObject({
  supported_models: z.array(z.looseObject({ model_name: optionalText })).nullish(),
})
export const sessionSchema = z.looseObject({
  session_id: text,
  info_message: optionalText,
  warning_message: optionalText,
  error_message: optionalText,
})
export const futureSchema = z.looseObject({ request_id: z.union([text, z.number().transform(String)]) })
export const modelSchema = z.looseObject({ model_id: text })
export const samplingSessionSchema = z.looseObject({ sampling_session_id: text })
export const sampledWeightsSchema = z.looseObject({ sampling_session_id: optionalText, path: optionalText })
export const pathSchema = z.looseObject({ path: text })
export const anySchema = z.unknown()
export const optimizerSchema = z.looseObject({ metrics: z.record(text, z.number().nullable()).nullish() })

const tensorSchema = z.looseObject({ data: z.array(z.number().nullable()) })
export const lossOutputSchema = z.looseObject({
  loss_fn_outputs: z.array(z.looseObject({ logprobs: tensorSchema })),
  metrics: z.record(text, z.number().nullable()).nullish(),
})
export const sampleSchema = z.looseObject({
  sequences: z.array(
    z.looseObject({
      stop_reason: z.enum(['stop', 'length']),
      tokens: z.array(z.number().int()),
      logprobs: z.array(z.number().nullable()).nullish(),
    }),
  ),
  prompt_logprobs: z.array(z.number().nullable()).nullish(),
})

/** Per datum, the log-probability of each target token, and whatever else the server measured. */
export type LossOutput = z.infer<typeof lossOutputSchema>
export type SampleOutput = z.infer<typeof sampleSchema>

export const encodedText = (tokens: readonly number[]): ModelInput => ({
  chunks: [{ type: 'encoded_text', tokens }],
})

/** How the test server behaves: by default like SkyRL's JAX back end as recorded. Every field is a way to differ. */
import type { LossBehaviour } from './losses.ts'

export interface ServerBehaviour extends LossBehaviour {
  readonly baseModel: string
  /** `request` heeds `grad_clip_norm`; a number is the server's own norm. */
  readonly gradientClip: 'request' | 'none' | number
  readonly optimizerFields: 'all' | 'learning-rate'
  /** The server's own, used if it ignores the request's. */
  readonly weightDecay: number
  /** -1 ascends instead of descending. */
  readonly gradientSign: 1 | -1
  /** The metric's name; undefined reports none. */
  readonly gradientNormMetric: string | undefined
  readonly sampledLogprobs: 'true' | 'zeros' | 'none'
  /** Of a prompt of n tokens: n - 1, n with null first, n - 1 that belong to the tokens before, or n - 2. */
  readonly promptLogprobs: 'short' | 'full' | 'shifted' | 'wrong-length'
  /** Offset of log-probabilities, as in a trainer with other kernels. */
  readonly forwardOffset: number
  /** Passes over the same tokens differ by up to this much, as with half-precision kernels. */
  readonly noise: number
  readonly samplerHolds: 'every-snapshot' | 'newest'
  readonly servesBaseModel: boolean
  readonly tuning: readonly ('lora' | 'full')[]
  readonly speaksProtobuf: boolean
  readonly futureRead: 'repeatable' | 'once'
  /** How long a poll is held open before the server asks to poll again. */
  readonly longPollMs: number
  readonly pendingAnswer: 408 | 'try_again'
  /** Duration of every job. */
  readonly jobMs: number
  /** `X-API-Key` must be this or, with `usesTokens`, a token exchanged for it. */
  readonly apiKey: string | undefined
  readonly usesTokens: boolean
  readonly maxModels: number
  readonly deletesCheckpoints: boolean
}

export const skyrlBehaviour: ServerBehaviour = {
  reduction: 'datum-mean',
  maskKey: 'weights',
  requiresMask: false,
  policyLoss: 'as-named',
  baseModel: 'tiny-qwen3',
  gradientClip: 'none',
  optimizerFields: 'all',
  weightDecay: 0.01,
  gradientSign: 1,
  gradientNormMetric: 'skyrl.ai/grad_norm',
  sampledLogprobs: 'true',
  promptLogprobs: 'short',
  forwardOffset: 0,
  noise: 0,
  samplerHolds: 'every-snapshot',
  servesBaseModel: true,
  tuning: ['lora', 'full'],
  speaksProtobuf: true,
  futureRead: 'repeatable',
  longPollMs: 300,
  pendingAnswer: 408,
  jobMs: 0,
  apiKey: undefined,
  usesTokens: false,
  maxModels: 3,
  deletesCheckpoints: true,
}

/** The same model with other servers' behaviour, by profile name. */
export const serverBehaviours = {
  'skyrl-jax': skyrlBehaviour,
  'skyrl-gpu': {
    ...skyrlBehaviour,
    reduction: 'token-sum',
    gradientClip: 1,
    optimizerFields: 'learning-rate',
    promptLogprobs: 'full',
    samplerHolds: 'newest',
    servesBaseModel: false,
  },
  'verl-tinker': {
    ...skyrlBehaviour,
    reduction: 'token-sum',
    maskKey: 'mask',
    requiresMask: true,
    gradientClip: 1,
    optimizerFields: 'learning-rate',
    gradientNormMetric: 'actor/grad_norm',
    promptLogprobs: 'full',
    samplerHolds: 'newest',
    futureRead: 'once',
    pendingAnswer: 'try_again',
    apiKey: 'tml-test',
    maxModels: 1,
  },
  tinker: {
    ...skyrlBehaviour,
    reduction: 'token-sum',
    maskKey: 'none',
    gradientClip: 'request',
    gradientNormMetric: undefined,
    promptLogprobs: 'full',
    pendingAnswer: 'try_again',
    apiKey: 'tml-test',
    usesTokens: true,
  },
} as const satisfies Record<string, ServerBehaviour>

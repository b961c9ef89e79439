/**
 * What is known of each server that speaks the Tinker protocol. They agree on the messages and differ in what they
 * compute; none of them says so. A profile is data: whoever runs another server describes it with an object of this
 * shape, and the conformance check at the start finds out whether it is true.
 */
import { ConfigurationError } from '@memagent/core'
import { z } from 'zod'
import type { AdamParameters } from './wire.ts'

export interface ServerProfile {
  readonly name: string
  /**
   * How the server puts the losses of tokens together: `token-sum` adds them all; `datum-mean` takes the masked mean in
   * every datum and then the mean over all datums up to the optimizer step.
   */
  readonly reduction: 'token-sum' | 'datum-mean'
  /** The loss input that says which tokens count; undefined when there is none and advantages of 0 do it. */
  readonly maskKey: 'weights' | 'mask' | 'response_mask' | undefined
  /** Where log-probabilities of the frozen start come from. */
  readonly reference: 'base-sampler' | 'none'
  /** Who clips gradients: the norm in the request, the server's own configuration, or nobody. */
  readonly gradientClip: 'request' | 'server' | 'none'
  /** The fields of `adam_params` that have an effect; others are the server's own. */
  readonly optimizerFields: readonly Exclude<keyof AdamParameters, 'grad_clip_norm'>[]
  /** Whether a result can be read again when its first answer is lost on the way. */
  readonly futureRead: 'repeatable' | 'once'
  /** A poll without an answer for so long is given up and sent anew. Longer than the server's own patience. */
  readonly pollTimeoutMs: number
  /** Which weights can be sampled from: of every snapshot, or only of the newest. */
  readonly samplerHolds: 'every-snapshot' | 'newest'
  readonly tuning: readonly ('lora' | 'full')[]
  readonly wire: 'json' | 'proto'
  readonly auth: 'api-key' | 'none'
  /** Datums of one call. */
  readonly maxDatums: number
  /** Bytes of one call's body in JSON, about. */
  readonly maxBytes: number
}

const allFields = ['learning_rate', 'beta1', 'beta2', 'eps', 'weight_decay'] as const
const limits = { maxDatums: 1024, maxBytes: 5_000_000 } as const

export const tinkerProfiles = {
  /** Thinking Machines' own service, whose semantics the others follow or not. */
  tinker: {
    ...limits,
    name: 'tinker',
    reduction: 'token-sum',
    maskKey: undefined,
    reference: 'base-sampler',
    gradientClip: 'request',
    optimizerFields: allFields,
    futureRead: 'repeatable',
    pollTimeoutMs: 45_000,
    samplerHolds: 'every-snapshot',
    tuning: ['lora'],
    wire: 'proto',
    auth: 'api-key',
  },
  /** SkyRL 0.3, `--backend jax`. Waits 300 s for a result, which is as long as Node's `fetch` waits for an answer. */
  'skyrl-jax': {
    ...limits,
    name: 'skyrl-jax',
    reduction: 'datum-mean',
    maskKey: 'weights',
    reference: 'base-sampler',
    gradientClip: 'none',
    optimizerFields: allFields,
    futureRead: 'repeatable',
    pollTimeoutMs: 290_000,
    samplerHolds: 'every-snapshot',
    tuning: ['lora'],
    wire: 'json',
    auth: 'none',
  },
  /** SkyRL 0.3, `--backend fsdp` or `megatron`. Sampling the base model fails when trainer and sampler share GPUs. */
  'skyrl-gpu': {
    ...limits,
    name: 'skyrl-gpu',
    reduction: 'token-sum',
    maskKey: 'weights',
    reference: 'none',
    gradientClip: 'server',
    optimizerFields: ['learning_rate'],
    futureRead: 'repeatable',
    pollTimeoutMs: 290_000,
    samplerHolds: 'newest',
    tuning: ['lora', 'full'],
    wire: 'json',
    auth: 'none',
  },
  /** verl-recipe's server. Needs its `actor_rollout_ref.yaml` for the reference; a result can be read once. */
  'verl-tinker': {
    ...limits,
    name: 'verl-tinker',
    reduction: 'token-sum',
    maskKey: 'mask',
    reference: 'base-sampler',
    gradientClip: 'server',
    optimizerFields: ['learning_rate'],
    futureRead: 'once',
    pollTimeoutMs: 90_000,
    samplerHolds: 'newest',
    tuning: ['full'],
    wire: 'json',
    auth: 'api-key',
  },
} as const satisfies Record<string, ServerProfile>

export type ServerProfileName = keyof typeof tinkerProfiles

/** A known server by its name, another by what it has in common with one (`extends`) and not, or in full. */
export type ProfileChoice =
  | string
  | ServerProfile
  | (Partial<ServerProfile> & { readonly extends: ServerProfileName })

const optimizerField = z.enum(['learning_rate', 'beta1', 'beta2', 'eps', 'weight_decay'])
const positive = z.number().int().positive()
const profileSchema = z.strictObject({
  name: z.string(),
  reduction: z.enum(['token-sum', 'datum-mean']),
  maskKey: z.enum(['weights', 'mask', 'response_mask']).optional(),
  reference: z.enum(['base-sampler', 'none']),
  gradientClip: z.enum(['request', 'server', 'none']),
  optimizerFields: z.array(optimizerField),
  futureRead: z.enum(['repeatable', 'once']),
  pollTimeoutMs: positive,
  samplerHolds: z.enum(['every-snapshot', 'newest']),
  tuning: z.array(z.enum(['lora', 'full'])).min(1),
  wire: z.enum(['json', 'proto']),
  auth: z.enum(['api-key', 'none']),
  maxDatums: positive,
  maxBytes: positive,
})

/** @throws ConfigurationError naming the profiles there are, or the fields of a description that are wrong */
export function resolveProfile(choice: ProfileChoice): ServerProfile {
  if (typeof choice === 'string') return namedProfile(choice)
  if (typeof choice !== 'object' || choice === null)
    throw noProfile([`expected a name or an object, not ${choice}`])
  const { extends: base, ...changes } = { extends: undefined, ...choice }
  const whole = base === undefined ? changes : { ...namedProfile(base), ...changes }
  const parsed = profileSchema.safeParse(whole)
  if (parsed.success) return { ...parsed.data, maskKey: parsed.data.maskKey }
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'profile'}: ${message}`,
  )
  throw noProfile(problems)
}

const noProfile = (problems: readonly string[]) =>
  new ConfigurationError({
    code: 'tinker/profile',
    message: `The description of the server is not a profile: ${problems.join('; ')}.`,
    hint: `Give all fields, or "extends" with one of ${Object.keys(tinkerProfiles).join(', ')}.`,
    details: { problems },
  })

function namedProfile(name: string): ServerProfile {
  if (Object.hasOwn(tinkerProfiles, name)) return tinkerProfiles[name as ServerProfileName]
  throw new ConfigurationError({
    code: 'tinker/unknown-profile',
    message: `There is no server profile "${name}".`,
    hint: `Known are ${Object.keys(tinkerProfiles).join(', ')}. Another server is described by an object, such as { extends: skyrl-gpu, reduction: datum-mean }.`,
  })
}

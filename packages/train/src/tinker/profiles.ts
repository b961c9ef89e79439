/**
 * Describes each known server that speaks the Tinker protocol. They agree on the messages, differ in what they compute, and
 * do not report it. A profile is data: to use another server, describe it with an object of this shape; the conformance check
 * at the start tests the description.
 */
import { ConfigurationError } from '@memagent/core'
import { jsonSchemaOf } from '@memagent/core/settings'
import { z } from 'zod'

const optimizerField = z.enum(['learning_rate', 'beta1', 'beta2', 'eps', 'weight_decay'])
const positive = z.number().int().positive()

const profileSchema = z.strictObject({
  name: z.string().describe('The name in messages.'),
  reduction: z
    .enum(['token-sum', 'datum-mean'])
    .describe(
      'How the server combines the losses of tokens: `token-sum` adds them all; `datum-mean` takes the masked mean of each datum, then the mean over all datums up to the optimizer step.',
    ),
  maskKey: z.enum(['weights', 'mask', 'response_mask']).optional().meta({
    description: 'The loss input that says which tokens count.',
    defaultIs: 'none: advantages of 0 do it',
  }),
  reference: z
    .enum(['base-sampler', 'none'])
    .describe('Where log-probabilities of the frozen start come from.'),
  gradientClip: z
    .enum(['request', 'server', 'none'])
    .describe("Who clips gradients: the norm in the request, the server's own configuration, or nobody."),
  optimizerFields: z
    .array(optimizerField)
    .readonly()
    .describe("The fields of `adam_params` that have an effect; others are the server's own."),
  futureRead: z
    .enum(['repeatable', 'once'])
    .describe('Whether a result can be read again when its first response was lost in transit.'),
  pollTimeoutMs: positive.describe(
    "A poll without an answer is repeated after this time. Must be longer than the server's own timeout.",
  ),
  samplerHolds: z
    .enum(['every-snapshot', 'newest'])
    .describe('Which weights can be sampled from: those of every snapshot, or only the newest.'),
  tuning: z
    .array(z.enum(['lora', 'full']))
    .min(1)
    .readonly()
    .describe('What the server can train.'),
  wire: z.enum(['json', 'proto']).describe('How messages are encoded.'),
  auth: z.enum(['api-key', 'none']).describe('Whether the server needs a key.'),
  maxDatums: positive.describe('Most datums in one call.'),
  maxBytes: positive.describe('Approximate limit of the JSON body of one call, in bytes.'),
})
export type ServerProfile = Readonly<z.output<typeof profileSchema>>

const allFields = ['learning_rate', 'beta1', 'beta2', 'eps', 'weight_decay'] as const
const limits = { maxDatums: 1024, maxBytes: 5_000_000 } as const

export const tinkerProfiles = {
  /** Thinking Machines' own service. The others follow its semantics only in part. */
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
  /** SkyRL 0.3, `--backend jax`. Waits 300 s for a result, as long as Node's `fetch` waits for an answer. */
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

/** A known server by name, or another one by its differences from a known one (`extends`) or in full. */
export type ProfileChoice =
  | string
  | ServerProfile
  | (Partial<ServerProfile> & { readonly extends: ServerProfileName })

const { $schema: _, ...describedFields } = jsonSchemaOf(
  profileSchema.partial().extend({
    extends: z
      .enum(Object.keys(tinkerProfiles))
      .optional()
      .describe('A profile that provides the other fields.'),
  }),
)

/** The JSON Schema of a `ProfileChoice` in a file. */
export const profileChoiceSchema = {
  anyOf: [{ enum: Object.keys(tinkerProfiles) }, describedFields],
}

/** @throws ConfigurationError naming the known profiles, or the wrong fields of a description */
export function resolveProfile(choice: ProfileChoice): ServerProfile {
  if (typeof choice === 'string') return namedProfile(choice)
  if (typeof choice !== 'object' || choice === null)
    throw noProfile([`expected a name or an object, not ${choice}`])
  const { extends: base, ...changes } = { extends: undefined, ...choice }
  const whole = base === undefined ? changes : { ...namedProfile(base), ...changes }
  const parsed = profileSchema.safeParse(whole)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'profile'}: ${message}`,
  )
  throw noProfile(problems)
}

const noProfile = (problems: readonly string[]) =>
  new ConfigurationError({
    code: 'tinker/profile',
    message: `The description of the server is not a valid profile: ${problems.join('; ')}.`,
    hint: `Give all fields, or "extends" with one of ${Object.keys(tinkerProfiles).join(', ')}.`,
    details: { problems },
  })

function namedProfile(name: string): ServerProfile {
  if (Object.hasOwn(tinkerProfiles, name)) return tinkerProfiles[name as ServerProfileName]
  throw new ConfigurationError({
    code: 'tinker/unknown-profile',
    message: `There is no server profile "${name}".`,
    hint: `Known: ${Object.keys(tinkerProfiles).join(', ')}. Describe any other server with an object, such as { extends: skyrl-gpu, reduction: datum-mean }.`,
  })
}

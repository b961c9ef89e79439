/**
 * What is known of each server that speaks the Tinker protocol. They agree on the messages and differ in what they
 * compute; none of them says so. A profile is data: whoever runs another server describes it with an object of this
 * shape, and the conformance check at the start finds out whether it is true.
 */
import { ConfigurationError } from '@memagent/core'
import { jsonSchemaOf } from '@memagent/core/settings'
import { z } from 'zod'

const optimizerField = z.enum(['learning_rate', 'beta1', 'beta2', 'eps', 'weight_decay'])
const positive = z.number().int().positive()

const profileSchema = z.strictObject({
  name: z.string().describe('What messages call it.'),
  reduction: z
    .enum(['token-sum', 'datum-mean'])
    .describe(
      'How the server puts the losses of tokens together: `token-sum` adds them all; `datum-mean` takes the masked mean in every datum and then the mean over all datums up to the optimizer step.',
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
    .describe('Whether a result can be read again when its first answer is lost on the way.'),
  pollTimeoutMs: positive.describe(
    "A poll without an answer for so long is given up and sent anew. Longer than the server's own patience.",
  ),
  samplerHolds: z
    .enum(['every-snapshot', 'newest'])
    .describe('Which weights can be sampled from: of every snapshot, or only of the newest.'),
  tuning: z
    .array(z.enum(['lora', 'full']))
    .min(1)
    .readonly()
    .describe('What it can train.'),
  wire: z.enum(['json', 'proto']).describe('How messages are encoded.'),
  auth: z.enum(['api-key', 'none']).describe('Whether it needs a key.'),
  maxDatums: positive.describe('Datums of one call.'),
  maxBytes: positive.describe("Bytes of one call's body in JSON, about."),
})
export type ServerProfile = Readonly<z.output<typeof profileSchema>>

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

const { $schema: _, ...describedFields } = jsonSchemaOf(
  profileSchema.partial().extend({
    extends: z
      .enum(Object.keys(tinkerProfiles))
      .optional()
      .describe('A profile that provides the other fields.'),
  }),
)

/** What a file may write as a `ProfileChoice`, as JSON Schema. */
export const profileChoiceSchema = {
  anyOf: [{ enum: Object.keys(tinkerProfiles) }, describedFields],
}

/** @throws ConfigurationError naming the profiles there are, or the fields of a description that are wrong */
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

/** The configuration of reinforcement learning, one schema for objects and for YAML files. */
import type { ConfigurationError } from '@memagent/core'
import { windowBudgetSchema } from '@memagent/core/settings'
import { warmupThenDecay } from '@memagent/engine'
import { z } from 'zod'
import { type ProfileChoice, resolveProfile } from '../tinker/profiles.ts'
import { checkConfig, parseConfig } from '../yaml-config.ts'
import { isModulePath, stepRewards } from './rewards.ts'

const positive = z.number().int().positive()
const share = z.number().min(0).max(1)

const embedded = z.strictObject({
  kind: z.literal('embedded'),
  /** A model folder: the weights training starts from, and the reference. */
  startFrom: z.string(),
  threads: positive.default(2),
  /** Tokens of one pass at most, padding included. */
  batchTokens: positive.default(4096),
  /**
   * Tokens of one row of a pass. What rollouts of a group share is computed once where a row holds all of them.
   * @default the window
   */
  rowTokens: positive.multipleOf(64).optional(),
})

/** Checked as what it describes, so that its problems are named. */
const server = z.custom<ProfileChoice>().superRefine((choice, context) => {
  try {
    resolveProfile(choice)
  } catch (error) {
    const { message, hint } = error as ConfigurationError
    context.addIssue({ code: 'custom', message: hint ? `${message} ${hint}` : message })
  }
})

const tinker = z.strictObject({
  kind: z.literal('tinker'),
  /** As the server names it: `Qwen/Qwen2.5-7B-Instruct`. */
  baseModel: z.string(),
  /**
   * What kind of server it is: `skyrl-jax`, `skyrl-gpu`, `verl-tinker` or `tinker`; or the fields of a profile, such as
   * `{ extends: skyrl-gpu, samplerHolds: every-snapshot }`.
   */
  server,
  /** @default TINKER_BASE_URL */
  baseUrl: z.string().optional(),
  /** 0 trains all weights, where the server can. */
  loraRank: z.number().int().min(0).optional(),
  /** A folder with the model's tokenizer.json and tokenizer_config.json: servers do not give them. */
  tokenizer: z.string(),
  conformance: z.enum(['full', 'forward', 'none']).default('full'),
})

const engine = z.discriminatedUnion('kind', [embedded, tinker])

const fileSchema = z.strictObject({
  /** Where states, logs and models go. */
  output: z.string(),
  /** What the model is called in its profile. @default the last part of `output` */
  name: z.string().optional(),
  seed: z.number().int().default(1),
  engine,
  workflow: z.string().default('overwrite'),
  /** @default the model's own */
  budget: windowBudgetSchema.optional(),
  task: z.strictObject({
    /** A task of this project; or `jsonl` or `module` with the option `path`: questions and tasks of one's own. */
    name: z.string(),
    /** A folder of text files as prose. Without: the documentation that npm ci brought. */
    prose: z.string().optional(),
    /** Options of the task, by name. */
    options: z.record(z.string(), z.unknown()).default({}),
    /** Options that differ in evaluation, such as the names and templates held out of training. */
    evaluationOptions: z.record(z.string(), z.unknown()).default({}),
  }),
  /** Lengths of the documents in tokens, drawn uniformly from `lengths`, by step: a curriculum. */
  curriculum: z.array(z.strictObject({ steps: positive, lengths: z.array(positive).min(1) })).min(1),
  rollouts: z.strictObject({
    /** Groups with signal per step. */
    groups: positive,
    /** Rollouts of one group. MemAgent: 16. */
    groupSize: positive.min(2),
    /** Log-probabilities and gradients are of the distribution at this temperature. Servers train at 1 alone. */
    temperature: z.number().min(0.01).default(1),
    /** There for the refusal: whoever comes from another trainer may have it. */
    topP: z
      .number()
      .refine((share) => share === 1, {
        error:
          'must be 1: what top-p cuts off has no probability in what is sampled and some in what is trained, so that ratios and gradients would be of another distribution',
      })
      .default(1),
    /** `lockstep` repeats itself exactly; `free` suits a cluster. @default by the engine */
    order: z.enum(['lockstep', 'free']).optional(),
    /**
     * Groups without signal are replaced by others, so many times at most (dynamic sampling, DAPO 3.2); 1 takes what
     * comes.
     */
    draws: positive.default(1),
  }),
  reward: z
    .strictObject({
      /** Which metric of the task is the reward. */
      metric: z.string().default('strict'),
      /** Rewards of single conversations: A = alpha * A of the answer + (1 - alpha) * A of the step. */
      steps: z
        .strictObject({
          /** `memory-recall`, or the path of a module whose default export is a `StepReward`. */
          name: z.string().refine((name) => Object.hasOwn(stepRewards, name) || isModulePath(name), {
            error: `must be one of ${Object.keys(stepRewards).join(', ')}, or the path of a module`,
          }),
          alpha: share.default(0.8),
        })
        .optional(),
      overlong: z.strictObject({ buffer: positive, coefficient: z.number().min(0) }).optional(),
    })
    .default({ metric: 'strict' }),
  loss: z
    .strictObject({
      clipLow: z.number().min(0).max(1).default(0.2),
      clipHigh: z.number().min(0).default(0.2),
      dualClip: z.number().min(1).optional(),
      klCoefficient: z.number().min(0).default(0.001),
      aggregation: z
        .enum(['token-mean', 'conversation-mean', 'rollout-mean', 'conversation-sum'])
        .default('token-mean'),
      constantLength: positive.optional(),
      normalization: z.enum(['none', 'deviation']).default('none'),
      credit: z.enum(['all', 'split', 'final']).default('all'),
      /**
       * Ratios are against the trainer's own log-probabilities before the first update, not the sampler's, which differ
       * where another engine samples. Costs a forward pass. @default for servers when there are several updates
       */
      rescore: z.boolean().optional(),
    })
    .prefault({}),
  /** Optimizer updates per batch of rollouts. MemAgent: 16. */
  updates: positive.default(1),
  optimizer: z.strictObject({
    learningRate: z.number().positive(),
    /** Reached at the last step along half a cosine. @default constant after the warm-up */
    finalLearningRate: z.number().min(0).optional(),
    /** Steps of linear warm-up. */
    warmupSteps: z.number().int().min(0).default(20),
    weightDecay: z.number().min(0).default(0.01),
    beta1: share.default(0.9),
    beta2: share.default(0.999),
    epsilon: z.number().positive().default(1e-8),
    clipNorm: z.number().positive().default(1),
  }),
  evaluation: z.strictObject({
    every: positive,
    samples: positive,
    lengths: z.array(positive).min(1),
    seed: z.number().int().default(1_000_003),
    temperature: z.number().min(0).default(0),
  }),
  checkpointEvery: positive.default(5),
})

/** In code, engine and task may be given as objects beside it. */
const schema = fileSchema.partial({ engine: true, task: true })

const checkTemperature: Parameters<typeof schema.superRefine>[0] = ({ engine, rollouts }, context) => {
  if (engine?.kind !== 'tinker' || rollouts.temperature === 1) return
  context.addIssue({
    code: 'custom',
    path: ['rollouts', 'temperature'],
    message:
      'must be 1 with a Tinker server: it computes log-probabilities and gradients at temperature 1, and rollouts at another would be of another distribution',
  })
}

/** What one writes, in code or in YAML: fields with a default may be left out. */
export type RlSettings = z.input<typeof schema>
/** The same with every default filled in. */
export type RlConfig = z.output<typeof schema>
export type EngineSettings = z.input<typeof engine>
export type EngineConfig = z.output<typeof engine>

/** A file names everything. @throws ConfigurationError naming every wrong field */
export const parseRlConfig = (yaml: string, name: string): z.output<typeof fileSchema> =>
  parseConfig(fileSchema.superRefine(checkTemperature), yaml, name)

/** The same for an object; a checked one stays as it is. @throws ConfigurationError naming every wrong field */
export const checkRlConfig = (settings: RlSettings): RlConfig =>
  checkConfig(schema.superRefine(checkTemperature), settings, 'The configuration')

/** @throws ConfigurationError naming every wrong field */
export const checkEngineConfig = (settings: EngineSettings): EngineConfig =>
  checkConfig(engine, settings, 'The engine')

export const totalSteps = ({ curriculum }: RlConfig) => curriculum.reduce((sum, { steps }) => sum + steps, 0)

/** Whether the policy's own log-probabilities take the place of the sampler's before the first update. */
export const rescores = (
  { loss, updates }: RlConfig,
  { isRemote }: { readonly isRemote: boolean },
): boolean => loss.rescore ?? (isRemote && updates > 1)

/** Learning rate of step `step` (0-based). */
export const learningRateAt = (config: RlConfig, step: number): number =>
  warmupThenDecay(step, {
    peak: config.optimizer.learningRate,
    final: config.optimizer.finalLearningRate ?? config.optimizer.learningRate,
    warmupSteps: config.optimizer.warmupSteps,
    totalSteps: totalSteps(config),
  })

/** Lengths of the documents at step `step` (0-based). */
export function lengthsAt({ curriculum }: RlConfig, step: number): readonly number[] {
  let first = 0
  for (const stage of curriculum) {
    if (step < first + stage.steps) return stage.lengths
    first += stage.steps
  }
  return curriculum.at(-1)!.lengths
}

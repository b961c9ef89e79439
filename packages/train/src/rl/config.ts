/** The configuration of reinforcement learning, one schema for objects and for YAML files. */
import { promptsSchema, samplingSchema, windowBudgetSchema } from '@memagent/core/settings'
import { z } from 'zod'
import { checkConfig, parseConfig } from '../yaml-config.ts'
import { addedRewards } from './added-rewards/registry.ts'
import { engineSchema } from './engine-config.ts'
import { isModulePath, stepRewards } from './step-rewards/registry.ts'

/** Lists names as code, for a description. */
const namesOf = (table: object): string =>
  Object.keys(table)
    .map((name) => `\`${name}\``)
    .join(', ')

const positive = z.number().int().positive()
const share = z.number().min(0).max(1)
const belowOne = z.number().min(0).lt(1)

const fileSchema = z.strictObject({
  output: z.string().min(1).describe('Folder for states, logs and models.'),
  name: z.string().optional().meta({
    description: 'Name of the model in its profile.',
    defaultIs: 'the last part of `output`',
  }),
  seed: z.number().int().default(1).describe('Seed of questions and sampling.'),
  engine: engineSchema.describe('What samples and trains.'),
  workflow: z
    .string()
    .default('overwrite')
    .describe('How texts are read: a workflow by name, or the path of a module.'),
  prompts: promptsSchema.optional(),
  budget: windowBudgetSchema
    .optional()
    .meta({ description: 'The window, in tokens.', defaultIs: "the model's own" }),
  task: z
    .strictObject({
      name: z
        .string()
        .describe(
          'A task of this project; or `jsonl` or `module` with the option `path`: questions and tasks of your own.',
        ),
      prose: z.string().optional().meta({
        description:
          'A folder of text files in English, for tasks that plant facts in prose. Files in other languages, and translations by their names (`README.fr.md`), are passed over; the first 32 MiB count.',
        defaultIs: 'the documentation that `npm ci` installs',
      }),
      options: z.record(z.string(), z.unknown()).default({}).describe('Options of the task, by name.'),
      evaluationOptions: z
        .record(z.string(), z.unknown())
        .default({})
        .describe('Options that differ in evaluation, such as names and templates held out of training.'),
    })
    .describe('The questions.'),
  curriculum: z
    .array(
      z.strictObject({
        steps: positive.describe('Steps of this stage.'),
        lengths: z.array(positive).min(1).describe('Document lengths in tokens; each group draws one.'),
      }),
    )
    .min(1)
    .describe('Lengths of the documents, stage by stage.'),
  rollouts: z
    .strictObject({
      groups: positive.describe('Groups with signal per step.'),
      groupSize: positive.min(2).describe('Rollouts per group, all for one question. MemAgent: 16.'),
      temperature: z
        .number()
        .min(0.01)
        .default(1)
        .describe(
          'Temperature of the distribution that is sampled and trained: ratios, KL and gradients are those of softmax(logits / temperature). Must be 1 with a server.',
        ),
      topP: z
        .number()
        .refine((share) => share === 1, {
          error:
            'must be 1: tokens that top-p cuts off are never sampled but have probability in training, so ratios and gradients would belong to another distribution',
        })
        .default(1)
        .describe('Must be 1: tokens that it cuts off would be trained but never sampled.'),
      order: z.enum(['lockstep', 'free']).optional().meta({
        description: '`lockstep` repeats itself exactly; `free` suits a cluster.',
        defaultIs: 'lockstep; free with a server',
      }),
      from: z
        .enum(['policy', 'start'])
        .default('policy')
        .describe(
          'Which weights sample: those that are trained, or those that training started from, so that a model learns from what it could do before.',
        ),
      draws: positive
        .default(1)
        .describe(
          'How many times a step may draw its groups, to replace those without signal (dynamic sampling, DAPO 3.2). 1 replaces none.',
        ),
    })
    .describe('How groups are drawn and sampled.'),
  reward: z
    .strictObject({
      metric: z.string().default('strict').describe('Which metric of the task is the reward.'),
      added: z
        .array(z.enum(Object.keys(addedRewards)))
        .refine((names) => new Set(names).size === names.length, { error: 'names a reward twice' })
        .optional()
        .meta({
          description: 'What a rollout earns besides the metric. All are added up, in evaluation too.',
          defaultIs: 'nothing',
        }),
      steps: z
        .strictObject({
          name: z
            .string()
            .refine((name) => Object.hasOwn(stepRewards, name) || isModulePath(name), {
              error: `must be one of ${Object.keys(stepRewards).join(', ')}, or the path of a module`,
            })
            .describe(
              `${namesOf(stepRewards)}, or the path of a module whose default export is a \`StepReward\`.`,
            ),
          alpha: share.default(0.8).describe('Weight of the answer.'),
        })
        .optional()
        .describe(
          'Rewards of single conversations: A = alpha * A of the answer + (1 - alpha) * A of the step.',
        ),
      overlong: z
        .strictObject({
          buffer: positive.describe('How many tokens before the limit the penalty begins.'),
          coefficient: z.number().min(0).describe('Weight of the penalty, which is 1 at the limit.'),
        })
        .optional()
        .describe('A soft penalty for responses close to their limit (DAPO).'),
    })
    .default({ metric: 'strict' })
    .describe('Rewards of rollouts.'),
  loss: z
    .strictObject({
      clipLow: z.number().min(0).max(1).default(0.2).describe('Ratios are clipped below 1 - this.'),
      clipHigh: z.number().min(0).default(0.2).describe('Ratios are clipped above 1 + this.'),
      dualClip: z
        .number()
        .min(1)
        .optional()
        .meta({ description: 'Bound of the ratios of negative advantages.', defaultIs: 'no bound' }),
      klCoefficient: z
        .number()
        .min(0)
        .default(0.001)
        .describe('Weight of the k3 KL to the start; with 0 the reference is never run.'),
      aggregation: z
        .enum(['token-mean', 'conversation-mean', 'rollout-mean', 'conversation-sum'])
        .default('token-mean')
        .describe("How tokens are averaged; `token-mean` is the paper's."),
      constantLength: positive.optional().meta({
        description: 'What `conversation-sum` divides by, besides the number of conversations.',
        defaultIs: '1',
      }),
      normalization: z
        .enum(['none', 'deviation'])
        .default('none')
        .describe("Whether advantages are divided by the deviation of their group; `none` is the paper's."),
      baseline: z
        .enum(['group-mean', 'none'])
        .default('group-mean')
        .describe(
          'What is subtracted from a reward: the mean of its group, or nothing. Without it, only right rollouts teach (rejection sampling).',
        ),
      credit: z
        .enum(['all', 'split', 'final'])
        .default('all')
        .describe(
          '`all` conversations get the advantage (the paper), `split` divides it among them (step rewards, too), `final` gives it only to the answer.',
        ),
      rescore: z.boolean().optional().meta({
        description:
          "Take ratios against the trainer's own log-probabilities before the first update, not the sampler's, which differ if another engine samples. Costs a forward pass.",
        defaultIs: 'with a server, where there are several updates; and with rollouts from the start',
      }),
    })
    .refine(({ baseline, normalization }) => baseline !== 'none' || normalization === 'none', {
      path: ['normalization'],
      error:
        'must be none without a baseline: a deviation from the mean of the group says nothing about rewards that are not compared',
    })
    .prefault({})
    .describe('What is minimised.'),
  updates: positive
    .default(1)
    .describe(
      'Optimizer updates for each batch of rollouts; from the second on, ratios are computed again. MemAgent: 16.',
    ),
  optimizer: z
    .strictObject({
      learningRate: z.number().positive().describe('The highest, after the warm-up.'),
      finalLearningRate: z.number().min(0).optional().meta({
        description: 'Where half a cosine ends, one step after the last.',
        defaultIs: 'the highest',
      }),
      warmupSteps: z.number().int().min(0).default(20).describe('Steps of linear warm-up.'),
      weightDecay: z.number().min(0).default(0.01).describe('Of AdamW.'),
      beta1: belowOne.default(0.9).describe('Of AdamW.'),
      beta2: belowOne.default(0.999).describe('Of AdamW.'),
      epsilon: z.number().positive().default(1e-8).describe('Of AdamW.'),
      clipNorm: z.number().positive().default(1).describe('Longer gradients are scaled down to this norm.'),
    })
    .describe('The optimizer.'),
  evaluation: z
    .strictObject({
      every: positive.describe('Steps between two evaluations.'),
      samples: positive.describe('Questions per length.'),
      lengths: z
        .array(positive)
        .min(1)
        .refine((lengths) => new Set(lengths).size === lengths.length, 'must name each length once')
        .describe('Tokens of the documents.'),
      seed: z.number().int().default(1_000_003).describe('Seed of questions and sampling.'),
      temperature: samplingSchema.shape.temperature.unwrap().default(0),
    })
    .describe('The same questions every time.'),
  checkpointEvery: positive.default(5).describe('Steps between two checkpoints.'),
})

/** In code, engine and task may be given as objects instead. */
const schema = fileSchema.partial({ engine: true, task: true })

/** Checks fields that are wrong only in combination. */
const checkTogether: Parameters<typeof schema.superRefine>[0] = (
  { engine, rollouts, loss, reward, optimizer },
  context,
) => {
  if (engine?.kind === 'tinker' && rollouts.temperature !== 1) {
    context.addIssue({
      code: 'custom',
      path: ['rollouts', 'temperature'],
      message:
        'must be 1 with a Tinker server: it computes log-probabilities and gradients at temperature 1, and rollouts at another temperature come from another distribution',
    })
  }
  if (loss.rescore === false && rollouts.from === 'start') {
    context.addIssue({
      code: 'custom',
      path: ['loss', 'rescore'],
      message:
        "must be true where rollouts.from is start: the log-probabilities of the rollouts are then those of the start, and ratios need the policy's own",
    })
  }
  if (loss.credit === 'final' && reward.steps) {
    context.addIssue({
      code: 'custom',
      path: ['loss', 'credit'],
      message: 'cannot be final with reward.steps: rewrites would earn nothing',
    })
  }
  if (loss.constantLength !== undefined && loss.aggregation !== 'conversation-sum') {
    context.addIssue({
      code: 'custom',
      path: ['loss', 'constantLength'],
      message: `is of conversation-sum, and loss.aggregation is ${loss.aggregation}`,
    })
  }
  const { learningRate, finalLearningRate = learningRate } = optimizer
  if (finalLearningRate > learningRate) {
    context.addIssue({
      code: 'custom',
      path: ['optimizer', 'finalLearningRate'],
      message: `must be at most optimizer.learningRate, which is ${learningRate}: the rate falls after the warm-up`,
    })
  }
}

/** As written in code or YAML: fields with a default may be left out. */
export type RlSettings = z.input<typeof schema>
/** The settings with every default filled in. */
export type RlConfig = z.output<typeof schema>

/** The configuration in a file, which must name engine and task. */
export const rlConfigSchema = fileSchema.superRefine(checkTogether)

/** @param settings overrides: `optimizer.learningRate=1e-4` @throws ConfigurationError naming every wrong field */
export const parseRlConfig = (
  yaml: string,
  name: string,
  settings?: readonly string[],
): z.output<typeof fileSchema> => parseConfig(rlConfigSchema, yaml, name, settings)

/** Checks an object; returns a checked one unchanged. @throws ConfigurationError naming every wrong field */
export const checkRlConfig = (settings: RlSettings): RlConfig =>
  checkConfig(schema.superRefine(checkTogether), settings, 'The configuration')

/** Whether the trainer's own log-probabilities replace the sampler's before the first update. */
export const rescores = (
  { loss, rollouts, updates }: RlConfig,
  { isRemote }: { readonly isRemote: boolean },
): boolean => loss.rescore ?? (rollouts.from === 'start' || (isRemote && updates > 1))

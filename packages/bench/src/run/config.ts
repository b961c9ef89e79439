/** The configuration of `memagent bench run`. Every part may come from a file or from flags, so little is required here. */
import { ConfigurationError } from '@memagent/core'
import { chunkingSchema, promptsSchema, samplingSchema, windowBudgetSchema } from '@memagent/core/settings'
import { z } from 'zod'
import { parseMethodSpec } from '../methods/registry.ts'
import { parseLength } from './length.ts'
import { parseTaskSpec, showTaskSpec } from './task-spec.ts'

const positive = z.number().int().positive()
const options = z.record(z.string(), z.unknown()).default({})

export const length = z
  .union([z.number(), z.string().meta({ pattern: '^\\s*\\d+(\\.\\d+)?[kKmM]?\\s*$' })])
  .transform((text, context) => {
    try {
      return parseLength(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as ConfigurationError).message })
      return z.NEVER
    }
  })
  .meta({ takes: 'a length in tokens, such as 8192, 8k or 3.5m' })
const lengths = z.array(length).min(1)

/** One number, or numbers by the greatest length that each applies to: `{ 64k: 64, 256k: 32, 3.5m: 16 }`. */
const samples = z.union([positive, z.record(z.string(), positive)]).transform((given, context) => {
  if (typeof given === 'number') return given
  const steps: { readonly upTo: number; readonly samples: number }[] = []
  for (const [text, count] of Object.entries(given)) {
    const { data, error } = length.safeParse(text)
    const message = error
      ? error.issues[0]!.message
      : steps.some(({ upTo }) => upTo === data)
        ? 'must name each length once'
        : undefined
    if (message !== undefined) context.addIssue({ code: 'custom', message })
    else steps.push({ upTo: data!, samples: count })
  }
  return steps.sort((a, b) => a.upTo - b.upTo)
})

/** `name`, `name:option=value`, or an object. */
const withSpec = <Schema extends z.ZodType>(parse: (spec: string) => unknown, schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? parse(value) : value), schema)

const task = z
  .strictObject({
    name: z
      .string()
      .describe(
        'A task of this project; or `jsonl` or `module` with the option `path`: questions and tasks of your own.',
      ),
    as: z.string().optional().meta({
      description: 'Its name in records and reports.',
      defaultIs: 'the name with the options',
    }),
    options: options.describe('Options of the task, by name.'),
    seen: z.boolean().optional().describe('Whether the model saw tasks of this kind in training.'),
    firstSeed: z.number().int().optional().meta({
      description: 'Question i is the first of the seed `firstSeed` + i.',
      defaultIs: "question i of the run's seed",
    }),
    lengths: lengths
      .optional()
      .meta({ description: 'Lengths of its documents.', defaultIs: 'those of the whole run' }),
    samples: samples
      .optional()
      .meta({ description: 'Questions per length.', defaultIs: 'those of the whole run' }),
  })
  .transform((given) => ({ ...given, as: given.as ?? showTaskSpec(given) }))
  .refine(({ as }) => !as.includes('/'), {
    message: 'the name must not contain "/": choose another with `as`',
    path: ['as'],
  })

const method = z.strictObject({
  name: z
    .string()
    .describe("A method of this project, one of the reader's workflows, or the path of a workflow."),
  options: options.describe('Options of the method, by name.'),
  lengths: lengths
    .optional()
    .meta({ description: 'Lengths at which it is measured.', defaultIs: 'all of the run' }),
  maxLength: length.optional().meta({
    description: 'It is not run at greater lengths. Documents of their own length are not measured for it.',
    defaultIs: 'no limit',
  }),
})

const model = z.strictObject({
  name: z.string().optional().meta({
    description: '`openai:NAME`, `ollama:NAME`, `gguf:FILE`, `embedded:FOLDER`, or the path of a module.',
    defaultIs: 'the bundled model',
  }),
  baseUrl: z.string().optional().describe('The server of an `openai:` model.'),
  apiKeyVariable: z.string().optional().meta({
    description: 'Environment variable that contains the API key.',
    defaultIs: 'MEMAGENT_API_KEY, otherwise OPENAI_API_KEY',
  }),
  tokenizer: z.string().optional().meta({
    description: 'Path of a `tokenizer.json`.',
    defaultIs: "the model's or its server's own, otherwise an estimate",
  }),
  timeoutSeconds: z.number().positive().optional().describe('The longest wait for one response.'),
  threads: positive.optional().describe('Threads of the embedded engine.'),
  budget: windowBudgetSchema
    .partial()
    .default({})
    .meta({ description: 'Parts of the window.', defaultIs: "the model's own, otherwise the paper's" }),
  chunking: chunkingSchema.optional().meta({ defaultIs: "the model's own, otherwise natural" }),
  prompts: promptsSchema.optional(),
  temperature: samplingSchema.shape.temperature.meta({
    description: 'Sampling temperature; 0 is greedy.',
    defaultIs: "the model's own, otherwise its server's",
  }),
  topP: samplingSchema.shape.topP,
})

const price = z.number().min(0).default(0)

export const benchConfigSchema = z.strictObject({
  output: z
    .string()
    .optional()
    .describe('The record: one line of JSON per sample. A stopped run resumes from it.'),
  seed: z.number().int().default(1).describe('Seed of questions and sampling.'),
  model: withSpec((name) => ({ name }), model)
    .prefault({})
    .meta({
      shorthand: 'The name of the model.',
      description: 'The model under test.',
      defaultIs: 'the bundled model',
    }),
  tasks: z
    .array(withSpec(parseTaskSpec, task).meta({ shorthand: '`name` or `name:option=value,option=value`.' }))
    .default([])
    .describe('The questions.'),
  methods: z
    .array(
      withSpec(parseMethodSpec, method).meta({ shorthand: '`name` or `name:option=value,option=value`.' }),
    )
    .default([])
    .describe('Who answers.'),
  lengths: lengths
    .optional()
    .describe("Tokens of the documents, by the model's tokenizer: `8k` is 8,000, `3.5m` is 3,500,000."),
  samples: samples
    .default(64)
    .describe(
      'Questions of each task at each length: one number, or numbers by the length up to which each applies, as `{ 64k: 64, 3.5m: 16 }`.',
    ),
  prose: z.string().optional().meta({
    description:
      'A folder of text files in English, for tasks that plant facts in prose. Files in other languages, and translations by their names (`README.fr.md`), are passed over; the first 32 MiB count.',
    defaultIs: 'the documentation that `npm ci` installs',
  }),
  ahead: z
    .union([positive, z.literal('auto')])
    .default(1)
    .describe(
      'Chunks of a document to ask about at once while the memory does not change, for workflows that can. The answers are the same; some calls are wasted. `auto`: as many as `concurrency`.',
    ),
  concurrency: positive.default(4).describe('Concurrent samples, and concurrent calls.'),
  order: z
    .enum(['shortest', 'listed'])
    .default('shortest')
    .describe('Shortest documents first, or tasks in the listed order.'),
  maxConsecutiveFailures: positive
    .default(20)
    .describe('This many consecutive failures of one method end the run.'),
  prices: z
    .strictObject({
      prompt: price.describe('Price of prompt tokens.'),
      completion: price.describe('Price of generated tokens.'),
      embedded: price.describe('Price of tokens sent to an embedding model.'),
    })
    .optional()
    .describe('Prices per million tokens, in any currency.'),
  tokensPerSecond: z
    .number()
    .positive()
    .optional()
    .describe('Tokens of prompts and responses that the model processes per second, for `--dry-run`.'),
})

export type BenchConfig = z.output<typeof benchConfigSchema>
export type Samples = z.output<typeof samples>

/** @throws ConfigurationError if the numbers do not cover this length */
export function samplesAt(samples: Samples, lengthTokens: number): number {
  if (typeof samples === 'number') return samples
  const step = samples.find(({ upTo }) => lengthTokens <= upTo)
  if (step) return step.samples
  throw new ConfigurationError({
    code: 'bench/samples',
    message: `How many samples of ${lengthTokens} tokens? The configuration says it up to ${samples.at(-1)?.upTo ?? 0}.`,
    details: { lengthTokens },
  })
}

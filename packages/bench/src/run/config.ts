/** The configuration of `memagent bench run`. Every part may come from a file or from flags, so little is required here. */
import { ConfigurationError } from '@memagent/core'
import { samplingSchema, windowBudgetSchema } from '@memagent/core/settings'
import { z } from 'zod'
import { parseMethodSpec } from '../methods/registry.ts'
import { parseLength } from './length.ts'
import { parseTaskSpec, showTaskSpec } from './task-spec.ts'

const positive = z.number().int().positive()
const options = z.record(z.string(), z.unknown()).default({})

const length = z.union([z.number(), z.string()]).transform((text, context) => {
  try {
    return parseLength(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as ConfigurationError).message })
    return z.NEVER
  }
})
const lengths = z.array(length).min(1)

/** One number, or numbers by the length up to which each applies: `{ 64k: 64, 256k: 32, 3.5m: 16 }`. */
const samples = z.union([
  positive,
  z.record(z.string(), positive).transform((numbers, context) => {
    const steps: { readonly upTo: number; readonly samples: number }[] = []
    for (const [text, count] of Object.entries(numbers)) {
      const { data, error } = length.safeParse(text)
      if (error) context.addIssue({ code: 'custom', message: error.issues[0]!.message })
      else steps.push({ upTo: data, samples: count })
    }
    return steps.sort((a, b) => a.upTo - b.upTo)
  }),
])

/** `name`, `name:option=value`, or an object. */
const withSpec = <Schema extends z.ZodType>(parse: (spec: string) => unknown, schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? parse(value) : value), schema)

const task = z
  .strictObject({
    /** A task of this project; or `jsonl` or `module` with the option `path`: questions and tasks of one's own. */
    name: z.string(),
    /** What records and reports call it. @default the name with the options */
    as: z.string().optional(),
    options,
    /** Whether the model saw tasks of this kind in training. */
    seen: z.boolean().optional(),
    /** @default those of the whole run */
    lengths: lengths.optional(),
    samples: samples.optional(),
  })
  .transform((given) => ({ ...given, as: given.as ?? showTaskSpec(given) }))
  .refine(({ as }) => !as.includes('/'), {
    message: 'a name without "/" is wanted: give it one with `as`',
    path: ['as'],
  })

const method = z.strictObject({
  name: z.string(),
  options,
  /** @default every length */
  lengths: lengths.optional(),
  /** Longer documents are not read with it. */
  maxLength: length.optional(),
})

const model = z.strictObject({
  /** `openai:NAME`, `ollama:NAME`, `gguf:FILE`, `embedded:FOLDER`, a module. @default the bundled model */
  name: z.string().optional(),
  baseUrl: z.string().optional(),
  /** Environment variable that holds the key. */
  apiKeyVariable: z.string().optional(),
  /** A `tokenizer.json` for models that bring none. */
  tokenizer: z.string().optional(),
  timeoutSeconds: z.number().positive().optional(),
  threads: positive.optional(),
  /** Parts of the window. @default the model's own, else the paper's */
  budget: windowBudgetSchema.partial().default({}),
  chunking: z.enum(['natural', 'exact']).optional(),
  temperature: samplingSchema.shape.temperature,
  topP: samplingSchema.shape.topP,
})

const price = z.number().min(0).default(0)

export const benchConfig = z.strictObject({
  /** JSON lines, one a sample; a run that was stopped goes on there. */
  output: z.string().optional(),
  seed: z.number().int().default(1),
  model: withSpec((name) => ({ name }), model).prefault({}),
  tasks: z.array(withSpec(parseTaskSpec, task)).default([]),
  methods: z.array(withSpec(parseMethodSpec, method)).default([]),
  lengths: lengths.optional(),
  samples: samples.default(64),
  /** A folder of text files, for tasks that hide things in prose. Without: the documentation that npm ci brought. */
  prose: z.string().optional(),
  /** Samples at a time. */
  concurrency: positive.default(4),
  order: z.enum(['shortest', 'listed']).default('shortest'),
  maxConsecutiveFailures: positive.default(20),
  /** Of a million tokens. */
  prices: z.strictObject({ prompt: price, completion: price, embedded: price }).optional(),
  /** Of prompts and answers, as many samples at a time as above: for the estimate of a dry run. */
  tokensPerSecond: z.number().positive().optional(),
})

export type BenchConfig = z.output<typeof benchConfig>
export type Samples = z.output<typeof samples>

/** @throws ConfigurationError when the numbers do not reach as far */
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

/** Command line flags that override a configuration file. */
import { ConfigurationError } from '@memagent/core'
import { methodNameOf } from '../methods/registry.ts'
import { type BenchConfig, benchConfigSchema } from './config.ts'
import { checkBenchConfig } from './yaml-config.ts'

export interface BenchOverrides {
  /** Specifications. A name from the configuration means that entry with its options; for a method, all entries of that name. */
  readonly tasks?: readonly string[] | undefined
  readonly methods?: readonly string[] | undefined
  /** Also overrides the lengths of single tasks. */
  readonly lengths?: readonly string[] | undefined
  /** One number, or one for each length. */
  readonly samples?: readonly number[] | undefined
  readonly output?: string | undefined
  readonly seed?: number | undefined
  readonly ahead?: number | 'auto' | undefined
  readonly concurrency?: number | undefined
  readonly prose?: string | undefined
  readonly tokensPerSecond?: number | undefined
  readonly prices?:
    | { readonly prompt?: number | undefined; readonly completion?: number | undefined }
    | undefined
  readonly model?:
    | { readonly [Part in keyof BenchConfig['model']]?: BenchConfig['model'][Part] | undefined }
    | undefined
}

/**
 * @param config from a file. @default all defaults
 * @throws ConfigurationError for values that a configuration cannot have, and for numbers of samples that do not match the
 * lengths; what `createMethod` throws for a method of the configuration that is named with other options
 */
export async function overrideConfig(
  config: BenchConfig = benchConfigSchema.parse({}),
  overrides: BenchOverrides = {},
): Promise<BenchConfig> {
  const { tasks, methods, lengths, samples, model, prices, ...simple } = overrides
  // The schema parses specifications and lengths, and rejects what it rejects in a file; its defaults are ignored.
  const given = checkBenchConfig(
    {
      ...defined(simple),
      tasks: tasks ?? [],
      methods: methods ?? [],
      ...(lengths && { lengths }),
      ...(model && { model: { ...defined(model), budget: defined(model.budget ?? {}) } }),
      ...(prices && { prices: defined(prices) }),
    },
    'The command',
  )
  const chosen = {
    ...config,
    ...defined(simple),
    model: withModel(config.model, model),
    prices: prices ? { ...(config.prices ?? noPrices), ...defined(prices) } : config.prices,
    tasks: tasks
      ? given.tasks.map((task) => config.tasks.find(({ as }) => as === task.as) ?? task)
      : config.tasks,
    methods: methods
      ? (await Promise.all(given.methods.map((method) => chosenMethods(method, config.methods)))).flat()
      : config.methods,
  }
  return withLengths(chosen, given.lengths, samples)
}

function withLengths(
  config: BenchConfig,
  lengths: readonly number[] | undefined,
  samples: readonly number[] | undefined,
): BenchConfig {
  const isPerLength = samples !== undefined && samples.length > 1
  if (isPerLength && samples.length !== (lengths ?? config.lengths)?.length) {
    throw new ConfigurationError({
      code: 'bench/samples',
      message: `There are ${samples.length} numbers of samples for ${(lengths ?? config.lengths)?.length ?? 'unknown'} lengths.`,
      hint: 'Give one number, or one for each length, in the same order.',
    })
  }
  const all = lengths ?? config.lengths
  const twice = isPerLength ? all?.find((length, i) => all.indexOf(length) !== i) : undefined
  if (twice !== undefined) {
    throw new ConfigurationError({
      code: 'bench/samples',
      message: `There are two numbers of samples for ${twice} tokens.`,
      hint: 'Name each length once.',
    })
  }
  const counts = !samples
    ? undefined
    : isPerLength
      ? samples.map((count, i) => ({ upTo: all![i]!, samples: count })).sort((a, b) => a.upTo - b.upTo)
      : samples[0]!
  return {
    ...config,
    ...(lengths && { lengths: [...lengths] }),
    ...(counts !== undefined && { samples: counts }),
    tasks: config.tasks.map((task) => ({
      ...task,
      ...(lengths && { lengths: undefined }),
      ...(counts !== undefined && { samples: undefined }),
    })),
  }
}

const noPrices = { prompt: 0, completion: 0, embedded: 0 }

/** Another model has another server, tokenizer and window. */
function withModel(
  model: BenchConfig['model'],
  overrides: BenchOverrides['model'] = {},
): BenchConfig['model'] {
  const isOther = overrides.name !== undefined && overrides.name !== model.name
  const { timeoutSeconds, threads, temperature, topP } = model
  const kept = isOther ? { ...defined({ timeoutSeconds, threads, temperature, topP }), budget: {} } : model
  const { budget, ...rest } = overrides
  return { ...kept, ...defined(rest), budget: { ...kept.budget, ...defined(budget ?? {}) } }
}

type Method = BenchConfig['methods'][number]

/** The entry with the same name in records; for a method without options, all its entries, unless one has no options either. */
async function chosenMethods(wanted: Method, known: readonly Method[]): Promise<readonly Method[]> {
  const namesakes = known.filter(({ name }) => name === wanted.name)
  if (namesakes.length === 0) return [wanted]
  const name = await methodNameOf(wanted)
  const names = await Promise.all(namesakes.map(methodNameOf))
  const same = namesakes.filter((_, i) => names[i] === name)
  if (same.length > 0) return same
  return Object.keys(wanted.options).length === 0 ? namesakes : [wanted]
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** Drops undefined values, which would hide those from the configuration. */
const defined = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>

/** Creates the tasks and methods that a configuration names. The caller passes the model, as this package knows no backends. */
import {
  type ChatModel,
  ConfigurationError,
  createEstimateTokenizer,
  isTrainedFor,
  type ModelProfile,
  overwrite,
  paperProfile,
  withBudget,
} from '@memagent/core'
import { choosePrompts } from '@memagent/core/settings'
import {
  contentOfTask,
  createFolderProse,
  installedProse,
  type ProseSource,
  type Task,
  taskNamed,
} from '@memagent/tasks'
import type { MethodSettings } from '../methods/factory.ts'
import { hasInstructions, ownPrompts } from '../methods/prompts.ts'
import { createMethod } from '../methods/registry.ts'
import { type BenchConfig, samplesAt } from './config.ts'
import type { BenchPlan, PlannedMethod, PlannedTask } from './plan.ts'

export interface PlanSources {
  readonly model: ChatModel
  /** For methods with their own endpoints. */
  readonly methods?: MethodSettings | undefined
  /** Other settings that the results depend on, for records: see `BenchPlan.settings`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  /** For records: see `BenchPlan.program`. */
  readonly program?: string | undefined
}

/**
 * @throws ConfigurationError for what the configuration lacks, and for unknown tasks and methods; what tasks and methods throw
 * for wrong options, and for a budget that exceeds the window; DocumentError when there is no prose
 */
export async function createPlan(config: BenchConfig, sources: PlanSources): Promise<BenchPlan> {
  const { model } = sources
  checkBenchConfig(config)
  const prose = config.prose === undefined ? await installedProse() : await createFolderProse(config.prose)
  const { budget, chunking, prompts, temperature, topP } = config.model
  const base: ModelProfile = withBudget(model.profile ?? paperProfile, budget)
  const profile: ModelProfile = {
    ...base,
    chunking: chunking ?? base.chunking,
    prompts: prompts === undefined ? base.prompts : await choosePrompts(prompts),
  }
  return {
    output: config.output,
    model,
    profile,
    sampling: { temperature, topP, seed: config.seed },
    ahead: config.ahead === 'auto' ? config.concurrency : config.ahead,
    concurrency: config.concurrency,
    order: config.order,
    prices: config.prices,
    maxConsecutiveFailures: config.maxConsecutiveFailures,
    settings: { prose: { name: prose.name, fingerprint: prose.fingerprint }, ...sources.settings },
    program: sources.program,
    tasks: await inOrder(config.tasks, (task) => planTask(task, config, prose)),
    methods: await inOrder(config.methods, (method) => planMethod(method, model, profile, sources.methods)),
  }
}

/** Checks what needs no model. @throws ConfigurationError for missing parts and unknown tasks */
export function checkBenchConfig(config: BenchConfig): void {
  checkComplete(config)
  for (const { name } of config.tasks) taskNamed(name)
}

function checkComplete(config: BenchConfig): void {
  const without = config.lengths ? [] : config.tasks.filter(({ lengths }) => !lengths)
  const missing = [
    ...(config.tasks.length === 0 ? ['tasks'] : []),
    ...(without.length > 0 || (!config.lengths && config.tasks.length === 0) ? ['lengths'] : []),
    ...(config.methods.length === 0 ? ['methods'] : []),
  ]
  if (missing.length === 0) return
  throw new ConfigurationError({
    code: 'bench/incomplete',
    message: `A benchmark needs ${missing.join(', ')}.`,
    hint: `Give ${missing.map((part) => `--${part}`).join(', ')}, or a configuration that sets them (--config FILE).`,
    details: { missing },
  })
}

async function planTask(
  { name, as, options, seen, firstSeed, ...own }: BenchConfig['tasks'][number],
  config: BenchConfig,
  prose: ProseSource,
): Promise<PlannedTask> {
  const lengths = own.lengths ?? config.lengths!
  const task = withSeeds(await taskNamed(name)({ prose, ...options }), firstSeed)
  checkLengths(as, task, lengths)
  return {
    name: as,
    task,
    options: firstSeed === undefined ? options : { ...options, firstSeed },
    content: await contentOfTask(name, options),
    seenInTraining: seen,
    lengths: [...new Set(lengths)].map((lengthTokens) => ({
      lengthTokens,
      samples: samplesAt(own.samples ?? config.samples, lengthTokens),
    })),
  }
}

/** @throws ConfigurationError if several lengths would ask the same questions about the same documents */
function checkLengths(name: string, { keepsLength }: Task, lengths: readonly number[]): void {
  if (!keepsLength || new Set(lengths).size === 1) return
  throw new ConfigurationError({
    code: 'bench/own-length',
    message: `The documents of ${name} keep their own length: at each of ${new Set(lengths).size} lengths they are the same.`,
    hint: 'Give it one length, under which it is recorded: --lengths, or `lengths` of the task in a configuration.',
    details: { task: name, lengths },
  })
}

/** Gives every question its own seed, starting with this one for question 0. */
const withSeeds = (task: Task, firstSeed: number | undefined): Task =>
  firstSeed === undefined
    ? task
    : {
        ...task,
        // Each seed picks a question of the file at random.
        questions: undefined,
        sample: (request) => task.sample({ ...request, seed: firstSeed + request.index, index: 0 }),
      }

async function planMethod(
  { name, options, lengths, maxLength }: BenchConfig['methods'][number],
  model: ChatModel,
  profile: ModelProfile,
  settings: MethodSettings | undefined,
): Promise<PlannedMethod> {
  const method = await createMethod({ name, options }, settings)
  // Reports unsuitable prompts before any call; methods that are not workflows use the prompts of `overwrite`.
  const workflow = method.workflow?.(profile)
  if (workflow === undefined) ownPrompts(profile)
  // Otherwise every sample would be recorded as a failure, and count as wrong.
  await method.checkBudget?.({ model, profile, tokenizer: model.tokenizer ?? createEstimateTokenizer() })
  // Models without instructions are asked in the conversations of `overwrite`.
  const asked = method.conversationsOf ?? (hasInstructions(profile) ? undefined : overwrite.name)
  return {
    method,
    workflow,
    // Lessons may also be for a method itself, such as map-reduce.
    trained: isTrainedFor(profile, name) || (asked === undefined ? undefined : isTrainedFor(profile, asked)),
    lengths,
    maxLengthTokens: maxLength,
  }
}

/** Sequential, so that the first of several errors is always the one reported. */
async function inOrder<From, To>(list: readonly From[], make: (from: From) => Promise<To>): Promise<To[]> {
  const made: To[] = []
  for (const from of list) made.push(await make(from))
  return made
}

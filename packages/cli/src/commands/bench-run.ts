/** `memagent bench run`: asks every method the same questions, and records one line per sample. */
import {
  type BenchConfig,
  type BenchPlan,
  type BenchSummary,
  checkBenchConfig,
  createPlan,
  estimateBenchmark,
  notesOnPlan,
  overrideConfig,
  readBenchConfig,
  runBenchmark,
  splitSpecs,
} from '@memagent/bench'
import { type ChatModel, paperProfile, parseHeaders, type Sampling } from '@memagent/core'
import { createPatientFetch } from '@memagent/core/node'
import { Command } from 'commander'
import { modelServer, openingStage, openModel } from '../backends.ts'
import { exitCodes, report, UsageError } from '../failures.ts'
import { programName } from '../program.ts'
import { createServerWaits, type ServerWaits } from '../server-waits.ts'
import { interruptedBySignals, leavingOnSignals } from '../signals.ts'
import { printJson, type Terminal } from '../terminal.ts'
import { showEstimate } from '../view/bench-estimate.ts'
import { BenchProgressView } from '../view/bench-progress.ts'
import { colorsOf } from '../view/colors.ts'
import { count, openView, type ProgressView } from '../view/progress.ts'
import { weightsOf } from '../weights.ts'
import { type AheadFlags, addAheadOption } from './ahead-option.ts'
import { addPriceOptions, type PriceFlags } from './limit-options.ts'
import {
  addModelOptions,
  addSamplingOptions,
  integer,
  type ModelFlags,
  noteOnProfile,
  positive,
  retryPolicy,
} from './reading-options.ts'

interface BenchRunFlags extends ModelFlags, PriceFlags, Sampling, Pick<AheadFlags, 'ahead'> {
  readonly config?: string
  readonly tasks?: readonly string[]
  readonly lengths?: readonly string[]
  readonly methods?: readonly string[]
  readonly prompts?: string
  readonly samples?: readonly number[]
  readonly output?: string
  readonly prose?: string
  readonly window?: number
  readonly tokensPerSecond?: number
  readonly retryFailed?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly color: boolean
}

export function benchRunCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const command = new Command('run')
    .description('ask every method the same questions; resumes an earlier run with the same output')
    .option(
      '--config <file>',
      'YAML configuration, such as recipes/nano/edits-evaluation.yaml; options override it',
    )
    .option(
      '--tasks <list>',
      'tasks, or names from the configuration: niah-single-2,multi-hop:hops=2',
      splitSpecs,
    )
    .option('--lengths <list>', 'tokens of all documents: 8k,64k,3.5m', (list) => list.split(','))
    .option('--methods <list>', 'methods: overwrite,truncate,bm25:k=8,./mine.ts', splitSpecs)
    .option(
      '--prompts <name|file>',
      "prompts of all methods, or a YAML file with templates (default: the model's; of one method: ./mine.ts:prompts=FILE)",
    )
    .option(
      '--samples <n>',
      'questions per task and length, or one number for each length: 64,64,16',
      numbers,
    )
    .option('--output <file>', 'record to write or resume (JSON lines)')
    .option(
      '--prose <folder>',
      'English text files to plant facts in (default: documentation found in node_modules)',
    )
  addModelOptions(command, { of: 'samples, and calls,', standard: 4 }).option(
    '--window <tokens>',
    'window of the model',
    integer('--window'),
  )
  addAheadOption(command, '1')
  return addPriceOptions(addSamplingOptions(command, 'questions and sampling'))
    .option(
      '--tokens-per-second <n>',
      'how fast the model works, for --dry-run',
      positive('--tokens-per-second'),
    )
    .option('--retry-failed', 'retry failed samples')
    .option('--dry-run', 'print upper bounds for calls, tokens, time and price; call nothing')
    .option('--json', 'print one JSON document at the end')
    .option('--quiet', 'no progress')
    .option('--no-color', 'no colours')
    .addHelpText(
      'after',
      '\nExit codes: 0 everything is recorded and no call failed, 1 some failed (they count as wrong) or the run could not continue,\n2 wrong usage, 130 interrupted.',
    )
    .action(async (flags: BenchRunFlags) => {
      setExitCode(await benchRun(flags, terminal))
    })
}

const numbers = (list: string) => list.split(',').map(integer('--samples'))

async function benchRun(flags: BenchRunFlags, terminal: Terminal): Promise<number> {
  const view = openView(flags, terminal)
  const waits = createServerWaits(view)
  const leaving = <T>(work: () => Promise<T>) => leavingOnSignals(work, terminal, flags, view)
  try {
    const { config, plan, model } = await leaving(() => prepare(flags, terminal, view, waits))
    try {
      view?.end()
      return await (flags.dryRun
        ? leaving(() => dryRun(plan, config, flags, terminal))
        : run(plan, flags, terminal, waits))
    } finally {
      await model.close?.()
    }
  } catch (error) {
    view?.end()
    return report(error, terminal, flags, {
      resumeHint: 'Run the same command again to resume; finished samples are recorded.',
    })
  }
}

async function prepare(
  flags: BenchRunFlags,
  terminal: Terminal,
  view: ProgressView | undefined,
  waits: ServerWaits,
): Promise<{ readonly config: BenchConfig; readonly plan: BenchPlan; readonly model: ChatModel }> {
  const config = await overrideConfig(
    flags.config ? await readBenchConfig(flags.config) : undefined,
    overrides(flags),
  )
  checkBenchConfig(config)
  const { model: settings, concurrency } = config
  const retry = retryPolicy(flags)
  view?.waitFor(openingStage(settings.name))
  const request = {
    model: settings.name,
    baseUrl: settings.baseUrl,
    apiKeyVariable: settings.apiKeyVariable,
    tokenizerFile: settings.tokenizer,
    profileFile: flags.profile,
    headers: flags.header && parseHeaders(flags.header),
    timeoutSeconds: settings.timeoutSeconds,
    retry,
    threads: settings.threads,
    concurrency,
  }
  const { model, isBundled } = await openModel(request, terminal.environment, waits)
  try {
    if (isBundled) view?.note(`No model was named: measuring the bundled one (${model.name}).`)
    view?.waitFor('preparing the tasks')
    // A dry run records nothing, and large files take a while.
    const weights = flags.dryRun ? undefined : await weightsOf(settings.name)
    const plan = await createPlan(config, {
      model,
      methods: {
        environment: terminal.environment,
        baseUrl: modelServer(settings.name, settings.baseUrl, terminal.environment),
        fetch: createPatientFetch(),
        retry,
        onWait: (wait) => waits.report(wait),
      },
      settings: weights === undefined ? {} : { weights },
      program: await programName(),
    })
    const note = noteOnProfile(model, plan.profile ?? paperProfile)
    if (note !== undefined) view?.note(note)
    for (const note of notesOnPlan(plan)) view?.note(note)
    return { config, plan, model }
  } catch (error) {
    await model.close?.()
    throw error
  }
}

const overrides = (flags: BenchRunFlags): Parameters<typeof overrideConfig>[1] => ({
  tasks: flags.tasks,
  methods: flags.methods,
  lengths: flags.lengths,
  samples: flags.samples,
  output: flags.output,
  seed: flags.seed,
  prose: flags.prose,
  ahead: flags.ahead,
  concurrency: flags.concurrency,
  tokensPerSecond: flags.tokensPerSecond,
  prices:
    flags.priceIn === undefined && flags.priceOut === undefined
      ? undefined
      : { prompt: flags.priceIn, completion: flags.priceOut },
  model: {
    name: flags.model,
    baseUrl: flags.baseUrl,
    apiKeyVariable: flags.apiKeyEnv,
    tokenizer: flags.tokenizer,
    timeoutSeconds: flags.timeout,
    threads: flags.threads,
    temperature: flags.temperature,
    topP: flags.topP,
    prompts: flags.prompts,
    budget: flags.window === undefined ? undefined : { window: flags.window },
  },
})

async function dryRun(
  plan: BenchPlan,
  config: BenchConfig,
  { json }: BenchRunFlags,
  { stdout }: Terminal,
): Promise<number> {
  const estimate = await estimateBenchmark(plan, config.tokensPerSecond)
  if (json) printJson(stdout, estimate)
  else stdout.write(showEstimate(estimate))
  return exitCodes.ok
}

async function run(
  plan: BenchPlan,
  flags: BenchRunFlags,
  terminal: Terminal,
  waits: ServerWaits,
): Promise<number> {
  const { stdout, stderr } = terminal
  if (plan.output === undefined) {
    throw new UsageError({
      code: 'cli/no-output',
      message: 'No output file was given.',
      hint: 'Add --output FILE.jsonl, or `output` in the configuration.',
    })
  }
  const { signal, unlisten } = interruptedBySignals(waits)
  const view = flags.quiet
    ? undefined
    : new BenchProgressView({
        output: stderr,
        colors: colorsOf(flags, terminal, stderr),
        now: () => performance.now(),
      })
  if (view) waits.report = (wait) => view.wait(wait)
  try {
    const summary = await runBenchmark(plan, {
      signal,
      retryFailed: flags.retryFailed,
      onNote: (note) => view?.note(note),
      onRecord: (record) => view?.record(record),
      onProgress: (progress) => view?.update(progress),
    })
    view?.end()
    if (flags.json) printJson(stdout, summary)
    else stdout.write(describe(summary))
    return unexpectedFailures(summary) > 0 ? exitCodes.failed : exitCodes.ok
  } finally {
    view?.end()
    unlisten()
  }
}

/** A document that does not fit a method's window is an expected failure. */
const unexpectedFailures = ({ failed, errors }: BenchSummary) =>
  failed - (errors['chat/overlong-prompt'] ?? 0)

function describe(summary: BenchSummary): string {
  const { output, samples, asked, failed, errors, price } = summary
  const codes = Object.entries(errors).map(([code, times]) => `${count(times)} ${code}`)
  const lines = [
    `${count(samples)} ${samples === 1 ? 'sample is' : 'samples are'} recorded in ${output}, ${count(asked)} of them by this run.`,
    failed === 0 ? undefined : `${count(failed)} failed and count as wrong: ${codes.join(', ')}.`,
    unexpectedFailures(summary) === 0
      ? undefined
      : 'To ask them again, repeat the command with --retry-failed.',
    price === undefined ? undefined : `price: ${price.toFixed(2)}`,
    `Tables and plots: memagent bench report ${output}`,
  ]
  return lines.flatMap((line) => (line === undefined ? [] : [`${line}\n`])).join('')
}

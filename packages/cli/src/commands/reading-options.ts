/** Options that every command about a reading shares. */
import {
  type BudgetChanges,
  type ChatModel,
  defaultConcurrency,
  defaultWorkflowOf,
  type ModelProfile,
  overwrite,
  type PromptSet,
  parseHeaders,
  profileFor,
  promptsFor,
  type Sampling,
  type Workflow,
  withBudget,
  workflowNames,
} from '@memagent/core'
import { loadWorkflow } from '@memagent/core/node'
import { choosePrompts, jsonSchemaOf, samplingSchema } from '@memagent/core/settings'
import type { Command } from 'commander'
import { z } from 'zod'
import type { ModelRequest } from '../backends.ts'
import { UsageError } from '../failures.ts'
import type { OutputFlags } from '../terminal.ts'
import { count, type ViewFlags } from '../view/progress.ts'
import { type AheadFlags, addAheadOption } from './ahead-option.ts'

export interface ModelFlags {
  readonly model?: string
  readonly baseUrl?: string
  readonly apiKeyEnv?: string
  readonly tokenizer?: string
  readonly profile?: string
  readonly header?: readonly string[]
  readonly timeout?: number
  readonly retries?: number
  readonly patience?: number
  readonly concurrency?: number
  readonly threads?: number
}

export interface ReadingFlags extends ModelFlags, Omit<BudgetChanges, 'question'>, Sampling, AheadFlags {
  readonly workflow?: string
  readonly prompts?: string
  readonly questionBudget?: number
  readonly exact?: boolean
}

/** @param concurrency what runs concurrently, and how much of it by default */
export function addModelOptions(
  command: Command,
  concurrency = { of: 'calls', standard: defaultConcurrency },
): Command {
  return command
    .optionsGroup('Model:')
    .option('--model <spec>', 'model, such as openai:NAME or embedded:FOLDER (default: the bundled model)')
    .option('--base-url <url>', 'server of an openai: or ollama: model, such as http://localhost:8000/v1')
    .option(
      '--api-key-env <name>',
      'environment variable that contains the API key (default: MEMAGENT_API_KEY or OPENAI_API_KEY)',
    )
    .option(
      '--tokenizer <file>',
      "tokenizer.json of the model (default: the model's or its server's own, otherwise estimates)",
    )
    .option(
      '--profile <file>',
      "profile.json with the model's window, prompts and sampling (default: from the model folder, or beside a GGUF file; otherwise the paper's)",
    )
    .option('--header <line>', "extra header for the server, 'Name: value' (repeatable)", headerLines)
    .option('--timeout <seconds>', 'longest wait for one response (default: 600)', positive('--timeout'))
    .option(
      '--retries <n>',
      'retries of a failed call (default: 4; while the server is busy, as many as --patience allows)',
      wholeNumber('--retries'),
    )
    .option(
      '--patience <time>',
      'how long a failed call is retried: 90, 90s, 15m, 2h (default: 15m)',
      duration('--patience'),
    )
    .option(
      '--concurrency <n>',
      `${concurrency.of} at once (default: ${concurrency.standard})`,
      integer('--concurrency'),
    )
    .option('--threads <n>', 'threads of the embedded engine', integer('--threads'))
    .optionsGroup('')
}

const aheadByItself = 'auto for a model in this process, where a wasted call costs no money; otherwise 1'

/** @param ahead the default of `--ahead`, in the words of the help */
export function addReadingOptions(command: Command, ahead = aheadByItself): Command {
  addModelOptions(command)
    .optionsGroup('Reading:')
    .option(
      '--workflow <name|path>',
      `how to read: ${workflowNames.join(', ')}, or a module of your own such as ./mine.ts (default: the model's own, otherwise overwrite)`,
    )
    .option(
      '--prompts <name|file>',
      "prompts of the workflow, or a YAML file with templates (default: the model's)",
    )
    .option('--window <tokens>', 'window of the model', integer('--window'))
    .option('--question-budget <tokens>', 'longest question', integer('--question-budget'))
    .option('--chunk <tokens>', 'tokens per chunk', integer('--chunk'))
    .option(
      '--memory <tokens>',
      'longest memory; auto: it grows into the window while it is full',
      integerOrAuto('--memory'),
    )
    .option('--output <tokens>', 'longest answer', integer('--output'))
    .option('--exact', 'cut chunks at the exact token count instead of at sentence ends')
  addAheadOption(command, ahead).optionsGroup('')
  return addSamplingOptions(command)
}

export interface ShownFlags extends OutputFlags, ViewFlags {}

/** @param json what `--json` does */
export const addOutputOptions = (
  command: Command,
  json = 'print one JSON document instead of plain text',
): Command =>
  command
    .option('--json', json)
    .option('--events', 'print every event as a JSON line')
    .option('--quiet', 'no progress')
    .option('--no-color', 'no colours')

/** @param seed what the seed is for */
export const addSamplingOptions = (command: Command, seed = 'the sampling'): Command =>
  command
    .optionsGroup('Sampling:')
    .option('--temperature <t>', '0 is greedy', temperature('--temperature'))
    .option('--top-p <p>', 'nucleus sampling', probability('--top-p'))
    .option('--seed <n>', `seed of ${seed}`, wholeNumber('--seed'))
    .optionsGroup('')

export const samplingOf = ({ temperature, topP, seed }: Sampling): Sampling => ({ temperature, topP, seed })

/** @param atOnce concurrent calls. @default 1 */
export const modelRequest = (flags: ModelFlags, atOnce = 1): ModelRequest => ({
  model: flags.model,
  baseUrl: flags.baseUrl,
  apiKeyVariable: flags.apiKeyEnv,
  tokenizerFile: flags.tokenizer,
  profileFile: flags.profile,
  headers: flags.header && parseHeaders(flags.header),
  timeoutSeconds: flags.timeout,
  retry: retryPolicy(flags),
  concurrency: flags.concurrency ?? (atOnce > 1 ? atOnce : undefined),
  threads: flags.threads,
})

export const retryPolicy = ({ retries, patience }: ModelFlags): ModelRequest['retry'] => ({
  ...(retries === undefined ? {} : { attempts: retries + 1 }),
  ...(patience === undefined ? {} : { patienceMs: 1000 * patience }),
})

/** Checked while the command line is parsed, so that an invalid header is wrong usage. */
export function headerLines(line: string, before: readonly string[] = []): readonly string[] {
  const lines = [...before, line]
  parseHeaders(lines)
  return lines
}

/** A note for users of a model without a profile; undefined for other models. */
export function noteOnProfile(
  model: ChatModel,
  { budget, prompts }: ModelProfile,
  workflow: Workflow = overwrite,
): string | undefined {
  if (model.profile) return undefined
  const [window, chunk] = [count(budget.window), count(budget.chunk)]
  return `${model.name} has no profile: reading with the ${nameOf(prompts) ?? Object.keys(workflow.prompts.sets)[0]} prompts, a window of ${window} tokens and chunks of ${chunk}. Use --profile FILE to give it one.`
}

const nameOf = (prompts: ModelProfile['prompts']) => (typeof prompts === 'object' ? prompts.name : prompts)

/** The model's profile with the user's changes, and the workflow: the chosen one, otherwise the model's. */
export async function readingWith(
  model: ChatModel,
  flags: ReadingFlags,
  { workflow, prompts }: ChosenWorkflow,
): Promise<{ readonly profile: ModelProfile; readonly workflow: Workflow }> {
  const chosen = workflow ?? (await defaultWorkflowOf(model.profile ?? {}))
  const own = model.profile ?? profileFor(chosen)
  const profile = withBudget(own, { ...flags, question: flags.questionBudget })
  return {
    profile: { ...profile, ...(flags.exact && { chunking: 'exact' }), ...(prompts && { prompts }) },
    workflow: chosen,
  }
}

export interface ChosenWorkflow {
  /** Undefined: as in the model's profile. */
  readonly workflow: Workflow | undefined
  /** Undefined: as in the model's profile. */
  readonly prompts: string | PromptSet | undefined
}

/** Loads the chosen workflow and prompts. @throws ConfigurationError naming the module or the file that is wrong */
export async function chooseWorkflow(flags: ReadingFlags): Promise<ChosenWorkflow> {
  const workflow = flags.workflow === undefined ? undefined : await loadWorkflow(flags.workflow)
  const prompts = flags.prompts === undefined ? undefined : await choosePrompts(flags.prompts)
  if (workflow && prompts !== undefined) promptsFor(workflow, prompts)
  return { workflow, prompts }
}

/** Parses the text of an option; `written` is the JSON Schema of its value in a configuration file. */
export interface OptionParser {
  (text: string): number
  readonly written: Readonly<Record<string, unknown>>
}

function parser(name: string, schema: z.ZodNumber, wanted: string): OptionParser {
  const parse = (text: string): number => {
    const value = Number(text.replaceAll(/[_,](?=\d{3})/g, ''))
    if (text.trim() !== '' && schema.safeParse(value).success) return value
    throw new UsageError({ code: 'cli/bad-option', message: `${name} must be ${wanted}, not ${text}.` })
  }
  const { $schema: _, type, ...range } = jsonSchemaOf(schema)
  return Object.assign(parse, {
    written: { ...range, type: [type, 'string'], pattern: '^\\s*[\\d_,.eE+-]+\\s*$' },
  })
}
export const integer = (name: string) => parser(name, z.int().positive(), 'a whole number above 0')

/** Also takes `auto`. */
function integerOrAuto(name: string) {
  const parse = integer(name)
  const { type, ...written } = parse.written
  return Object.assign((text: string) => (text.trim() === 'auto' ? 'auto' : parse(text)), {
    written: { ...written, type, pattern: String.raw`^\s*(?:auto|[\d_,.eE+-]+)\s*$` },
  })
}
export const wholeNumber = (name: string) => parser(name, z.int().min(0), 'a whole number of at least 0')
export const port = (name: string) =>
  parser(name, z.int().min(0).max(65_535), 'a whole number from 0 to 65535')
export const positive = (name: string) => parser(name, z.number().positive(), 'a number above 0')
const temperature = (name: string) =>
  parser(name, samplingSchema.shape.temperature.unwrap(), 'a number from 0 to 100')
const probability = (name: string) =>
  parser(name, samplingSchema.shape.topP.unwrap(), 'a number above 0, at most 1')
export const nonNegative = (name: string) => parser(name, z.number().min(0), 'a number of at least 0')
const secondsOf = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** Parses seconds, or a number with a unit; returns seconds. */
export function duration(name: string): OptionParser {
  const parse = (text: string): number => {
    const match = /^\s*(\d+(?:\.\d+)?)\s*([smhd])?\s*$/.exec(text)
    if (match) return Number(match[1]) * secondsOf[(match[2] ?? 's') as keyof typeof secondsOf]
    throw new UsageError({
      code: 'cli/bad-option',
      message: `${name} must be a number of seconds, or a time such as 90s, 15m or 2h, not ${text}.`,
    })
  }
  const pattern = '^\\s*\\d+(\\.\\d+)?\\s*[smhd]?\\s*$'
  return Object.assign(parse, { written: { type: ['number', 'string'], minimum: 0, pattern } })
}

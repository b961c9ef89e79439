/** How the workflows `skim` and `skim-edits` search. */
import {
  createOpenAIEmbeddings,
  createSkim,
  createSkimEdits,
  serverFromEnvironment,
  skim,
  skimEdits,
  type Workflow,
} from '@memagent/core'
import { createPatientFetch } from '@memagent/core/node'
import type { Command } from 'commander'
import { type Environment, modelServer } from '../backends.ts'
import { UsageError } from '../failures.ts'
import type { ServerWaits } from '../server-waits.ts'
import { type ReadingFlags, retryPolicy } from './reading-options.ts'

export interface SearchFlags {
  readonly embeddings?: string
  readonly embeddingsUrl?: string
}

export const addSearchOptions = (command: Command): Command =>
  command
    .optionsGroup('Reading:')
    .option(
      '--embeddings <name>',
      'skim and skim-edits search by meaning, with this model of an OpenAI-compatible server (default: by words, BM25); --max-calls and --max-cost do not count its calls',
    )
    .option(
      '--embeddings-url <url>',
      'its server (default: MEMAGENT_BASE_URL or OPENAI_BASE_URL, otherwise OpenAI)',
    )
    .optionsGroup('')

/** The workflow, searching as the flags say. @throws UsageError for a workflow that does not search; ConfigurationError for a bad URL */
export function searchingWith(
  workflow: Workflow,
  flags: SearchFlags & ReadingFlags,
  environment: Environment,
  waits: ServerWaits,
): Workflow {
  const { embeddings, embeddingsUrl } = flags
  if (embeddings === undefined && embeddingsUrl === undefined) return workflow
  if (embeddings === undefined) throw misused('--embeddings-url needs --embeddings, with the name of a model')
  const isEdits = workflow.name === skimEdits.name
  if (workflow.name !== skim.name && !isEdits)
    throw misused('--embeddings is for --workflow skim and skim-edits')
  const { baseUrl, apiKey } = serverFromEnvironment(
    environment,
    embeddingsUrl,
    modelServer(flags.model, flags.baseUrl, environment),
  )
  const model = createOpenAIEmbeddings({
    model: embeddings,
    baseUrl,
    apiKey,
    retry: retryPolicy(flags),
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    onWait: (wait) => waits.report(wait),
    fetch: createPatientFetch(),
  })
  return (isEdits ? createSkimEdits({ model }) : createSkim({ model })) as unknown as Workflow
}

const misused = (what: string) => new UsageError({ code: 'cli/bad-option', message: `${what}.` })

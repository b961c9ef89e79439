/** `memagent models`: lists what --model accepts. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ChatError,
  createOpenAICompatibleModel,
  listServedModels,
  parseHeaders,
  serverFromEnvironment,
  showAddress,
} from '@memagent/core'
import { createPatientFetch } from '@memagent/core/node'
import { Command } from 'commander'
import { backends, bundledModelFolder } from '../backends.ts'
import { createServerWaits, notesOn } from '../server-waits.ts'
import { printable, printJson, type Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'
import { headerLines } from './reading-options.ts'

interface ModelsFlags {
  readonly baseUrl?: string
  readonly model?: string
  readonly header?: readonly string[]
  readonly json?: boolean
}

export function modelsCommand(terminal: Terminal): Command {
  return new Command('models')
    .description('list backends, the bundled model and, with --base-url, the models of a server')
    .option('--base-url <url>', 'an OpenAI-compatible server')
    .option('--model <name>', 'describe only this model of the server')
    .option('--header <line>', "extra header for the server, 'Name: value' (repeatable)", headerLines)
    .option('--json', 'print one JSON document')
    .action((flags: ModelsFlags) => models(flags, terminal))
}

async function models(flags: ModelsFlags, terminal: Terminal): Promise<void> {
  const { stdout } = terminal
  const bundled = await describeBundled()
  const served = flags.baseUrl ? await describeServed(flags, terminal) : []
  if (flags.json) {
    return printJson(stdout, { bundled, backends: Object.keys(backends), served })
  }
  stdout.write(
    `bundled: ${bundled.name}, ${(bundled.bytes / 1e6).toFixed(1)} MB, window ${bundled.window} tokens, chunks of ${bundled.chunk}\n`,
  )
  stdout.write(
    `others are named:\n${Object.values(backends)
      .map(({ usage, description }) => `  ${usage.padEnd(16)} ${description}\n`)
      .join('')}`,
  )
  if (served.length > 0) stdout.write(`${printable(showAddress(flags.baseUrl ?? ''))} serves:\n`)
  for (const { model, contextWindow } of served) {
    const window = contextWindow === undefined ? 'unknown size' : `${count(contextWindow)} tokens`
    stdout.write(`  ${printable(`openai:${model}`)}, window of ${window}\n`)
  }
}

async function describeBundled() {
  const folder = bundledModelFolder()
  const profile = JSON.parse(await readFile(join(folder, 'profile.json'), 'utf8'))
  const { size } = await stat(join(folder, 'model.safetensors'))
  return {
    name: String(profile.name),
    folder,
    bytes: size,
    window: profile.budget.window,
    chunk: profile.budget.chunk,
  }
}

/** Many servers have a few models and can describe each; for hubs with hundreds, list only names. */
const mostDescribed = 8

async function describeServed(flags: ModelsFlags, terminal: Terminal) {
  const { baseUrl, apiKey } = serverFromEnvironment(terminal.environment, flags.baseUrl)
  const headers = parseHeaders(flags.header ?? [])
  const fetch = createPatientFetch()
  const served = await listServedModels({ baseUrl, apiKey, headers, fetch })
  // As other commands name it, too.
  const wanted = flags.model?.replace(/^openai:/, '')
  const names = wanted === undefined ? served : [wanted]
  if (wanted !== undefined && !served.includes(wanted)) {
    throw new ChatError({
      code: 'chat/unknown-model',
      message: `${showAddress(baseUrl)} does not list the model ${wanted}.`,
      hint: `It lists ${served.slice(0, 20).join(', ')}${served.length > 20 ? ', ...' : ''}.`,
    })
  }
  const { report: onWait } = createServerWaits(notesOn(terminal.stderr))
  const describe = async (model: string) => {
    const described = await createOpenAICompatibleModel({
      baseUrl,
      model,
      apiKey,
      headers,
      fetch,
      onWait,
    }).describe?.()
    return { model, contextWindow: described?.contextWindow }
  }
  const isHub = names.length > mostDescribed
  return Promise.all(names.map((model) => (isHub ? { model, contextWindow: undefined } : describe(model))))
}

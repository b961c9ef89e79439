/** `memagent models`: what can be named with --model. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createOpenAICompatibleModel, serverFromEnvironment } from '@memagent/core'
import { Command } from 'commander'
import { backends, bundledModelFolder } from '../backends.ts'
import { exitCodes, report } from '../failures.ts'
import type { Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'

interface ModelsFlags {
  readonly baseUrl?: string
  readonly model?: string
  readonly json?: boolean
}

export function modelsCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  return new Command('models')
    .description(
      'list backends, the bundled model and, with --base-url and --model, what a server says of a model',
    )
    .option('--base-url <url>', 'an OpenAI-compatible server')
    .option('--model <name>', 'the model to ask that server about')
    .option('--json', 'print one JSON document')
    .action(async (flags: ModelsFlags) => {
      setExitCode(await models(flags, terminal))
    })
}

async function models(flags: ModelsFlags, { stdout, ...rest }: Terminal): Promise<number> {
  const terminal = { stdout, ...rest }
  try {
    const bundled = await describeBundled()
    const served = flags.baseUrl && flags.model ? await describeServed(flags, terminal) : undefined
    if (flags.json) {
      stdout.write(`${JSON.stringify({ bundled, backends: Object.keys(backends), served })}\n`)
      return exitCodes.ok
    }
    stdout.write(
      `bundled: ${bundled.name}, ${(bundled.bytes / 1e6).toFixed(1)} MB, window ${bundled.window} tokens, chunks of ${bundled.chunk}\n`,
    )
    stdout.write(
      `others are named:\n${Object.values(backends)
        .map(({ usage, description }) => `  ${usage.padEnd(16)} ${description}\n`)
        .join('')}`,
    )
    if (served) {
      stdout.write(
        `${served.model} is served with a window of ${served.contextWindow === undefined ? 'unknown size' : `${count(served.contextWindow)} tokens`}\n`,
      )
    }
    return exitCodes.ok
  } catch (error) {
    return report(error, terminal, { json: flags.json ?? false })
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

async function describeServed(flags: ModelsFlags, terminal: Terminal) {
  const server = serverFromEnvironment(terminal.environment, flags.baseUrl)
  const model = createOpenAICompatibleModel({
    baseUrl: server.baseUrl,
    model: flags.model!,
    apiKey: server.apiKey,
  })
  return model.describe?.()
}

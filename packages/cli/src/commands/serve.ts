/** `memagent serve`: an OpenAI-compatible server without a context limit. */
import { resolve } from 'node:path'
import type { RunningServer, ServedModel } from '@memagent/server'
import { Command } from 'commander'
import { openModel } from '../backends.ts'
import { addConfiguration } from '../configuration/apply.ts'
import { exitCodes, report } from '../failures.ts'
import { reportFolder } from '../reports/report-folder.ts'
import { namingStore, openStore } from '../run-store/open-store.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import { createServerWaits, notesOn } from '../server-waits.ts'
import { printable, type Terminal } from '../terminal.ts'
import { addCacheOption, type CacheFlags } from './cache-option.ts'
import {
  addReadingOptions,
  chooseWorkflow,
  integer,
  modelRequest,
  noteOnProfile,
  type ReadingFlags,
  readingWith,
  wholeNumber,
} from './reading-options.ts'
import { createLog, type LogForm, logOption } from './serve-log.ts'

interface ServeFlags extends ReadingFlags, StoreFlags, CacheFlags {
  readonly address?: string
  readonly port?: number
  readonly name?: string
  readonly host?: readonly string[]
  readonly origin?: readonly string[]
  readonly readings?: number
  readonly log?: LogForm
  readonly mostFileBytes?: number
  readonly reports?: string
}

export function serveCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const command = addConfiguration(addReadingOptions(new Command('serve')), terminal)
  return addCacheOption(addStoreOption(command))
    .description('serve a model without a context limit to OpenAI and Anthropic clients')
    .option('--address <address>', 'where to listen (default: 127.0.0.1, for this machine alone)')
    .option('--port <n>', 'port to listen on; 0: any that is free (default: 8642)', wholeNumber('--port'))
    .option('--name <name>', "what clients call the model (default: the model's own name)")
    .option('--host <name...>', 'other names that clients reach this server by')
    .option('--origin <origin...>', 'pages that may call the server, such as https://app.example')
    .option('--readings <n>', 'readings at a time; others wait in line (default: 4)', integer('--readings'))
    .option(
      '--most-file-bytes <n>',
      'largest file that can be uploaded (default: 1 GiB)',
      integer('--most-file-bytes'),
    )
    .option('--reports <folder>', 'recorded benchmarks and trainings that the page shows (default: none)')
    .addOption(logOption())
    .option('--no-store', 'keep nothing: no runs, no files')
    .action(async (flags: ServeFlags) => {
      setExitCode(await serve(flags, terminal))
    })
}

async function serve(flags: ServeFlags, terminal: Terminal): Promise<number> {
  const { stderr, environment } = terminal
  const closing: (() => Promise<unknown> | undefined)[] = []
  try {
    const chosen = await chooseWorkflow(flags)
    const { store, place } = flags.store === false ? {} : await openStore(flags, terminal)
    closing.push(() => store?.close())
    const waits = createServerWaits(notesOn(stderr))
    const { model } = await openModel(modelRequest(flags), environment, waits)
    closing.push(() => model.close?.())
    const reading = await readingWith(model, flags, chosen)
    const note = noteOnProfile(model, reading.profile, reading.workflow)
    if (note !== undefined) stderr.write(`${printable(note)}\n`)
    const served: ServedModel = {
      id: flags.name ?? nameOf(model.name),
      model,
      ...reading,
      reading: { usesCache: flags.cache !== false },
    }
    const { listen } = await import('@memagent/server')
    // Where there are keys, every client needs one.
    const keys = (await store?.keys.list()) ?? []
    const server = await listen({
      models: [served],
      store,
      uploads: place?.uploads,
      mostFileBytes: flags.mostFileBytes,
      findKey: store && keys.length > 0 ? (hash) => store.keys.find(hash) : undefined,
      knownKeys: keys,
      address: flags.address,
      port: flags.port,
      hosts: flags.host,
      origins: flags.origin,
      readings: flags.readings,
      reports: flags.reports === undefined ? undefined : await reportFolder(resolve(flags.reports)),
      ...createLog(flags.log ?? 'text', stderr),
    })
    const page = store ? `; its page: ${server.url}` : ''
    stderr.write(`${served.id} answers at ${server.url}/v1${page} (Ctrl-C stops it)\n`)
    await untilSignal()
    stderr.write('Stopping.\n')
    await stopped(server)
    return exitCodes.ok
  } catch (error) {
    return report(namingStore(error, flags), terminal, { json: false })
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

/** `openai:qwen2.5-7b` is `qwen2.5-7b` to clients. */
const nameOf = (model: string): string => model.replace(/^\w+:/, '').replace(/^.*\//, '')

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/** A second signal does not wait. */
async function stopped(server: RunningServer): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(exitCodes.interrupted))
  }
  await server.stop()
}

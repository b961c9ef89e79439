/** `memagent serve`: an OpenAI-compatible server without a context limit. */
import { resolve } from 'node:path'
import type { ServedModel } from '@memagent/server'
import { Command } from 'commander'
import { openModel, servedName } from '../backends.ts'
import { addConfiguration } from '../configuration/apply.ts'
import { exitCodes } from '../failures.ts'
import { reportFolder } from '../reports/report-folder.ts'
import { namingStore, openIgnoredStore, openStore } from '../run-store/open-store.ts'
import { addStoreOption } from '../run-store/store-option.ts'
import { createServerWaits, notesOn } from '../server-waits.ts'
import { leavingOnSignals, onSignals, untilSignal } from '../signals.ts'
import { keepHeapSteady } from '../small-heap.ts'
import { printable, type Terminal } from '../terminal.ts'
import { serverChunksAhead } from './ahead-option.ts'
import { addCacheOption } from './cache-option.ts'
import { addPriceOptions, pricesOf } from './limit-options.ts'
import {
  addReadingOptions,
  chooseWorkflow,
  modelRequest,
  noteOnProfile,
  readingWith,
  samplingOf,
} from './reading-options.ts'
import { checkedServeFlags, refuseBothStores } from './serve-checks.ts'
import { createLog } from './serve-log.ts'
import { addServerOptions, type ServeFlags } from './serve-options.ts'

export function serveCommand(terminal: Terminal): Command {
  const options = addConfiguration(
    addReadingOptions(new Command('serve'), '1, as other clients may be reading'),
    terminal,
  )
  return refuseBothStores(addServerOptions(addPriceOptions(addCacheOption(addStoreOption(options)))))
    .description('serve a model without a context limit to OpenAI and Anthropic clients')
    .option('--demo', 'show the page with a sample that the bundled model reads; nothing is kept')
    .action(async (given: ServeFlags, command: Command) => {
      const flags = checkedServeFlags(given)
      await (flags.demo ? demo(flags, command, terminal) : serve(flags, terminal))
    })
}

async function demo(flags: ServeFlags, command: Command, terminal: Terminal): Promise<void> {
  const { beginSample, demoFlags, makeOwnStore } = await import('./serve-demo.ts')
  await serve(demoFlags(flags, command), terminal, (url) => beginSample(url, terminal), makeOwnStore)
}

type Closing = () => Promise<unknown> | undefined

/**
 * @param onListening called once the server listens
 * @param makeStore makes the store, if it is not the one that the flags name
 */
async function serve(
  flags: ServeFlags,
  terminal: Terminal,
  onListening: (url: string) => Promise<void> = async () => undefined,
  makeStore?: () => { readonly store: string; readonly remove: () => Promise<void> },
): Promise<void> {
  const { stderr } = terminal
  const closing: Closing[] = []
  try {
    // A signal until the server listens leaves nothing behind.
    const { served, store, server } = await leavingOnSignals(
      async () => {
        const made = makeStore?.()
        if (!made) return start(flags, terminal, closing)
        closing.push(made.remove)
        return start({ ...flags, store: made.store }, terminal, closing)
      },
      terminal,
      {},
      undefined,
      () => closed(closing),
    )
    const page = store ? `; its page: ${server.url}` : ''
    stderr.write(`${served.id} answers at ${server.url}/v1${page} (Ctrl-C stops it)\n`)
    const signal = untilSignal()
    await onListening(server.url)
    await signal
    stderr.write('Stopping.\n')
    // A second signal exits at once.
    onSignals(() => process.exit(exitCodes.interrupted))
    await server.stop()
  } catch (error) {
    throw namingStore(error, flags)
  } finally {
    await closed(closing)
  }
}

/** Opens the store and the model, and listens. @param closing is given what closes them */
async function start(flags: ServeFlags, terminal: Terminal, closing: Closing[]) {
  const { stderr, environment } = terminal
  const chosen = await chooseWorkflow(flags)
  const { store, place } = flags.store === false ? {} : await openStore(flags, terminal, { canBeNew: true })
  const keyStore = store ?? (await openIgnoredStore(flags, terminal))
  closing.push(() => keyStore?.close())
  const waits = createServerWaits(notesOn(stderr))
  // For estimates.
  const prices = pricesOf(flags)
  const request = modelRequest(flags, serverChunksAhead(flags, chosen.workflow))
  const { model } = await openModel(request, environment, waits)
  closing.push(() => model.close?.())
  const { profile, workflow } = await readingWith(model, flags, chosen)
  const note = noteOnProfile(model, profile, workflow)
  if (note !== undefined) stderr.write(`${printable(note)}\n`)
  const served: ServedModel = {
    id: flags.name ?? servedName(model.name),
    ...{ model, profile, workflow },
    reading: {
      sampling: samplingOf(flags),
      concurrency: flags.concurrency,
      ahead: serverChunksAhead(flags, workflow),
      usesCache: flags.cache !== false,
      ...(prices && { limits: { prices } }),
    },
  }
  keepHeapSteady()
  const { listen } = await import('@memagent/server')
  // Once there are keys, every client needs one, even if the server stores nothing.
  const keys = (await keyStore?.keys.list()) ?? []
  const server = await listen({
    models: [served],
    store,
    uploads: place?.uploads,
    mostFileBytes: flags.mostFileBytes,
    findKey: keyStore && keys.length > 0 ? (hash) => keyStore.keys.find(hash) : undefined,
    knownKeys: keys,
    address: flags.address,
    port: flags.port,
    hosts: flags.host,
    origins: flags.origin,
    readings: flags.readings,
    reports: flags.reports === undefined ? undefined : await reportFolder(resolve(flags.reports)),
    ...createLog(flags.log ?? 'text', stderr),
  })
  closing.push(() => server.stop())
  return { served, store, server }
}

/** Closes each once, the last first, even if another fails. */
async function closed(closing: Closing[]): Promise<void> {
  const close = closing.pop()
  if (!close) return
  try {
    await close()
  } finally {
    await closed(closing)
  }
}

/** `memagent mcp`: tools for programs that speak the Model Context Protocol, over standard input and output. */
import type { Store } from '@memagent/store'
import { Command, InvalidArgumentError } from 'commander'
import { openModel, servedName } from '../backends.ts'
import { addConfiguration } from '../configuration/apply.ts'
import { UsageError } from '../failures.ts'
import type { SharedModel } from '../mcp/shared-model.ts'
import { type StorePlace, withStore } from '../run-store/open-store.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import { createServerWaits, notesOn } from '../server-waits.ts'
import { givenTo } from '../sessions/session-settings.ts'
import type { Terminal } from '../terminal.ts'
import { chunksAhead } from './ahead-option.ts'
import { addCacheOption, type CacheFlags } from './cache-option.ts'
import { addLimitOptions, type LimitFlags, limitsOf } from './limit-options.ts'
import {
  addReadingOptions,
  chooseWorkflow,
  modelRequest,
  type ReadingFlags,
  readingWith,
  samplingOf,
} from './reading-options.ts'
import { createLog } from './serve-log.ts'

interface McpFlags extends StoreFlags, ReadingFlags, LimitFlags, CacheFlags {
  readonly root?: readonly string[]
  readonly wait: number
}

export function mcpCommand(terminal: Terminal): Command {
  const options = addCacheOption(addLimitOptions(addReadingOptions(new Command('mcp'))))
  return addStoreOption(addConfiguration(options, terminal))
    .description('tools over documents for clients of the Model Context Protocol')
    .option('--root <folder...>', 'folders clients may read from; nothing else is readable')
    .option(
      '--wait <seconds>',
      'how long a call waits for its result before it returns a run to poll',
      seconds,
      45,
    )
    .action((flags: McpFlags, command: Command) => serveTools(flags, command, terminal))
}

function seconds(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && number >= 0 && number <= 3600) return number
  throw new InvalidArgumentError('--wait takes seconds, from 0 to 3600.')
}

async function serveTools(flags: McpFlags, command: Command, terminal: Terminal): Promise<void> {
  if (!flags.root) throw noRoot()
  limitsOf(flags)
  const { serve } = await import('../mcp/serve.ts')
  const { root: roots, wait, ...reading } = flags
  const work = async (store: Store, place: StorePlace) =>
    serve({
      ...{ store, roots, uploads: place.uploads, waitMs: 1000 * wait },
      ...{ flags: { ...reading, sources: true, color: false }, isGiven: givenTo(command) },
      model: await sharedModel(flags, terminal),
      onFailure: createLog('none', terminal.stderr).onFailure,
    })
  await withStore(flags, terminal, work, { canBeNew: true })
}

async function sharedModel(flags: McpFlags, { stderr, environment }: Terminal): Promise<SharedModel> {
  const { SharedModel } = await import('../mcp/shared-model.ts')
  const chosen = await chooseWorkflow(flags)
  const request = modelRequest(flags, chunksAhead(flags, chosen.workflow))
  const open = async (signal: AbortSignal) => {
    const waits = createServerWaits(notesOn(stderr))
    signal.addEventListener('abort', () => waits.end(signal.reason), { once: true })
    const opened = await openModel(request, environment, waits)
    const { model } = opened
    const { profile, workflow } = await readingWith(model, flags, chosen)
    const reading = {
      ...{ sampling: samplingOf(flags), limits: limitsOf(flags), concurrency: flags.concurrency },
      ...{ ahead: chunksAhead(flags, workflow), usesCache: flags.cache !== false },
    }
    return { opened, served: { id: servedName(model.name), model, profile, workflow, reading } }
  }
  return new SharedModel({ request, open })
}

const noRoot = () =>
  new UsageError({
    code: 'mcp/no-root',
    message: 'No folder that clients may read from is named.',
    hint: 'Name one: memagent mcp --root FOLDER',
  })

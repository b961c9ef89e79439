/** `memagent cache`: stored replies, so that no conversation is paid for twice; `cache clear`, `cache limit`. */
import type { CacheSummary, ReplyCache } from '@memagent/store'
import { Command } from 'commander'
import { UsageError } from '../failures.ts'
import { withStore } from '../run-store/open-store.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import { printable, printJson, type Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'

interface CacheFlags extends StoreFlags {
  readonly json?: boolean
}

export function cacheCommand(terminal: Terminal): Command {
  const { stdout } = terminal
  const withCache = (flags: CacheFlags, work: (cache: ReplyCache, store: string) => Promise<void>) =>
    withStore(flags, terminal, (store) => work(store.cache, store.name), { canBeNew: true })
  const command = (name: string) =>
    addStoreOption(new Command(name)).option('--json', 'print one JSON document')
  const show = command('show')
    .description('show its size, and what it has saved')
    .action((flags: CacheFlags) =>
      withCache(flags, async (cache, store) => {
        const summary = await cache.summary()
        if (flags.json) printJson(stdout, summary)
        else stdout.write(summaryText(summary, store))
      }),
    )
  const clear = command('clear')
    .description('erase all of it; runs stay')
    .action((flags: CacheFlags) =>
      withCache(flags, async (cache) => {
        const removed = await cache.clear()
        if (flags.json) printJson(stdout, { removed })
        else stdout.write(`Erased ${repliesText(removed)}.\n`)
      }),
    )
  const limit = command('limit')
    .description("set the maximum size of the store's cache; 0 keeps nothing")
    .argument('<size>', 'such as 500MiB or 2GiB')
    .action((size: string, flags: CacheFlags) =>
      withCache(flags, async (cache) => {
        const bytes = parseSize(size)
        await cache.setLimit(bytes)
        if (flags.json) printJson(stdout, await cache.summary())
        else stdout.write(`Cache limit: ${sizeText(bytes)}.\n`)
      }),
    )
  return new Command('cache')
    .description('show, erase and limit the replies that are kept so that no conversation is paid for twice')
    .addHelpText('after', '\nWithout a command: show. Its options: memagent cache show --help')
    .addCommand(show, { isDefault: true })
    .addCommand(clear)
    .addCommand(limit)
}

function summaryText({ entries, bytes, limitBytes, hits, savedTokens }: CacheSummary, store: string): string {
  const saved =
    hits === 0
      ? 'None has been reused yet.'
      : `They were used instead of ${count(hits)} ${hits === 1 ? 'call' : 'calls'} (${count(savedTokens)} tokens).`
  return `${repliesText(entries)}, ${sizeText(bytes)} of at most ${sizeText(limitBytes)}, in ${printable(store)}\n${entries === 0 ? '' : `${saved}\n`}`
}

const repliesText = (number: number) => `${count(number)} ${number === 1 ? 'reply' : 'replies'}`

const units = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

function sizeText(bytes: number): string {
  const [name, unit] = Object.entries(units).findLast(([, size]) => bytes >= size) ?? ['B', 1]
  return `${Number((bytes / unit).toFixed(1))} ${name}`
}

/** Reads KB as KiB, and so on. @throws UsageError */
function parseSize(text: string): number {
  const [, number, prefix = ''] = /^(\d+(?:\.\d+)?)\s*(?:([KMG])i?B|B)?$/i.exec(text) ?? []
  const bytes = Math.round(Number(number) * 1024 ** 'BKMG'.indexOf(prefix.toUpperCase()))
  if (Number.isSafeInteger(bytes)) return bytes
  throw new UsageError({
    code: 'cli/size',
    message: `"${text}" is not a valid size.`,
    hint: 'Write it as 500MiB or 2GiB; without a unit, it is bytes.',
  })
}

/** `memagent keys`: the keys of a server's clients. */
import type { KeyLimits, KeyStore } from '@memagent/store'
import { Command } from 'commander'
import { UsageError } from '../failures.ts'
import { type OpenStoreOptions, withStore } from '../run-store/open-store.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import { printable, printJson, type Terminal } from '../terminal.ts'
import { timeText } from '../view/run-summary.ts'
import { textTable } from '../view/table.ts'
import { integer } from './reading-options.ts'

interface KeysFlags extends StoreFlags {
  readonly json?: boolean
}

export function keysCommand(terminal: Terminal): Command {
  const withKeys = (flags: KeysFlags, work: (keys: KeyStore) => Promise<void>, options?: OpenStoreOptions) =>
    withStore(flags, terminal, ({ keys }) => work(keys), options)
  const list = addStoreOption(new Command('list'))
    .description('list the names of keys')
    .option('--json', 'print one JSON document')
    .action((flags: KeysFlags) => withKeys(flags, (keys) => listKeys(keys, flags, terminal)))
  const add = addStoreOption(new Command('add'))
    .description('make a key and print it, once: only its hash is kept')
    .argument('<name>', 'owner of the key')
    .option(
      '--readings <n>',
      'concurrent readings allowed for this key; more are queued',
      integer('--readings'),
    )
    .option(
      '--requests-per-minute <n>',
      'requests per minute allowed for this key',
      integer('--requests-per-minute'),
    )
    .action((name: string, flags: KeysFlags & KeyLimits) =>
      withKeys(flags, (keys) => addKey(keys, name, flags, terminal), { canBeNew: true }),
    )
  const remove = addStoreOption(new Command('rm'))
    .description('remove a key: new requests with it are refused from now on')
    .argument('<name>', 'owner of the key')
    .action((name: string, flags: KeysFlags) =>
      withKeys(flags, async (keys) => {
        await keys.remove(name)
        terminal.stderr.write(
          `The key ${printable(name)} is removed: new requests with it are refused. Replies, streams and runs under way run to completion.\n`,
        )
        if ((await keys.list()).length === 0) {
          terminal.stderr.write(
            'It was the last: servers that are started from now on answer everyone who reaches them, and show them all runs and files.\n',
          )
        }
      }),
    )
  return new Command('keys')
    .description('make, list and remove the keys that clients of `memagent serve` need')
    .addHelpText('after', '\nWithout a command: list. Its options: memagent keys list --help')
    .addCommand(list, { isDefault: true })
    .addCommand(add)
    .addCommand(remove)
}

async function listKeys(keys: KeyStore, { json }: KeysFlags, { stdout, stderr }: Terminal): Promise<void> {
  const all = await keys.list()
  if (json)
    return printJson(
      stdout,
      all.map(({ name, createdMs, limits }) => ({ name, createdMs, ...limits })),
    )
  if (all.length === 0) {
    stderr.write('There are no keys: memagent serve answers everyone on this machine, and nobody else.\n')
    return
  }
  stdout.write(
    textTable([
      ['key', 'made', 'readings', 'requests a minute'],
      ...all.map(({ name, createdMs, limits }) => [
        printable(name),
        timeText(createdMs),
        ...[limits.readings, limits.requestsPerMinute].map((most) => String(most ?? 'any')),
      ]),
    ]),
  )
}

/** Runs, files and sessions are looked up by this name. */
function checkName(name: string): void {
  if (/^(?! )[^\p{C}/]{1,100}(?<! )$/u.test(name)) return
  throw new UsageError({
    code: 'cli/bad-key-name',
    message: `A key cannot be named "${printable(name.slice(0, 100))}".`,
    hint: 'A name has 1 to 100 characters, no / among them, and neither begins nor ends with a space.',
  })
}

async function addKey(
  keys: KeyStore,
  name: string,
  { readings, requestsPerMinute }: KeyLimits,
  { stdout, stderr }: Terminal,
): Promise<void> {
  checkName(name)
  const { createKey, hashOfKey } = await import('@memagent/server')
  const isFirst = (await keys.list()).length === 0
  const key = createKey()
  await keys.add(name, hashOfKey(key), { readings, requestsPerMinute })
  stdout.write(`${key}\n`)
  stderr.write('It is shown this once. Clients send it as Authorization: Bearer KEY.\n')
  if (isFirst) stderr.write('Servers that are started from now on answer only clients with a key.\n')
}

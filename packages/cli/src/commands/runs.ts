/** `memagent runs`: lists the runs of the store; `runs rm`, `runs export` and `runs import`. */
import { createReadStream } from 'node:fs'
import { whyUnreadable } from '@memagent/core/node'
import { isPostgresAddress, type RunStore } from '@memagent/store'
import { Command, Option } from 'commander'
import { UsageError } from '../failures.ts'
import { writeFileForOwner } from '../file-for-owner.ts'
import { type StorePlace, storeArgument, withStore } from '../run-store/open-store.ts'
import { inputOf, removeInput } from '../run-store/remove-input.ts'
import { removeServerTexts } from '../run-store/remove-texts.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import { type Output, printable, printJson, type Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'
import { askedIn, stateText, timeText } from '../view/run-summary.ts'
import { textTable } from '../view/table.ts'
import { cutToWidth } from '../view/text-width.ts'

interface ListFlags extends StoreFlags {
  readonly state?: 'running' | 'unfinished' | 'finished'
  readonly json?: boolean
}

export function runsCommand(terminal: Terminal): Command {
  const list = addStoreOption(new Command('list'))
    .description('list runs, the newest first')
    .argument('[text]', 'only runs with this in the question, the text or the model')
    .addOption(new Option('--state <state>', 'only these').choices(['running', 'unfinished', 'finished']))
    .option('--json', 'print one JSON document')
    .action((text: string | undefined, flags: ListFlags) =>
      withStore(flags, terminal, (store) => listRuns(store, text, flags, terminal)),
    )
  const remove = addStoreOption(new Command('rm'))
    .description('erase runs, with the standard input that was kept for them')
    .argument('<runs...>', 'their names, or how these begin')
    .action((ids: string[], flags: StoreFlags) =>
      withStore(flags, terminal, async (store, place) => {
        for (const id of ids) await removeRun(store, place, id, terminal)
      }),
    )
  const exporting = addStoreOption(new Command('export'))
    .description('write runs as JSON lines, for another store')
    .argument('<runs...>', 'their names, or how these begin')
    .option('--output <file>', 'write here (default: standard output)')
    .action((ids: string[], flags: StoreFlags & { readonly output?: string }) =>
      withStore(flags, terminal, (store, place) => exportRuns(store, place, ids, flags.output, terminal)),
    )
  const importing = addStoreOption(new Command('import'))
    .description('import exported runs')
    .argument('[file]', '"-" or none: standard input')
    .action((file: string | undefined, flags: StoreFlags) =>
      withStore(flags, terminal, (store) => importRuns(store, file, terminal), { canBeNew: true }),
    )
  return new Command('runs')
    .description('list, erase, export and import runs')
    .addHelpText('after', '\nWithout a command: list. Its options: memagent runs list --help')
    .addCommand(list, { isDefault: true })
    .addCommand(remove)
    .addCommand(exporting)
    .addCommand(importing)
}

async function listRuns(
  store: RunStore,
  text: string | undefined,
  { state, json, ...flags }: ListFlags,
  { stdout, stderr }: Terminal,
): Promise<void> {
  const runs = await store.list({ text, state })
  if (json) return printJson(stdout, runs)
  if (runs.length === 0) {
    stderr.write(text === undefined && state === undefined ? 'There are no runs.\n' : 'No runs match.\n')
    return
  }
  const columns = Math.max(20, (stdout.columns ?? 110) - 60)
  const rows = runs.map((run) => [
    run.id,
    timeText(run.createdMs),
    stateText(run),
    count(run.steps),
    printable(run.document.split('/').at(-1)!).slice(0, 20),
    (run.isDamaged && run.document === '' ? '' : cutToWidth(printable(askedIn(run)), columns)) +
      (run.isDamaged ? ` (erase it: memagent runs rm ${run.id}${storeArgument(flags)})` : ''),
  ])
  const header = ['run', 'begun', 'state', 'steps', 'text', 'question']
  stdout.write(textTable([header, ...rows]))
}

async function removeRun(
  store: RunStore,
  place: StorePlace,
  id: string,
  { stderr }: Terminal,
): Promise<void> {
  const run = await store.summary(id)
  await store.remove(run.id)
  const input = inputOf(run.settings)
  if (input !== undefined) await removeInput(store, place, input)
  await removeServerTexts(place, [run], store)
  tellErased(place, `Run ${run.id}`, stderr)
  if (run.isDamaged && run.settings === undefined)
    stderr.write(
      `note: It was damaged, so which standard input it read is not known: that may still be in ${printable(place.inputs)}\n`,
    )
}

/** @param what such as `Run 3f2a9c01d4` */
export function tellErased({ path }: StorePlace, what: string, stderr: Output): void {
  // A database server overwrites removed data in its own time.
  stderr.write(
    isPostgresAddress(path)
      ? `${printable(what)} is removed. Postgres may keep its bytes in files, logs and backups for a while.\n`
      : `${printable(what)} is erased.\n`,
  )
}

async function exportRuns(
  store: RunStore,
  place: StorePlace,
  ids: readonly string[],
  path: string | undefined,
  { stdout, stderr }: Terminal,
): Promise<void> {
  const runs = await Promise.all(ids.map((id) => store.load(id)))
  if (path === undefined) {
    for (const { id } of runs) for await (const line of store.exportRun(id)) stdout.write(`${line}\n`)
    return
  }
  const lines = async function* () {
    for (const { id } of runs) for await (const line of store.exportRun(id)) yield `${line}\n`
  }
  await writeFileForOwner(path, lines(), place.path)
  stderr.write(`${printable(path)} is written.\n`)
}

async function importRuns(
  store: RunStore,
  file: string | undefined,
  { stdin, stderr }: Terminal,
): Promise<void> {
  const input = file === undefined || file === '-' ? stdin : createReadStream(file)
  for await (const id of store.importRuns(linesOf(input, file ?? 'standard input'))) {
    stderr.write(`Run ${id} is imported.\n`)
  }
}

async function* linesOf(input: AsyncIterable<Uint8Array | string>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  try {
    for await (const piece of input) {
      const parts = (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })).split('\n')
      parts[0] = rest + parts[0]
      rest = parts.pop()!
      yield* parts
    }
    rest += decoder.decode()
  } catch (cause) {
    throw new UsageError({
      code: 'cli/unreadable',
      message: `Cannot read ${name}: ${whyUnreadable(cause)}.`,
      cause,
    })
  }
  if (rest !== '') yield rest
}

/** `memagent resume RUN`: goes on with a run where it stopped. */
import { Command } from 'commander'
import { exitCodes, report, UsageError } from '../failures.ts'
import { settingsFrom } from '../run-store/run-settings.ts'
import { addStoreOption, openStore } from '../run-store/store-option.ts'
import type { Terminal } from '../terminal.ts'
import type { AskFlags } from './ask-options.ts'
import { addLimitOptions } from './limit-options.ts'
import { readTexts } from './read-texts.ts'
import { headerLines } from './reading-options.ts'

export function resumeCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  return addStoreOption(
    addLimitOptions(new Command('resume').argument('<run>', 'its name, or how that begins')),
  )
    .description('go on with a run where it stopped, in the same way')
    .option('--base-url <url>', 'server of an openai: or ollama: model, if it moved')
    .option('--header <line>', "extra header for the server, 'Name: value' (repeatable)", headerLines)
    .option('--json', 'print one JSON document instead of plain text')
    .option('--events', 'print every event as a JSON line')
    .option('--quiet', 'no progress')
    .option('--no-color', 'no colours')
    .addHelpText('after', '\nExit codes: those of ask and notes.')
    .action(async (id: string, flags: AskFlags) => {
      setExitCode(await resume(id, flags, terminal))
    })
}

async function resume(id: string, flags: AskFlags, terminal: Terminal): Promise<number> {
  try {
    const { store: opened, place } = await openStore(flags, terminal)
    const run = await opened.load(id).finally(() => opened.close())
    if (run.state === 'finished') {
      terminal.stderr.write(`Run ${run.id} is finished: memagent show ${run.id}\n`)
      return exitCodes.ok
    }
    const { folder, files, flags: kept, leftOut } = settingsFrom(run)
    const given = new Set([flags.header && '--header', flags.baseUrl && '--base-url'])
    const missing = leftOut.filter((option) => !given.has(option))
    if (missing.length > 0) throw notKept(run.id, missing)
    // Paths are those of the folder in which the run was begun.
    if (process.cwd() !== folder) process.chdir(folder)
    const store = flags.store && { store: place.path }
    const all = { ...kept, ...flags, ...store }
    return await readTexts({ question: run.question, files, flags: all, resumed: run.id }, terminal)
  } catch (error) {
    return report(error, terminal, { json: flags.json ?? false, events: flags.events })
  }
}

const notKept = (id: string, options: readonly string[]) =>
  new UsageError({
    code: 'cli/not-kept',
    message: `The run ${id} was begun with ${options.join(' and ')}, which is not kept, since it may contain secrets.`,
    hint: 'Give it again, or repeat the command that began the run: that continues it, too.',
    details: { id },
  })

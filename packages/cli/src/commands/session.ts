/** `memagent session`: named memories that later readings continue. */
import { Command } from 'commander'
import { addConfiguration } from '../configuration/apply.ts'
import { withStore } from '../run-store/open-store.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import { askSession } from '../sessions/ask-session.ts'
import { type DiffFlags, diffSession } from '../sessions/diff-session.ts'
import { listSessions, removeSession } from '../sessions/list-sessions.ts'
import { readSession } from '../sessions/read-session.ts'
import { givenTo, type SessionFlags } from '../sessions/session-settings.ts'
import { type ShowFlags, showSession } from '../sessions/show-session.ts'
import { eventPrinter, type Terminal } from '../terminal.ts'
import { addCacheOption } from './cache-option.ts'
import { addLimitOptions } from './limit-options.ts'
import { addTextOptions } from './open-text.ts'
import { addOutputOptions, addReadingOptions } from './reading-options.ts'
import { addSourcesOptions } from './sources-option.ts'

type SetExitCode = (code: number) => void

export function sessionCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return new Command('session')
    .description('persistent memories: add new texts, ask at any time, see what changed')
    .addCommand(readCommand(terminal, setExitCode))
    .addCommand(askCommand(terminal, setExitCode))
    .addCommand(showCommand(terminal))
    .addCommand(diffCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(removeCommand(terminal))
}

/** What the command line asks of a reading. */
const asked = (flags: SessionFlags, command: Command, terminal: Terminal) => ({
  flags,
  isGiven: givenTo(command),
  onEvent: eventPrinter(flags, terminal),
})

const named = (name: string): Command => new Command(name).argument('<name>', 'name of the session')

function readCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  const options = addStoreOption(
    addConfiguration(addCacheOption(addLimitOptions(addReadingOptions(named('read')))), terminal),
  )
  addTextOptions(options, 'texts, read in order: files, folders, archives; "-": standard input')
    .option(
      '--question <question>',
      'what the memory is for, when the session begins (default: general notes)',
    )
    .option('--read-changed', 'also read the new text of files that have changed since they were read')
    .option(
      '--change-settings',
      'continue with a model or settings other than those the session was begun with',
    )
    .option('--no-sources', 'do not look for the passages that the memory comes from')
  return addOutputOptions(options, 'print one JSON document')
    .description('read new texts into a session; the first time begins it')
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 wrong usage.')
    .action(async (name: string, files: string[], flags: SessionFlags, command: Command) => {
      setExitCode(await readSession({ ...asked(flags, command, terminal), name, files }, terminal))
    })
}

function askCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  const options = addLimitOptions(addReadingOptions(named('ask').argument('[question]')))
  return addOutputOptions(addStoreOption(addConfiguration(addSourcesOptions(options), terminal)))
    .description("answer a question from the memory alone (default: the session's question)")
    .addHelpText('after', '\nExit codes: those of ask.')
    .action(async (name: string, question: string | undefined, flags: SessionFlags, command: Command) => {
      setExitCode(await askSession({ ...asked(flags, command, terminal), name, question }, terminal))
    })
}

function showCommand(terminal: Terminal): Command {
  return addStoreOption(named('show'))
    .description('show the memory with its sources, and what was read, when and by which calls')
    .option('--documents', 'list every file that was read, not the last ones alone')
    .option('--json', 'print one JSON document')
    .action((name: string, flags: StoreFlags & ShowFlags) =>
      withStore(flags, terminal, (store) => showSession(store, name.normalize(), flags, terminal)),
    )
}

function diffCommand(terminal: Terminal): Command {
  return addStoreOption(named('diff'))
    .description(
      'show what the memory gained, lost and changed since the last reading, and the text that caused it',
    )
    .option('--from <reading>', 'after this reading: its number, or a date (default: the one before)')
    .option('--to <reading>', 'up to this reading: its number, or a date (default: the last)')
    .option('--json', 'print one JSON document')
    .option('--no-color', 'no colours')
    .action((name: string, flags: StoreFlags & DiffFlags) =>
      withStore(flags, terminal, (store) => diffSession(store, name.normalize(), flags, terminal)),
    )
}

function listCommand(terminal: Terminal): Command {
  return addStoreOption(new Command('list'))
    .description('list sessions, most recently updated first')
    .option('--json', 'print one JSON document')
    .action((flags: StoreFlags & { readonly json?: boolean }) =>
      withStore(flags, terminal, (store) => listSessions(store, flags, terminal)),
    )
}

function removeCommand(terminal: Terminal): Command {
  return addStoreOption(named('rm'))
    .description('erase a session with its runs, and the standard input that was kept for it')
    .option('--json', 'print one JSON document')
    .action((name: string, flags: StoreFlags & { readonly json?: boolean }) =>
      withStore(flags, terminal, (store, place) =>
        removeSession({ store, place }, name.normalize(), flags, terminal),
      ),
    )
}

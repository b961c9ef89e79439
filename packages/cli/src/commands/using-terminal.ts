import { type Command, Help } from 'commander'
import type { Terminal } from '../terminal.ts'

/** Makes a command and its subcommands print to the terminal, and throw instead of ending the process. */
export function usingTerminal(command: Command, terminal: Pick<Terminal, 'stdout' | 'stderr'>): Command {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
  })
  command.configureHelp({ groupItems: ownFirst })
  for (const below of command.commands) usingTerminal(below, terminal)
  return command
}

/** Options of the command itself before those that it shares with others. */
const ownFirst: Help['groupItems'] = (unsorted, visible, groupOf) => {
  const isShared = (one: (typeof unsorted)[number]) => Number(groupOf(one) !== 'Options:')
  const items = [...unsorted].sort((one, other) => isShared(one) - isShared(other))
  return new Help().groupItems(items, visible, groupOf)
}

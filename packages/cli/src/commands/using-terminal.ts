import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** Makes a command and its subcommands print to the terminal, and throw instead of ending the process. */
export function usingTerminal(command: Command, terminal: Pick<Terminal, 'stdout' | 'stderr'>): Command {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
  })
  for (const below of command.commands) usingTerminal(below, terminal)
  return command
}

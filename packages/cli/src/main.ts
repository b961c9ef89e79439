/** The command line: subcommands, and the exit code of the one that ran. */
import { Command, CommanderError } from 'commander'
import { usingTerminal } from './commands/using-terminal.ts'
import { exitCodes, printFailure, report } from './failures.ts'
import { version } from './program.ts'
import type { Terminal } from './terminal.ts'

type CommandFactory = (terminal: Terminal, setExitCode: (code: number) => void) => Command

/** In the order of the help. Commands are imported by name: a question does not wait for the benchmark. */
const commands: Readonly<Record<string, () => Promise<CommandFactory>>> = {
  ask: async () => (await import('./commands/ask.ts')).askCommand,
  notes: async () => (await import('./commands/ask.ts')).notesCommand,
  text: async () => (await import('./commands/text.ts')).textCommand,
  runs: async () => (await import('./commands/runs.ts')).runsCommand,
  session: async () => (await import('./commands/session.ts')).sessionCommand,
  show: async () => (await import('./commands/show.ts')).showCommand,
  resume: async () => (await import('./commands/resume.ts')).resumeCommand,
  cache: async () => (await import('./commands/cache.ts')).cacheCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  models: async () => (await import('./commands/models.ts')).modelsCommand,
  estimate: async () => (await import('./commands/estimate.ts')).estimateCommand,
  train: async () => (await import('./commands/train.ts')).trainCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  bench: async () => (await import('./commands/bench.ts')).benchCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
}

/** Help, completion and the message for an unknown command need all of them; the version needs none. */
function commandsFor([name = '']: readonly string[]): readonly string[] {
  if (name === '--version') return []
  const isAlone = Object.hasOwn(commands, name) && name !== 'completion'
  return isAlone ? [name] : Object.keys(commands)
}

/** Runs a command line (without `node` and the script). Never throws. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.ok
  const setExitCode = (code: number) => {
    exitCode = code
  }
  const program = new Command('memagent')
    .version(version, '--version', 'print the version')
    .description('Reads texts of any length with a small-window language model.')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted, 141 output closed. For ask, notes,\nresume and session ask also: 3 not found or nothing noted, 4 unsure (a warning says why the result may be wrong).',
    )
  for (const name of commandsFor(argv)) {
    program.addCommand((await commands[name]!())(terminal, setExitCode))
  }
  usingTerminal(program, terminal)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    const flags = { json: argv.includes('--json'), events: argv.includes('--events') }
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.ok
      // Commander has already printed it.
      const message = error.message.replace(/^error: /, '')
      printFailure({ error: { code: 'cli/usage', message } }, terminal, flags)
      return exitCodes.usage
    }
    return report(error, terminal, flags)
  }
  return exitCode
}

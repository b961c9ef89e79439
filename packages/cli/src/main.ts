/** The command line: subcommands, and the exit code of the one that ran. */
import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { askCommand } from './commands/ask.ts'
import { benchCommand } from './commands/bench.ts'
import { completionCommand } from './commands/completion.ts'
import { demoCommand } from './commands/demo.ts'
import { estimateCommand } from './commands/estimate.ts'
import { exportCommand } from './commands/export.ts'
import { modelsCommand } from './commands/models.ts'
import { trainCommand } from './commands/train.ts'
import { exitCodes, report } from './failures.ts'
import type { Terminal } from './terminal.ts'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

/** Runs a command line (without `node` and the script). Never throws. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.ok
  const setExitCode = (code: number) => {
    exitCode = code
  }
  const program = new Command('memagent')
    .version(version, '--version', 'print the version')
    .description('Reads texts of any length with a language model whose window is small.')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted, 141 output closed. Of ask also: 3 not in the text,\n4 unsure (a warning says why the answer may be wrong).',
    )
  for (const make of [
    askCommand,
    demoCommand,
    modelsCommand,
    estimateCommand,
    trainCommand,
    exportCommand,
    benchCommand,
    completionCommand,
  ]) {
    program.addCommand(make(terminal, setExitCode))
  }
  const configure = (command: Command): void => {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    command.commands.forEach(configure)
  }
  configure(program)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    return report(error, terminal, { json: argv.includes('--json') })
  }
  return exitCode
}

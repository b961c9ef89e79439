/** `memagent bench`: compares readers with their alternatives on the same questions. */
import { Command } from 'commander'
import type { Terminal } from '../terminal.ts'
import { benchFlopsCommand } from './bench-flops.ts'
import { benchMethodsCommand, benchTasksCommand } from './bench-list.ts'
import { benchReportCommand } from './bench-report.ts'
import { benchRulerHqaCommand } from './bench-ruler-hqa.ts'
import { benchRunCommand } from './bench-run.ts'

export function benchCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const command = new Command('bench').description(
    'compare readers with their alternatives on the same questions',
  )
  for (const make of [
    benchRunCommand,
    benchReportCommand,
    benchTasksCommand,
    benchMethodsCommand,
    benchFlopsCommand,
    benchRulerHqaCommand,
  ]) {
    command.addCommand(make(terminal, setExitCode))
  }
  return command
}

/** `memagent completion bash|zsh|fish`: prints a completion script for a shell. */
import { Argument, Command } from 'commander'
import { completedCommands } from '../completion/command-tree.ts'
import { completionScript, type Shell, shells } from '../completion/shells.ts'
import type { Terminal } from '../terminal.ts'

export function completionCommand(terminal: Terminal): Command {
  return new Command('completion')
    .description('print a shell script that completes commands and options')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText(
      'after',
      '\nbash: eval "$(memagent completion bash)"\nzsh:  source <(memagent completion zsh)\nfish: memagent completion fish | source',
    )
    .action((shell: Shell, _: unknown, command: Command) => {
      const program = command.parent!
      terminal.stdout.write(completionScript(shell, program.name(), completedCommands(program)))
    })
}

/** The commands for shell completion, taken from commander so that they cannot diverge. */
import type { Command, Option } from 'commander'

export interface CompletedOption {
  /** `-o` and `--option`, whichever exist. */
  readonly names: readonly string[]
  readonly description: string
  readonly takesValue: boolean
  /** The value is a path. */
  readonly takesPath: boolean
  /** Values that the option is limited to. */
  readonly choices: readonly string[]
}

export interface CompletedCommand {
  /** `bench run`; empty for the program. */
  readonly path: string
  readonly description: string
  readonly options: readonly CompletedOption[]
  /** Names of the subcommands. */
  readonly commands: readonly string[]
  /** Values of the first argument, if it is limited to some. */
  readonly choices: readonly string[]
  readonly takesPaths: boolean
}

/** The program and all its subcommands. */
export function completedCommands(command: Command, path: readonly string[] = []): CompletedCommand[] {
  // Commander lists help and version only in its help, not among the options.
  const help = command.createHelp()
  const below = help.visibleCommands(command).filter((each) => each.name() !== 'help')
  return [
    {
      path: path.join(' '),
      description: command.description(),
      options: help.visibleOptions(command).map(completedOption),
      commands: below.map((each) => each.name()),
      choices: command.registeredArguments[0]?.argChoices ?? [],
      takesPaths: command.registeredArguments.some((each) => isPath(each.name())),
    },
    ...below.flatMap((each) => completedCommands(each, [...path, each.name()])),
  ]
}

/** Judged by the placeholder in the help text. */
const isPath = (placeholder: string): boolean => /^(files?|folders?|path|config|to|models)$/.test(placeholder)

const completedOption = (option: Option): CompletedOption => ({
  names: [option.short, option.long].filter((name) => name !== undefined && name !== null),
  description: option.description,
  takesValue: option.required || option.optional,
  takesPath: isPath(/<(.*)>/.exec(option.flags)?.[1] ?? ''),
  choices: option.argChoices ?? [],
})

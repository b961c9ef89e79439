/** The commands as shells complete them: taken from commander's own, so that they cannot differ. */
import type { Command, Option } from 'commander'

export interface CompletedOption {
  /** `-o` and `--option`, those that there are. */
  readonly names: readonly string[]
  readonly description: string
  readonly takesValue: boolean
  /** The value is the path of something. */
  readonly takesPath: boolean
  /** Values that the option is limited to. */
  readonly choices: readonly string[]
}

export interface CompletedCommand {
  /** `bench run`; empty for the program. */
  readonly path: string
  readonly description: string
  readonly options: readonly CompletedOption[]
  /** Names of the commands below. */
  readonly commands: readonly string[]
  /** Values of the first argument, where it is limited. */
  readonly choices: readonly string[]
  readonly takesPaths: boolean
}

/** Of the program and every command below it. */
export function completedCommands(command: Command, path: readonly string[] = []): CompletedCommand[] {
  // Commander adds help and version where it shows them, not among the options.
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

/** By what the help calls it. */
const isPath = (placeholder: string): boolean => /^(files?|folders?|path|config|to|models)$/.test(placeholder)

const completedOption = (option: Option): CompletedOption => ({
  names: [option.short, option.long].filter((name) => name !== undefined && name !== null),
  description: option.description,
  takesValue: option.required || option.optional,
  takesPath: isPath(/<(.*)>/.exec(option.flags)?.[1] ?? ''),
  choices: option.argChoices ?? [],
})

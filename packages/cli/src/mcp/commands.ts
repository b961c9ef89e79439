/** What a client asks of a session as a command line of `memagent session`. */
import type { Command } from 'commander'

/** Of `memagent mcp` alone. */
export const own: ReadonlySet<string> = new Set(['root', 'wait'])

/** The options that `command` was given, for commands that read with them. */
export function optionsGiven(command: Command): readonly string[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName()
    if (own.has(name) || command.getOptionValueSource(name) !== 'cli') return []
    const value: unknown = command.getOptionValue(name)
    const flag = option.long!
    if (typeof value === 'boolean') return value === !option.negate ? [flag] : []
    return [value].flat().map((one) => `${flag}=${one}`)
  })
}

const output = ['--json', '--events', '--quiet']

export const readCommandLine = (
  { session, question }: { readonly session: string; readonly question?: string | undefined },
  files: readonly string[],
  options: readonly string[],
): readonly string[] => [
  ...['read', ...output, ...options],
  ...(question === undefined ? [] : [`--question=${question}`]),
  ...['--', session, ...files],
]

export const askSessionCommandLine = (
  { session, question }: { readonly session: string; readonly question?: string | undefined },
  options: readonly string[],
): readonly string[] => [
  ...['ask', ...output, ...options, '--', session],
  ...(question === undefined ? [] : [question]),
]

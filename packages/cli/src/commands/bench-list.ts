/** `memagent bench tasks [NAME]` and `memagent bench methods [NAME]`: what there is to measure, and which options it takes. */

import { isDeepStrictEqual } from 'node:util'
import { methodFactory, methodNames } from '@memagent/bench'
import { describeSettings, type SettingDescription } from '@memagent/core/settings'
import { type TaskName, tasks } from '@memagent/tasks'
import { Argument, Command } from 'commander'
import type { z } from 'zod'
import { printJson, type Terminal } from '../terminal.ts'

interface Declared {
  readonly description: string
  readonly options: z.ZodObject
}

interface Listed {
  readonly name: string
  readonly description: string
  readonly options: readonly SettingDescription[]
}

const taskNames = Object.keys(tasks) as TaskName[]

export const benchTasksCommand = (terminal: Terminal): Command =>
  listCommand('tasks', taskNames, (name) => tasks[name as TaskName].definition(), terminal)

export const benchMethodsCommand = (terminal: Terminal): Command =>
  listCommand('methods', methodNames, methodFactory, terminal)

function listCommand(
  what: string,
  names: readonly string[],
  declared: (name: string) => Promise<Declared>,
  terminal: Terminal,
): Command {
  return new Command(what)
    .description(`list the ${what} and their options, or those of one`)
    .addArgument(new Argument('[name]').choices(names))
    .option('--json', 'print one JSON document')
    .action(async (name: string | undefined, flags: { readonly json?: boolean }) => {
      const listed = await Promise.all(
        (name === undefined ? names : [name]).map((each) => listOne(each, declared)),
      )
      if (flags.json) printJson(terminal.stdout, name === undefined ? listed : listed[0])
      else
        terminal.stdout.write(
          groups(listed)
            .map((group) => shown(group, name !== undefined))
            .join('\n'),
        )
    })
}

async function listOne(name: string, declared: (name: string) => Promise<Declared>): Promise<Listed> {
  const { description, options } = await declared(name)
  return { name, description, options: describeSettings(options) }
}

interface Group extends Omit<Listed, 'name'> {
  readonly names: readonly string[]
}

/** Merges neighbours that differ only in their names. */
function groups(listed: readonly Listed[]): readonly Group[] {
  const all: Group[] = []
  for (const { name, ...rest } of listed) {
    const last = all.at(-1)
    const isSame =
      last !== undefined &&
      last.description === rest.description &&
      isDeepStrictEqual(last.options, rest.options)
    if (isSame) all.splice(-1, 1, { ...last, names: [...last.names, name] })
    else all.push({ names: [name], ...rest })
  }
  return all
}

/** @param isWhole list every value of an option, even a hundred of them */
function shown({ names, description, options }: Group, isWhole: boolean): string {
  const width = Math.max(0, ...options.map(({ name }) => name.length))
  const indent = ' '.repeat(width + 4)
  const lines = options.flatMap(({ name, takes, isRequired, description: told, ...option }) => {
    const fallback = isRequired
      ? 'required'
      : option.default === undefined
        ? 'optional'
        : `default: ${option.default}`
    const values =
      isWhole || takes.length <= 120 ? takes : `${takes.slice(0, takes.lastIndexOf(', ', 120))}, ...`
    return [`  ${name.padEnd(width)}  ${values} (${fallback})`, `${indent}${told}`]
  })
  return [names.join(', '), `  ${description}`, ...lines, ''].join('\n')
}

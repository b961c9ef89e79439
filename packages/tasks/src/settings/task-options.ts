/** Types of task options, and how they are parsed. */
import { TaskError } from '@memagent/core'
import { checkSettings, type SettingProblem, wrongSetting } from '@memagent/core/settings'
import { z } from 'zod'
import type { ProseSource } from '../prose/prose-source.ts'

/** A whole number. */
export const count = (least: number, most?: number) => {
  const from = z.number().int().min(least)
  return most === undefined ? from : from.max(most)
}

/** One value, or several to draw from for each sample. */
export const oneOrSeveral = <Schema extends z.ZodType>(one: Schema) =>
  z.union([one, z.array(one).min(1).readonly()])

export const counts = (least: number, most?: number) => oneOrSeveral(count(least, most))

export const share = z.number().min(0).max(1)

export const shares = oneOrSeveral(share)

/** Some of these names; a function if they come from tables that are read on first use. */
export const namesOf = (known: readonly string[] | (() => readonly string[])) =>
  z.lazy(() =>
    z
      .array(z.enum(typeof known === 'function' ? known() : known))
      .min(1)
      .readonly(),
  )

/** Some of these kinds. */
export const kindNames = (kinds: () => readonly { readonly name: string }[]) => {
  const names = () => kinds().map(({ name }) => name)
  return namesOf(names)
    .default(names)
    .meta({ description: 'What questions are about.', defaultIs: 'every one' })
}

/** The kind of a name that the options have accepted. */
export const kindOf = <Kind extends { readonly name: string }>(name: string, kinds: readonly Kind[]): Kind =>
  kinds.find((kind) => kind.name === name)!

export const prose = z
  .custom<ProseSource>((value) => Array.isArray((value as Partial<ProseSource> | null)?.paragraphs))
  .meta({
    description: 'The haystack: the text that everything else is planted in.',
    takes: 'prose as createFolderProse and installedProse give it',
    codeOnly: true,
  })

/** For tasks that need no prose: code that creates tasks by name may pass it to all of them. */
export const unusedProse = z
  .unknown()
  .meta({ description: 'Not used: the texts come from the file.', codeOnly: true })
  .optional()

/** @param what `the file of questions` */
export const filePath = (what: string, description: string) =>
  z
    .string()
    .min(1)
    .meta({ description, takes: `the path of ${what}` })

/** @throws TaskError naming every unknown option, with the known ones, and every wrong one, with its value and what it takes */
export function readTaskOptions<Schema extends z.ZodObject>(
  task: string,
  schema: Schema,
  given: unknown,
): z.output<Schema> {
  const { settings, problems } = checkSettings(schema, given)
  if (problems === undefined) return settings
  const hasUnknown = problems.some(({ known }) => known !== undefined)
  throw badOptions(
    task,
    hasUnknown ? 'task/unknown-option' : 'task/bad-option',
    problems,
    `Its options: ${Object.keys(schema.shape).toSorted().join(', ')}.`,
  )
}

/**
 * For problems found only after the options were parsed, such as an unknown name in a file.
 * @param reason what the option takes instead
 */
export const badOption = (task: string, option: string, value: unknown, reason: string): TaskError =>
  badOptions(task, 'task/bad-option', [wrongSetting([option], value, reason)])

function badOptions(
  task: string,
  code: string,
  problems: readonly SettingProblem[],
  hint?: string,
): TaskError {
  return new TaskError({
    code,
    message: `The task ${task} cannot be made: ${problems.map(({ message }) => message).join('; ')}.`,
    hint,
    details: { task, problems: problems.map(({ setting, message }) => ({ setting, message })) },
  })
}

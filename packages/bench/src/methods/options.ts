/** Options that several methods share, and their validation. */
import { ConfigurationError, type WindowBudget } from '@memagent/core'
import { checkSettings, windowBudgetSchema } from '@memagent/core/settings'
import { z } from 'zod'

/** A positive integer, from a command line or from code. */
export const count = z.preprocess(
  (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
  z.number().int().positive(),
)

/** A part of the window. */
export const budgetOption = (part: keyof WindowBudget) =>
  count.optional().meta({ description: windowBudgetSchema.shape[part].description, defaultIs: "the model's" })

/** For methods that fill a window. */
export const windowOptions = { window: budgetOption('window'), output: budgetOption('output') }

/** For methods that read chunk by chunk. */
export const readingOptions = {
  ...windowOptions,
  chunk: budgetOption('chunk'),
  memory: budgetOption('memory'),
}

/** The number and length of passages. */
export const passageOptions = {
  k: count.optional().meta({ description: 'Most passages.', defaultIs: 'as many as fit' }),
  passage: count
    .optional()
    .meta({ description: 'Tokens of a passage.', defaultIs: 'a quarter of a chunk, from 48 to 256' }),
}

/** @throws ConfigurationError naming every wrong option, and listing the known ones */
export function parseOptions<Schema extends z.ZodObject>(
  method: string,
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const { settings, problems } = checkSettings(schema, given)
  if (problems === undefined) return settings
  const hasUnknown = problems.some(({ known }) => known !== undefined)
  throw new ConfigurationError({
    code: hasUnknown ? 'method/unknown-option' : 'method/bad-option',
    message: `The method ${method} cannot be set up: ${problems.map(({ message }) => message).join('; ')}.`,
    hint: `Its options: ${Object.keys(schema.shape).join(', ')}.`,
    details: { method, problems: problems.map(({ setting, message }) => ({ setting, message })) },
  })
}

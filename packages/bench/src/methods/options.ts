/** Options that several methods have, and how a method's options are checked. */
import { ConfigurationError } from '@memagent/core'
import { checkSettings } from '@memagent/core/settings'
import { z } from 'zod'

/** A count from a command line or from code. */
export const count = z.preprocess(
  (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
  z.number().int().positive(),
)

/** Of methods that fill a window: its size, and the tokens of the answer within it. @default the profile's */
export const windowOptions = { window: count.optional(), output: count.optional() }

/** Of methods that read chunk by chunk. @default the profile's */
export const readingOptions = { ...windowOptions, chunk: count.optional(), memory: count.optional() }

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

/** Options that several methods have, and how a method's options are checked. */
import { ConfigurationError, type ModelProfile, type WindowBudget } from '@memagent/core'
import { z } from 'zod'

/** A count from a command line or from code. */
export const count = z.coerce.number().int().positive()

/** Of methods that fill a window: its size, and the tokens of the answer within it. @default the profile's */
export const windowOptions = { window: count.optional(), output: count.optional() }

/** Of methods that read chunk by chunk. @default the profile's */
export const readingOptions = { ...windowOptions, chunk: count.optional(), memory: count.optional() }

export type BudgetOverrides = { readonly [Part in keyof WindowBudget]?: number | undefined }

/** The profile with the parts of its budget that the options name. */
export function withBudget(profile: ModelProfile, overrides: BudgetOverrides): ModelProfile {
  const { budget } = profile
  return {
    ...profile,
    budget: {
      window: overrides.window ?? budget.window,
      question: overrides.question ?? budget.question,
      chunk: overrides.chunk ?? budget.chunk,
      memory: overrides.memory ?? budget.memory,
      output: overrides.output ?? budget.output,
    },
  }
}

/** @throws ConfigurationError naming every wrong option, and listing the known ones */
export function parseOptions<Schema extends z.ZodObject>(
  method: string,
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const known = Object.keys(schema.shape)
  const unknown = Object.keys(given).filter((option) => !known.includes(option))
  const hint = `Options of ${method}: ${known.join(', ')}.`
  if (unknown.length > 0) {
    throw new ConfigurationError({
      code: 'method/unknown-option',
      message: `The method ${method} has no option ${unknown.join(', ')}.`,
      hint,
      details: { method, unknown, known },
    })
  }
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => {
    const option = path.join('.')
    const value = given[option]
    return value === undefined ? `${option} is needed` : `${option} cannot be "${String(value)}" (${message})`
  })
  throw new ConfigurationError({
    code: 'method/bad-option',
    message: `The method ${method} cannot be set up: ${problems.join('; ')}.`,
    hint,
    details: { method, problems },
  })
}

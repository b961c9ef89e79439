/** What a configuration file may set: command line options by their long names, checked in the same way. */
import type { ConfigurationError } from '@memagent/core'
import { Command, type Option } from 'commander'
import { z } from 'zod'
import { addCacheOption } from '../commands/cache-option.ts'
import { addLimitOptions } from '../commands/limit-options.ts'
import { addReadingOptions, type OptionParser } from '../commands/reading-options.ts'
import { addServerOptions } from '../commands/serve-options.ts'
import { addStoreOption } from '../run-store/store-option.ts'

const ahead = 'auto for a model in this process, but 1 for serve; otherwise 1'

/** `chunk` -> the option --chunk. */
export const settableOptions: ReadonlyMap<string, Option> = new Map(
  addStoreOption(
    addCacheOption(addServerOptions(addLimitOptions(addReadingOptions(new Command(), ahead)))),
  ).options.map((option) => [option.long!.slice(2), option]),
)

/** Of the tokens of one model. */
export const prices = ['price-in', 'price-out', 'price-cached'] as const

/** Names of headers with values that a file must not contain. */
const secretHeader = /auth|key|token|secret|cookie|password|session/i
const variable = /\$\{(\w+)\}/g

/** Messages must not show a text that may be a secret. */
const hidden = { writeOnly: true } as const

const headers = z
  .record(z.string(), z.string().meta(hidden))
  .meta({ ...hidden, takes: 'values by name, such as { X-Team: reading }' })
  .superRefine((given, context) => {
    for (const [name, value] of Object.entries(given)) {
      if (!secretHeader.test(name) || value.replace(variable, '') !== value) continue
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `a configuration must not contain secrets: put this into an environment variable and write ${name}: \${NAME}`,
      })
    }
  })

const baseUrl = z
  .string()
  .meta(hidden)
  .refine((text) => !/^\w+:\/\/[^/?#]*@|\?/.test(text), {
    message: 'a configuration must not contain secrets, so no address with a user, a password or a query',
  })

const store = z
  .string()
  .min(1)
  .meta(hidden)
  .refine((text) => !/^\w+:\/\/[^/?#]*:[^/?#]*@|\?/.test(text), {
    message:
      'a configuration must not contain secrets, so no address with a password or a query: put that into MEMAGENT_STORE',
  })

const texts = z.union([
  z
    .string()
    .min(1)
    .transform((one) => [one]),
  z.array(z.string().min(1)),
])

/** Parsed like text on the command line; its error message is passed on. */
const parsedBy = (option: Option) =>
  z
    .union([z.string(), z.number()])
    .transform((given, context) => {
      try {
        return option.parseArg ? option.parseArg(String(given), undefined) : String(given)
      } catch (error) {
        context.addIssue({
          code: 'custom',
          message: (error as ConfigurationError).message.replace(/\.$/, ''),
        })
        return z.NEVER
      }
    })
    .meta({ written: option.argChoices ? { enum: option.argChoices } : parserOf(option)?.written })

const parserOf = (option: Option) => option.parseArg as Partial<OptionParser> | undefined

const schemaOf = (name: string, option: Option): z.ZodType => {
  if (name === 'header') return headers
  if (name === 'base-url') return baseUrl
  if (name === 'store') return store
  if (option.variadic) return texts
  return option.required || option.optional ? parsedBy(option) : z.boolean()
}

const ofHeaders = `extra headers for the server, by name; put secrets into environment variables: \${NAME}`

/** The schema of a file; every setting is optional. */
export const configurationSchema = z.strictObject(
  Object.fromEntries(
    [...settableOptions].map(([name, option]) => {
      const description = name === 'header' ? ofHeaders : option.description
      return [name, schemaOf(name, option).optional().meta({ description })]
    }),
  ),
)

/** `Name: value` lines, variables replaced. @throws ConfigurationError from `missing` for a variable that is not set */
export const headerLines = (
  given: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
  missing: (name: string, header: string) => Error,
): string[] =>
  Object.entries(given).map(([header, value]) => {
    const filled = value.replace(variable, (_, name: string) => {
      const found = environment[name]
      if (!found) throw missing(name, header)
      return found
    })
    return `${header}: ${filled}`
  })

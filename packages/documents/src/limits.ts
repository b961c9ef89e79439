/** Limits for files that may be hostile. */
import { ConfigurationError } from '@memagent/core'
import { badOption } from './bad-option.ts'

/** How much a file may need before it counts as hostile. */
export interface Limits {
  /** Size of a file that has to be held whole to be read. */
  readonly wholeBytes: number
  /** For a parser that cannot stream. */
  readonly parseSeconds: number
  readonly parseMegabytes: number
  /** Containers inside containers. */
  readonly depth: number
  readonly entries: number
  /** Uncompressed bytes of all entries of one outermost file. */
  readonly unpackedBytes: number
  /** Uncompressed bytes per compressed byte; ignored for the first 16 MiB. */
  readonly ratio: number
}

export const defaultLimits: Limits = {
  wholeBytes: 256 * 2 ** 20,
  parseSeconds: 120,
  parseMegabytes: 512,
  depth: 4,
  entries: 100_000,
  unpackedBytes: 64 * 2 ** 30,
  ratio: 250,
}

/** @throws ConfigurationError for a limit that would not hold, such as NaN */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = { ...defaultLimits }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!Object.hasOwn(defaultLimits, name)) {
      throw badOption(`limits.${name} is not known`, `There are ${Object.keys(defaultLimits).join(', ')}.`)
    }
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new ConfigurationError({
        code: 'document/bad-limit',
        message: `The limit ${name} is ${String(value)}: it takes a number of at least 0.`,
        details: { name, value },
      })
    }
    limits[name as keyof Limits] = value
  }
  return limits
}

/**
 * Checks settings from configuration files and command lines. Errors have one form everywhere: the setting, its value, and what
 * it takes.
 */
import type { z } from 'zod'
import { allowedText, type Described, describeSchema, namesIn, schemasAt } from './allowed.ts'
import { nearestName } from './nearest-name.ts'

export interface SettingProblem {
  /** Such as `stages.0.steps`. */
  readonly setting: string
  readonly path: readonly PropertyKey[]
  /** Such as `stages.0.steps cannot be "many" (it takes a whole number of at least 1)`. */
  readonly message: string
  /** The known names, if this one is unknown. */
  readonly known?: readonly string[]
}

export type CheckedSettings<Schema extends z.ZodType> =
  | { readonly settings: z.output<Schema>; readonly problems?: never }
  | { readonly settings?: never; readonly problems: readonly SettingProblem[] }

/** The settings as parsed by the schema, or every problem with them. */
export function checkSettings<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): CheckedSettings<Schema> {
  const result = schema.safeParse(given, { reportInput: true })
  if (result.success) return { settings: result.data }
  const described = describeSchema(schema)
  return { problems: result.error.issues.flatMap((issue) => problemsOf(issue, described, given)) }
}

/** A value as a message shows it, cut if it is long. */
export function showValue(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)
  return text.length > 100 ? `${text.slice(0, 100)}...` : text
}

function problemsOf(issue: z.core.$ZodIssue, described: Described, given: unknown): SettingProblem[] {
  // Parts of what `takes` summarizes are reported as a whole.
  let path = issue.path
  while (path.length > 0 && schemasAt(described, path, given).length === 0) path = path.slice(0, -1)
  const schemas = schemasAt(described, path, given)
  const known = namesIn(schemas)
  if (issue.code === 'unrecognized_keys' && known.length > 0) {
    return issue.keys.map((key) => unknownSetting([...path, key], known))
  }
  // The schema's own check says more than its type.
  const isOwn = issue.code === 'custom' && issue.message !== 'Invalid input'
  const allowed = isOwn ? undefined : allowedText(schemas)
  const reason = allowed === undefined ? issue.message : `it takes ${allowed}`
  const value = valueAt(given, path, issue.input)
  const isHidden = schemas.some(({ writeOnly }) => writeOnly)
  return [wrongSetting(path, value, reason, isHidden)]
}

/** @param reason what the setting takes instead, or why it does not take this value */
export function wrongSetting(
  path: readonly PropertyKey[],
  value: unknown,
  reason: string,
  isHidden = false,
): SettingProblem {
  const setting = path.join('.')
  const shown = isHidden ? 'has a wrong value' : `cannot be ${showValue(value)}`
  const fault = value === undefined ? 'is missing' : shown
  return { setting, path, message: `${setting || 'the whole'} ${fault} (${reason})` }
}

function unknownSetting(path: readonly PropertyKey[], known: readonly string[]): SettingProblem {
  const setting = path.join('.')
  const nearest = nearestName(String(path.at(-1)), known)
  const hint = nearest === undefined ? `known: ${known.join(', ')}` : `did you mean ${nearest}?`
  return { setting, path, known, message: `${setting} is unknown (${hint})` }
}

/** The value as given, if it is there: the schema may have changed it, or the text that contains it. */
function valueAt(given: unknown, path: readonly PropertyKey[], read: unknown): unknown {
  let value = given
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return read
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

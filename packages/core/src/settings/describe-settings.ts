/** The settings of a schema in words, for tables and help texts. */
import type { z } from 'zod'
import { allowedText, type Described, describeSchema } from './allowed.ts'

export interface SettingDescription {
  /** Such as `rollouts.groups` or `stages[].steps`. */
  readonly name: string
  /** `a whole number of at least 1`; `fields` if it has fields of its own, which follow. */
  readonly takes: string
  /** As in a file, or in words; undefined if there is none. */
  readonly default?: string | undefined
  readonly isRequired: boolean
  readonly description: string
}

/** In the order of the schema, without what can only be given in code. */
export const describeSettings = (schema: z.ZodType): readonly SettingDescription[] =>
  fieldsOf(describeSchema(schema), '')

function fieldsOf({ properties = {}, required = [] }: Described, prefix: string): SettingDescription[] {
  return Object.entries(properties)
    .filter(([, { codeOnly }]) => !codeOnly)
    .flatMap(([name, setting]) => {
      const { parts, takes, below } = partsOf(setting)
      const whole = {
        name: `${prefix}${name}`,
        takes: takes ?? allowedText([setting]) ?? 'anything',
        default: defaultOf(setting, parts.length > 0),
        isRequired: required.includes(name),
        description: setting.description ?? '',
      }
      return [whole, ...parts.flatMap((part) => fieldsOf(part, `${prefix}${name}${below}`))]
    })
}

interface Parts {
  readonly parts: readonly Described[]
  readonly takes?: string
  /** The separator between a name and the names of its parts. */
  readonly below: '.' | '[].'
}

/** The objects with fields, one or several to choose from, alone or in a list. */
function partsOf(setting: Described): Parts {
  const { items, takes } = setting
  const list = items ? objectsOf(items) : []
  if (takes !== undefined) return { parts: [], below: '.' }
  if (list.length > 0)
    return {
      parts: list,
      takes: items!.shorthand === undefined ? 'a list of fields' : 'a list of texts or fields',
      below: '[].',
    }
  const parts = objectsOf(setting)
  return parts.length > 0 ? { parts, takes: `${textOr(setting)}fields`, below: '.' } : { parts, below: '.' }
}

const textOr = ({ shorthand }: Described) => (shorthand === undefined ? '' : 'a text or ')

const objectsOf = (schema: Described): readonly Described[] =>
  (schema.oneOf ?? [schema]).filter(({ properties }) => properties !== undefined)

function defaultOf({ defaultIs, default: value }: Described, hasParts: boolean): string | undefined {
  // The fields have defaults of their own.
  if (defaultIs !== undefined || value === undefined || hasParts) return defaultIs
  return typeof value === 'string' ? value || '""' : JSON.stringify(value)
}

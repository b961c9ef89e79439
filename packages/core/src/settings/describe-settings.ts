/** What a schema says of its settings, for tables and help texts. */
import type { z } from 'zod'
import { allowedText, type Described, describeSchema } from './allowed.ts'

export interface SettingDescription {
  readonly name: string
  /** `a whole number of at least 1` */
  readonly takes: string
  /** As one would write it, or in words; undefined where there is none. */
  readonly default?: string | undefined
  readonly isRequired: boolean
  readonly description: string
}

/** In the order of the schema, without what only code can give. */
export function describeSettings(schema: z.ZodObject): readonly SettingDescription[] {
  const { properties = {}, required = [] } = describeSchema(schema)
  return Object.entries(properties)
    .filter(([, { codeOnly }]) => !codeOnly)
    .map(([name, setting]) => ({
      name,
      takes: allowedText([setting]) ?? 'anything',
      default: defaultOf(setting),
      isRequired: required.includes(name),
      description: setting.description ?? '',
    }))
}

function defaultOf({ defaultIs, default: value }: Described): string | undefined {
  if (defaultIs !== undefined || value === undefined) return defaultIs
  return typeof value === 'string' ? value || '""' : JSON.stringify(value)
}
